package net

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// appendTensors appends the payload of the tensors section: u32 count, then for each tensor u8 name
// length, name, u8 number of dimensions, u32 each, and the values as IEEE 754 binary32.
func appendTensors(buf []byte, tensors []*Tensor) []byte {
	buf = binary.LittleEndian.AppendUint32(buf, uint32(len(tensors)))
	for _, t := range tensors {
		buf = append(buf, uint8(len(t.Name)))
		buf = append(buf, t.Name...)
		buf = append(buf, uint8(len(t.Shape)))
		for _, d := range t.Shape {
			buf = binary.LittleEndian.AppendUint32(buf, uint32(d))
		}
		buf = appendFloats(buf, t.Data)
	}
	return buf
}

// appendFloats appends values as little-endian IEEE 754 binary32.
func appendFloats(buf []byte, values []float32) []byte {
	for _, v := range values {
		buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(v))
	}
	return buf
}

var errTensorsShort = errors.New("it ends within a tensor; the file is damaged, go back to an earlier one")

// parseTensors reads what appendTensors wrote. It allocates no more than the payload can fill.
func parseTensors(p []byte) ([]*Tensor, error) {
	take := func(n int) []byte {
		if n > len(p) {
			return nil
		}
		head := p[:n]
		p = p[n:]
		return head
	}
	head := take(4)
	if head == nil {
		return nil, errTensorsShort
	}
	var list []*Tensor
	for count := binary.LittleEndian.Uint32(head); count > 0; count-- {
		size := take(1)
		if size == nil {
			return nil, errTensorsShort
		}
		name := take(int(size[0]))
		rank := take(1)
		if name == nil || rank == nil {
			return nil, errTensorsShort
		}
		t := &Tensor{Name: string(name)}
		n := 1
		for range rank[0] {
			d := take(4)
			if d == nil {
				return nil, errTensorsShort
			}
			dim := int(binary.LittleEndian.Uint32(d))
			if dim > len(p)/4 || n*dim > len(p)/4 {
				return nil, fmt.Errorf("tensor %q: %w", t.Name, errTensorsShort)
			}
			n *= dim
			t.Shape = append(t.Shape, dim)
		}
		data := take(4 * n)
		if data == nil {
			return nil, fmt.Errorf("tensor %q: %w", t.Name, errTensorsShort)
		}
		t.Data = make([]float32, n)
		for i := range t.Data {
			t.Data[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		}
		list = append(list, t)
	}
	if len(p) > 0 {
		return nil, errors.New("there are bytes after the last tensor; the file is damaged, go back to an earlier one")
	}
	return list, nil
}
