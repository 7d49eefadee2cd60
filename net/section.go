package net

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/cespare/xxhash/v2"
)

// The frame of a weights file (docs/weights-file.md). All integers are little-endian.
const (
	// magic starts every file; like PNG's, it breaks when a transfer rewrites line ends or eighth bits.
	magic = "\x89SYN\r\n\x1a\n"
	// FormatVersion is the newest version of the frame that this program reads, and the one it writes.
	FormatVersion = 1

	maxSectionLen = 1 << 31
)

// The section types: how a payload is to be read.
const (
	typeText   = 1
	typeJSON   = 2
	typeBinary = 3
)

// flagRequired marks a section that a reader must refuse the file over if it does not know it.
const flagRequired = 1

// section is one part of a file.
type section struct {
	name    string
	kind    uint8
	flags   uint8
	payload []byte
}

// endSection is the name of the last section; its payload is the hash of all bytes before it.
const endSection = "end"

// appendSection appends a section's header and payload:
// u8 name length, name, u8 type, u8 flags, u64 payload length, u64 xxhash of the payload, payload.
func appendSection(buf []byte, s section) []byte {
	buf = append(buf, uint8(len(s.name)))
	buf = append(buf, s.name...)
	buf = append(buf, s.kind, s.flags)
	buf = binary.LittleEndian.AppendUint64(buf, uint64(len(s.payload)))
	buf = binary.LittleEndian.AppendUint64(buf, xxhash.Sum64(s.payload))
	return append(buf, s.payload...)
}

// encodeFile returns a whole file of the given sections.
func encodeFile(version uint32, sections []section) []byte {
	buf := binary.LittleEndian.AppendUint32([]byte(magic), version)
	for _, s := range sections {
		buf = appendSection(buf, s)
	}
	sum := binary.LittleEndian.AppendUint64(nil, xxhash.Sum64(buf))
	return appendSection(buf, section{endSection, typeBinary, flagRequired, sum})
}

// errTruncated wraps what happens when a file ends too early.
var errTruncated = errors.New("the file is truncated; copy it again or go back to an earlier one")

// decodeFile splits a file into its sections, the end section left out, and checks all checksums.
func decodeFile(r io.Reader) ([]section, error) {
	d := decoder{r: r, sum: xxhash.New()}
	head := make([]byte, len(magic)+4)
	n, err := io.ReadFull(d.r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	if got := head[:min(n, len(magic))]; len(got) == 0 || !bytes.HasPrefix([]byte(magic), got) {
		return nil, foreign(got)
	}
	if n < len(head) {
		return nil, fmt.Errorf("its header is incomplete: %w", errTruncated)
	}
	d.sum.Write(head)
	switch version := binary.LittleEndian.Uint32(head[len(magic):]); {
	case version > FormatVersion:
		return nil, fmt.Errorf("it has format version %d, this program reads up to %d; use a newer synochess", version, FormatVersion)
	case version == 0:
		return nil, errors.New("it has format version 0, which no synochess wrote; go back to an earlier file")
	}
	var list []section
	for {
		before := d.sum.Sum64()
		s, err := d.section()
		if err != nil {
			return nil, err
		}
		if s.name == endSection {
			if len(s.payload) != 8 || binary.LittleEndian.Uint64(s.payload) != before {
				return nil, errors.New("the checksum of the whole file does not match; copy it again or go back to an earlier one")
			}
			if n, _ := io.ReadFull(r, head[:1]); n > 0 {
				return nil, errors.New("there are bytes after its end; copy it again")
			}
			return list, nil
		}
		for _, other := range list {
			if other.name == s.name {
				return nil, fmt.Errorf("section %q occurs twice; the file is damaged, go back to an earlier one", s.name)
			}
		}
		list = append(list, s)
	}
}

// foreign explains a file that does not start with the magic.
func foreign(head []byte) error {
	if len(head) == 0 {
		return errors.New("the file is empty")
	}
	if bytes.HasPrefix(head, []byte("\x89SYN")) || bytes.HasPrefix(head, []byte("\x09SYN")) {
		return errors.New("it was changed by a text-mode transfer; copy it again in binary mode")
	}
	return fmt.Errorf("it is not a Synochess weights file (it starts with %q); weights files come from `synochess train`", head)
}

// decoder reads sections and hashes what it reads.
type decoder struct {
	r   io.Reader
	sum *xxhash.Digest
}

// read returns the next n bytes; where names the part of the file in errors. It grows with what really
// comes, so that a damaged length allocates nothing.
func (d *decoder) read(n int64, where string) ([]byte, error) {
	var buf bytes.Buffer
	got, err := io.Copy(&buf, io.LimitReader(d.r, n))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", where, err)
	}
	if got < n {
		return nil, fmt.Errorf("it ends within %s: %w", where, errTruncated)
	}
	d.sum.Write(buf.Bytes())
	return buf.Bytes(), nil
}

func (d *decoder) section() (section, error) {
	size, err := d.read(1, "a section header")
	if err != nil {
		return section{}, err
	}
	head, err := d.read(int64(size[0])+18, "a section header")
	if err != nil {
		return section{}, err
	}
	name, head := string(head[:size[0]]), head[size[0]:]
	length, sum := binary.LittleEndian.Uint64(head[2:]), binary.LittleEndian.Uint64(head[10:])
	if length > maxSectionLen {
		return section{}, fmt.Errorf("section %q claims %d bytes; the file is damaged, go back to an earlier one", name, length)
	}
	payload, err := d.read(int64(length), fmt.Sprintf("section %q", name))
	if err != nil {
		return section{}, err
	}
	if xxhash.Sum64(payload) != sum {
		return section{}, fmt.Errorf("the checksum of section %q does not match; copy the file again or go back to an earlier one", name)
	}
	return section{name, head[0], head[1], payload}, nil
}
