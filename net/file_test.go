package net

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"synochess/env/encode"
)

var update = flag.Bool("update", false, "write testdata/v1.weights anew; only while no release has its encoding version")

// small returns a tiny network with everything a file can hold.
func small() *Weights { return smallOf(encode.Version) }

// smallOf returns a small network of an encoding version.
func smallOf(encoding int) *Weights {
	w := New(Arch{Blocks: 1, Width: 2, ValueChannels: 1, ValueHidden: 2, EncodingVersion: encoding}, 7)
	w.Record = Record{Rules: []string{"name: a\n", "name: b\n"}, Training: json.RawMessage(`{"steps":12}`)}
	v := TestVector{
		Row: encode.Row{
			Planes: make([]uint64, w.Arch.Planes), Scalars: make([]uint16, w.Arch.Scalars), Scales: make([]uint16, w.Arch.Scalars),
			RulesHash: 1 << 63, Moves: []uint16{3, 5000},
		},
		Logits: []float32{0.1, -2}, WDL: [3]float32{0.5, 0.25, 0.25},
	}
	v.Planes[0] = math.MaxUint64 - 1
	w.SetVectors([]TestVector{v})
	return w
}

func encoded(t testing.TB, w *Weights) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := w.Write(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestFileGivesBackTheWeights(t *testing.T) {
	w := small()
	path := filepath.Join(t.TempDir(), "a.weights")
	if err := w.Save(path); err != nil {
		t.Fatal(err)
	}
	got, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, w) {
		t.Errorf("read %+v, wrote %+v", got, w)
	}
}

