package net

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"synochess/internal/files"
)

// The sections of format version 1.
const (
	sectionArch      = "architecture" // JSON, Arch without its encoding version and options
	sectionPolicy    = "policy"       // JSON, the option from_to
	sectionEncoding  = "encoding"     // JSON, {"version": n}
	sectionRules     = "rules"        // JSON, list of canonical texts
	sectionTraining  = "training"     // JSON, the training record
	sectionPrecision = "precision"    // text, "float32"
	sectionTensors   = "tensors"      // binary, appendTensors
	sectionVectors   = "vectors"      // JSON, list of TestVector
	sectionInt16     = "int16"        // JSON, Quantisation
)

type encodingSection struct {
	Version int `json:"version"`
}

// option is a size that joined the architecture later. A required section tells of it, but only if it is not 0: networks
// without it are files that every program of this format version reads.
type option struct {
	section, key string
	size         *int
}

// options lists the architecture's options in the order of their sections.
func (a *Arch) options() []option {
	return []option{{sectionPolicy, "from_to", &a.FromTo}}
}

// read takes the option's size from its section.
func (o option) read(payload []byte) error {
	sizes := map[string]int{}
	if err := strictJSON(payload, &sizes); err != nil {
		return err
	}
	for key, size := range sizes {
		if key != o.key {
			return fmt.Errorf("field %q is unknown; use a newer synochess", key)
		}
		*o.size = size
	}
	return nil
}

// Save writes a weights file, whole or not at all.
func (w *Weights) Save(path string) error {
	return files.WriteAtomic(path, w.Write)
}

// Write writes the weights file. Weights that do not pass Check are not written.
func (w *Weights) Write(out io.Writer) error {
	if err := w.Check(); err != nil {
		return err
	}
	var sections []section
	var failed error
	asJSON := func(name string, flags uint8, v any) {
		data, err := json.Marshal(v)
		if err != nil && failed == nil {
			failed = fmt.Errorf("weights file: section %q: %w", name, err)
		}
		sections = append(sections, section{name, typeJSON, flags, data})
	}
	plain, given := w.Arch, w.Arch
	for _, o := range plain.options() {
		*o.size = 0
	}
	asJSON(sectionArch, flagRequired, plain)
	for _, o := range given.options() {
		if *o.size > 0 {
			asJSON(o.section, flagRequired, map[string]int{o.key: *o.size})
		}
	}
	asJSON(sectionEncoding, flagRequired, encodingSection{w.Arch.EncodingVersion})
	asJSON(sectionRules, 0, append([]string{}, w.Record.Rules...))
	if len(w.Record.Training) > 0 {
		asJSON(sectionTraining, 0, w.Record.Training)
	}
	sections = append(sections,
		section{sectionPrecision, typeText, flagRequired, []byte(Precision)},
		section{sectionTensors, typeBinary, flagRequired, appendTensors(nil, w.Tensors)})
	if v := w.Vectors(); len(v) > 0 {
		asJSON(sectionVectors, 0, v)
	}
	if q := w.Quantisation(); q != nil {
		asJSON(sectionInt16, 0, q)
	}
	if failed != nil {
		return failed
	}
	_, err := out.Write(encodeFile(FormatVersion, sections))
	return err
}

// Load reads a weights file. Errors name the file, the fault and what to do.
func Load(path string) (*Weights, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("weights file: %w", err)
	}
	defer f.Close()
	w, err := Read(bufio.NewReaderSize(f, 1<<16))
	if err != nil {
		return nil, fmt.Errorf("weights file %s: %w", path, err)
	}
	return w, nil
}

// Read reads a weights file of this or an older format version and checks that it fits this program.
// Test vectors are not run here but by whoever makes an evaluator of the weights.
func Read(r io.Reader) (*Weights, error) {
	sections, err := decodeFile(r)
	if err != nil {
		return nil, err
	}
	w := &Weights{}
	readers := map[string]func(payload []byte) error{
		sectionArch: func(p []byte) error { return strictJSON(p, &w.Arch) },
		sectionEncoding: func(p []byte) error {
			var e encodingSection
			err := strictJSON(p, &e)
			w.Arch.EncodingVersion = e.Version
			return err
		},
		sectionRules:    func(p []byte) error { return strictJSON(p, &w.Record.Rules) },
		sectionTraining: func(p []byte) error { return strictJSON(p, &w.Record.Training) },
		sectionPrecision: func(p []byte) error {
			if string(p) != Precision {
				return fmt.Errorf("the weights are %q, this program reads %q; use a newer synochess", p, Precision)
			}
			return nil
		},
		sectionTensors: func(p []byte) (err error) { w.Tensors, err = parseTensors(p); return err },
		sectionVectors: func(p []byte) error { return strictJSON(p, &w.vectors) },
		sectionInt16:   func(p []byte) error { return strictJSON(p, &w.quantisation) },
	}
	for _, o := range w.Arch.options() {
		readers[o.section] = o.read
	}
	seen := map[string]bool{}
	for _, s := range sections {
		read, known := readers[s.name]
		if !known {
			if s.flags&flagRequired != 0 {
				return nil, fmt.Errorf("section %q is unknown and marked as required; use a newer synochess", s.name)
			}
			continue
		}
		if err := read(s.payload); err != nil {
			return nil, fmt.Errorf("section %q: %w", s.name, err)
		}
		seen[s.name] = true
	}
	for _, name := range []string{sectionArch, sectionEncoding, sectionPrecision, sectionTensors} {
		if !seen[name] {
			return nil, fmt.Errorf("section %q is missing; the file is damaged, go back to an earlier one", name)
		}
	}
	if err := w.Arch.CheckEncoding(); err != nil {
		return nil, err
	}
	if err := w.Check(); err != nil {
		return nil, err
	}
	w.vectorsOf = w.EvalID()
	if w.quantisation != nil {
		if err := w.quantisation.Check(w.Arch); err != nil {
			return nil, fmt.Errorf("section %q: %w", sectionInt16, err)
		}
		w.quantisationOf = w.vectorsOf
	}
	return w, nil
}

// strictJSON decodes exactly one JSON value; a field this version does not know is an error, because
// what another version adds has a section of its own.
func strictJSON(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%s; the file is damaged, go back to an earlier one", strings.TrimPrefix(err.Error(), "json: "))
	}
	if d.More() {
		return fmt.Errorf("there is something after its JSON value; the file is damaged, go back to an earlier one")
	}
	return nil
}
