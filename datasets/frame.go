package datasets

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"

	"github.com/cespare/xxhash/v2"
)

// Layout of a journal (all numbers little-endian):
//
//	header  16 bytes: "SYNOGAME", uint32 version, uint32 zero
//	record  frame of 16 bytes, then the payload
//	frame   uint32 marker, uint32 length of the payload, uint64 xxhash64 of length and payload
//
// The marker lets a reader find the next record behind damaged bytes.
const (
	journalMagic = "SYNOGAME"
	headerSize   = 16
	frameSize    = 16
	marker       = 0x9e3d47b1
	maxRecord    = 1 << 26 // bytes of a payload (at least 1), a bound on what damage can make a reader allocate
)

// header returns the first bytes of a journal of SchemaVersion.
func header() []byte {
	h := append(make([]byte, 0, headerSize), journalMagic...)
	h = binary.LittleEndian.AppendUint32(h, SchemaVersion)
	return binary.LittleEndian.AppendUint32(h, 0)
}

// checkHeader reports whether a file is fresh: empty, or torn while its header was written.
func checkHeader(f io.ReaderAt, size int64) (fresh bool, err error) {
	have := make([]byte, min(size, headerSize))
	if _, err := f.ReadAt(have, 0); err != nil && err != io.EOF {
		return false, err
	}
	want := header()
	if len(have) < headerSize && bytes.HasPrefix(want, have) {
		return true, nil
	}
	if len(have) == headerSize && string(have[:8]) == journalMagic {
		switch version := binary.LittleEndian.Uint32(have[8:]); {
		case version > SchemaVersion:
			return false, fmt.Errorf("it has version %d, this program reads up to %d: use a newer one", version, SchemaVersion)
		case version > 0 && bytes.Equal(have[12:], want[12:]):
			return false, nil
		}
	}
	return false, fmt.Errorf("not a journal of games: move it away")
}

// appendFrame appends a whole record.
func appendFrame(dst, payload []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, marker)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(payload)))
	dst = binary.LittleEndian.AppendUint64(dst, checksum(payload))
	return append(dst, payload...)
}

func checksum(payload []byte) uint64 {
	var d xxhash.Digest
	d.Reset()
	d.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(payload))))
	d.Write(payload)
	return d.Sum64()
}

// frames is what a scan found.
type frames struct {
	spans   []span // payloads of the whole records, in file order
	end     int64  // end of the last whole record; what follows is a torn tail
	damaged int    // stretches of bytes before end that belong to no whole record
}

// scanFrames finds the whole records behind the header.
func scanFrames(f io.ReaderAt, size int64) (frames, error) {
	found := frames{end: headerSize}
	for at := int64(headerSize); at < size; {
		s, ok, err := frameAt(f, at, size)
		if err != nil {
			return found, err
		}
		if !ok {
			if at, err = nextMarker(f, at+1, size); err != nil {
				return found, err
			}
			continue
		}
		if at > found.end {
			found.damaged++
		}
		at = s.offset + int64(s.length)
		found.spans, found.end = append(found.spans, s), at
	}
	return found, nil
}

// frameAt reports whether a whole record with the right checksum begins at a byte.
func frameAt(f io.ReaderAt, at, size int64) (s span, ok bool, err error) {
	if size-at < frameSize {
		return s, false, nil
	}
	var h [frameSize]byte
	if _, err := f.ReadAt(h[:], at); err != nil {
		return s, false, err
	}
	length := int64(binary.LittleEndian.Uint32(h[4:]))
	if binary.LittleEndian.Uint32(h[:]) != marker || length < 1 || length > maxRecord || length > size-at-frameSize {
		return s, false, nil
	}
	payload := make([]byte, length)
	if _, err := f.ReadAt(payload, at+frameSize); err != nil {
		return s, false, err
	}
	return span{at + frameSize, int(length)}, checksum(payload) == binary.LittleEndian.Uint64(h[8:]), nil
}

// nextMarker returns where the marker occurs next, or size.
func nextMarker(f io.ReaderAt, at, size int64) (int64, error) {
	want := binary.LittleEndian.AppendUint32(nil, marker)
	chunk := make([]byte, 1<<16)
	for at < size {
		n, err := f.ReadAt(chunk[:min(int64(len(chunk)), size-at)], at)
		if err != nil && err != io.EOF {
			return 0, err
		}
		if i := bytes.Index(chunk[:n], want); i >= 0 {
			return at + int64(i), nil
		}
		if n < len(want) {
			break
		}
		at += int64(n - len(want) + 1) // a marker may lie across two chunks
	}
	return size, nil
}

// freeName returns name, or if a file has it already, name with the first free number behind it.
func freeName(name string) string {
	free := name
	for i := 2; ; i++ {
		if _, err := os.Lstat(free); err != nil {
			return free
		}
		free = fmt.Sprintf("%s%d", name, i)
	}
}