func TestSaveRefusesBadWeights(t *testing.T) {
	dir := t.TempDir()
	w := small()
	w.Tensor("policy.bias").Data[3] = float32(math.NaN())
	if err := w.Save(filepath.Join(dir, "a.weights")); err == nil || !strings.Contains(err.Error(), "policy.bias") {
		t.Errorf("error %v does not name the tensor", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("it left %v", left)
	}
}

// Vectors belong to the tensors they were computed with.
func TestVectorsGoStale(t *testing.T) {
	w := small()
	if len(w.Clone().Vectors()) != 1 {
		t.Fatal("a clone has no test vectors")
	}
	w.Tensors[0].Data[0]++
	if w.Vectors() != nil {
		t.Error("the vectors of other tensors are still there")
	}
	if got, err := Read(bytes.NewReader(encoded(t, w))); err != nil || got.Vectors() != nil {
		t.Errorf("stale vectors were written: %v, %v", got.Vectors(), err)
	}
}

func TestEvalIDHashesWhatDecides(t *testing.T) {
	w := small()
	id := w.EvalID()
	w.Record = Record{}
	w.SetVectors(nil)
	if w.EvalID() != id {
		t.Error("the record changes the evaluation id")
	}
	for name, change := range map[string]func(w *Weights){
		"tensor":   func(w *Weights) { w.Tensors[4].Data[1] = 2 },
		"sign":     func(w *Weights) { w.Tensors[3].Data[1] = float32(math.Copysign(0, -1)) },
		"encoding": func(w *Weights) { w.Arch.EncodingVersion++ },
	} {
		c := w.Clone()
		change(c)
		if c.EvalID() == id {
			t.Errorf("%s: the evaluation id stays", name)
		}
	}
}

// sections splits a good file, for tests that put it together differently.
func sections(t testing.TB) []section {
	t.Helper()
	list, err := decodeFile(bytes.NewReader(encoded(t, small())))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestUnknownSectionIsSkipped(t *testing.T) {
	list := append(sections(t), section{"from the future", 9, 0, []byte("whatever")})
	got, err := Read(bytes.NewReader(encodeFile(1, list)))
	if err != nil {
		t.Fatal(err)
	}
	if got.EvalID() != small().EvalID() {
		t.Error("another network came back")
	}
}

// malformed lists bad files and what the error must say.
func malformed(t testing.TB) map[string]struct {
	file []byte
	want string
} {
	good := encoded(t, small())
	replace := func(name string, payload string) []byte {
		list := sections(t)
		for i := range list {
			if list[i].name == name {
				list[i].payload = []byte(payload)
			}
		}
		return encodeFile(1, list)
	}
	without := func(name string) []byte {
		var list []section
		for _, s := range sections(t) {
			if s.name != name {
				list = append(list, s)
			}
		}
		return encodeFile(1, list)
	}
	flip := func(at int) []byte {
		f := bytes.Clone(good)
		f[at] ^= 4
		return f
	}
	tensors := func(change func(w *Weights)) []byte {
		w := small()
		change(w)
		return replace(sectionTensors, string(appendTensors(nil, w.Tensors)))
	}
	arch := func(change func(a *Arch)) []byte {
		a := small().Arch
		change(&a)
		text, _ := json.Marshal(a)
		return replace(sectionArch, string(text))
	}
	huge := bytes.Clone(good[:12])
	huge = append(huge, 1, 'x', 1, 0)
	huge = binary.LittleEndian.AppendUint64(huge, 1<<30)
	huge = binary.LittleEndian.AppendUint64(huge, 0)
	endless := bytes.Clone(huge)
	binary.LittleEndian.PutUint64(endless[16:], math.MaxUint64)
	crlf := bytes.ReplaceAll(good, []byte("\r\n"), []byte("\n"))
	type file = struct {
		file []byte
		want string
	}
	return map[string]file{
		"empty":               {nil, "empty"},
		"foreign":             {[]byte("PAR1 and so on"), "not a Synochess weights file"},
		"text mode":           {crlf, "binary mode"},
		"newer":               {encodeFile(2, sections(t)), "newer synochess"},
		"version 0":           {encodeFile(0, sections(t)), "version 0"},
		"magic only":          {good[:9], "truncated"},
		"no sections":         {good[:12], "truncated"},
		"within a header":     {good[:20], "truncated"},
		"within tensors":      {good[:len(good)-1500], "truncated"},
		"one byte short":      {good[:len(good)-1], "truncated"},
		"bytes after the end": {append(bytes.Clone(good), 0), "after its end"},
		"payload bit":         {flip(60), "checksum of section"},
		"end bit":             {flip(len(good) - 1), "checksum"},
		"a header bit":        {flip(14), "checksum"},
		"length beyond file":  {huge, "truncated"},
		"absurd length":       {endless, "claims"},
		"twice":               {encodeFile(1, append(sections(t), sections(t)[0])), "twice"},
		"required unknown":    {encodeFile(1, append(sections(t), section{"quantised", 3, flagRequired, nil})), "newer synochess"},
		"no architecture":     {without(sectionArch), `"architecture" is missing`},
		"no encoding":         {without(sectionEncoding), `"encoding" is missing`},
		"no precision":        {without(sectionPrecision), `"precision" is missing`},
		"no tensors":          {without(sectionTensors), `"tensors" is missing`},
		"other precision":     {replace(sectionPrecision, "int16"), "int16"},
		"arch not JSON":       {replace(sectionArch, "{"), `"architecture"`},
		"arch with a field":   {replace(sectionArch, `{"attention":1}`), "attention"},
		"two JSON values":     {replace(sectionRules, `[] []`), "after its JSON"},
		"rules not a list":    {replace(sectionRules, `{"a":1}`), `"rules"`},
		"vector mask":         {replace(sectionVectors, `[{"planes":["zz"]}]`), "hexadecimal"},
		"training cut":        {replace(sectionTraining, `{"a":`), `"training"`},
		"newer encoding":      {replace(sectionEncoding, `{"version":99}`), "newer synochess"},
		"older encoding":      {replace(sectionEncoding, `{"version":0}`), "train a new network"},
		"planes of version 1": {arch(func(a *Arch) { a.Planes = 19 }), "that version has 24"},
		"other planes":        {arch(func(a *Arch) { a.Planes++ }), "planes"},
		"other width":         {arch(func(a *Arch) { a.Width++ }), "stem.conv.weight"},
		"negative blocks":     {arch(func(a *Arch) { a.Blocks = -1 }), "blocks is -1"},
		"huge width":          {arch(func(a *Arch) { a.Width = 1 << 40 }), "width"},
		"one block more":      {arch(func(a *Arch) { a.Blocks++ }), "block1.conv1.weight"},
		"one block less":      {arch(func(a *Arch) { a.Blocks-- }), "policy.weight"},
		"NaN":                 {tensors(func(w *Weights) { w.Tensors[6].Data[0] = float32(math.NaN()) }), "block0.conv1.weight"},
		"negative variance":   {tensors(func(w *Weights) { w.Tensor("stem.bn.var").Data[1] = -1 }), "stem.bn.var"},
		"renamed tensor":      {tensors(func(w *Weights) { w.Tensors[1].Name = "x" }), "stem.vector.weight"},
		"tensor too many":     {tensors(func(w *Weights) { w.Tensors = append(w.Tensors, &Tensor{Name: "more"}) }), `"more"`},
		"other shape":         {tensors(func(w *Weights) { w.Tensors[0].Shape = []int{2, 234} }), "shape"},
		"tensors cut":         {replace(sectionTensors, "\x01\x00\x00\x00\x03abc\x01\x09\x00"), "within a tensor"},
		"tensor too large":    {replace(sectionTensors, "\x01\x00\x00\x00\x01a\x02\xff\xff\xff\xff\xff\xff\xff\xff"), "within a tensor"},
		"bytes after tensors": {replace(sectionTensors, "\x00\x00\x00\x00\x00"), "after the last tensor"},
	}
}

func TestMalformedFiles(t *testing.T) {
	for name, c := range malformed(t) {
		_, err := Read(bytes.NewReader(c.file))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", name, err, c.want)
		}
	}
}

func TestLoadNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bad.weights")
	for _, write := range []bool{false, true} {
		if write {
			if err := os.WriteFile(path, []byte("hello, world"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Load(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("error %v does not name the file", err)
		}
	}
}

// A file written by format version 1, of encoding version 1, stays readable for ever.
func TestVersion1Fixture(t *testing.T) {
	path := filepath.Join("testdata", "v1.weights")
	if *update {
		if err := smallOf(1).Save(path); err != nil {
			t.Fatal(err)
		}
	}
	w, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if id := w.EvalID(); id != smallOf(1).EvalID() {
		t.Errorf("its evaluation id is %s, was %s", id, smallOf(1).EvalID())
	}
	if !reflect.DeepEqual(w.Record, smallOf(1).Record) || !reflect.DeepEqual(w.Vectors(), smallOf(1).Vectors()) {
		t.Errorf("record %+v, vectors %+v", w.Record, w.Vectors())
	}
}

func FuzzRead(f *testing.F) {
	f.Add(encoded(f, small()))
	for _, c := range malformed(f) {
		f.Add(c.file)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		again, err := Read(bytes.NewReader(encoded(t, w)))
		if err != nil || again.EvalID() != w.EvalID() {
			t.Fatalf("a file that was read does not survive writing: %v", err)
		}
	})
}
