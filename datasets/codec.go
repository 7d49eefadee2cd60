package datasets

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// encodeGame returns the bytes of a game in the journal (docs/formats.md, "Journal"). Equal games have
// equal bytes. The game must be valid.
func encodeGame(g *Game) []byte {
	c := coder{writing: true, buf: make([]byte, 0, 1024+256*len(g.Plies))}
	c.game(g)
	return c.buf
}

// decodeGame is the inverse of encodeGame; what it returns is valid.
func decodeGame(data []byte) (*Game, error) {
	c, g := coder{buf: data}, new(Game)
	c.game(g)
	switch {
	case c.err != nil:
		return nil, c.err
	case len(c.buf) != 0:
		return nil, fmt.Errorf("%d bytes too many", len(c.buf))
	}
	return g, g.Validate()
}

// decodeHead returns a game without its plies; the rest of data is not looked at.
func decodeHead(data []byte) (*Game, error) {
	c, g := coder{buf: data}, new(Game)
	c.head(g)
	return g, c.err
}

// coder walks over the fields of a game in the order of the format, and writes them to buf or reads
// them from it, so that the order is stated once. Writing never touches the game, which others may be
// reading. After an error it does nothing.
type coder struct {
	writing bool
	buf     []byte // writing: what was written; reading: what is left
	err     error
}

var errShort = errors.New("the record ends too early")

func (c *coder) game(g *Game) {
	c.head(g)
	n := c.length(len(g.Plies), maxPlies, 16)
	if !c.writing && n > 0 {
		g.Plies = make([]Ply, n)
	}
	for i := range g.Plies {
		c.ply(&g.Plies[i])
	}
	// Version 1 ends here, and so does a game without a note.
	if c.writing && g.Note != "" || !c.writing && c.err == nil && len(c.buf) > 0 {
		c.text(&g.Note)
		if g.Note == "" && c.err == nil {
			c.err = errors.New("an empty note")
		}
	}
}

func (c *coder) head(g *Game) {
	c.text(&g.RunID)
	enum(c, &g.Purpose)
	c.number(&g.Number)
	small(c, &g.Generation)
	c.number(&g.Seed)
	c.text(&g.KernelPath)
	c.text(&g.Program)
	c.text(&g.Rules)
	c.number(&g.RulesHash)
	c.number(&g.GroupHash)
	c.text(&g.StartFEN)
	enum(c, &g.Start)
	c.number(&g.ForkOf)
	small(c, &g.ForkPly)
	c.number(&g.Family)
	c.text(&g.Opening)
	c.number(&g.Pair)
	for i := range g.Agents {
		c.text(&g.Agents[i].Kind)
		c.text(&g.Agents[i].EvalID)
		c.text(&g.Agents[i].Settings)
	}
	enum(c, &g.Result)
	enum(c, &g.Reason)
	enum(c, &g.Ending)
}

func (c *coder) ply(p *Ply) {
	code(c, &p.Move)
	enum(c, &p.Chosen)
	c.float(&p.Chance)
	enum(c, &p.Search)
	small(c, &p.Visits)
	c.float(&p.SampleWeight)
	c.float(&p.PolicyWeight)
	c.float(&p.ValueWeight)
	for _, wdl := range [2]*[3]float32{&p.Before, &p.After} {
		for i := range wdl {
			fixed(c, &wdl[i], shareCode, shareValue)
		}
	}
	enum(c, &p.Proven)
	n := c.length(len(p.Actions), maxActions, 9)
	if !c.writing && n > 0 {
		p.Actions = make([]Action, n)
	}
	for i := range p.Actions {
		a := &p.Actions[i]
		code(c, &a.Move)
		small(c, &a.Visits)
		fixed(c, &a.Logit, logitCode, logitValue)
		fixed(c, &a.Policy, shareCode, shareValue)
		fixed(c, &a.Q, qCode, qValue)
	}
}

// take returns the next n bytes: to be filled in when writing, to be used when reading. It is nil after
// an error.
func (c *coder) take(n int) []byte {
	if c.writing {
		c.buf = append(c.buf, make([]byte, n)...)
		return c.buf[len(c.buf)-n:]
	}
	if c.err == nil && len(c.buf) < n {
		c.err = errShort
	}
	if c.err != nil {
		return nil
	}
	b := c.buf[:n]
	c.buf = c.buf[n:]
	return b
}

// number codes an unsigned varint.
func (c *coder) number(v *uint64) {
	if c.writing {
		c.buf = binary.AppendUvarint(c.buf, *v)
		return
	}
	if c.err != nil {
		return
	}
	x, n := binary.Uvarint(c.buf)
	if n <= 0 {
		c.err = errShort
		return
	}
	*v, c.buf = x, c.buf[n:]
}

// length codes a count of elements that take at least size bytes each, and refuses one that the rest of
// the record cannot hold before anything is allocated for it.
func (c *coder) length(n, limit, size int) int {
	v := uint64(n)
	c.number(&v)
	if !c.writing && c.err == nil && (v > uint64(limit) || v > uint64(len(c.buf)/size)) {
		c.err = fmt.Errorf("a count of %d does not fit the record", v)
	}
	if c.err != nil {
		return 0
	}
	return int(v)
}

// text codes a string behind its length.
func (c *coder) text(s *string) {
	n := c.length(len(*s), maxText, 1)
	if c.writing {
		c.buf = append(c.buf, *s...)
		return
	}
	*s = string(c.take(n))
}

// float codes a float32 as its bits.
func (c *coder) float(x *float32) {
	b := c.take(4)
	switch {
	case c.writing:
		binary.LittleEndian.PutUint32(b, math.Float32bits(*x))
	case b != nil:
		*x = math.Float32frombits(binary.LittleEndian.Uint32(b))
	}
}

// small codes a 32-bit number as a varint.
func small(c *coder, v *uint32) {
	x := uint64(*v)
	c.number(&x)
	if c.writing {
		return
	}
	if x > math.MaxUint32 && c.err == nil {
		c.err = fmt.Errorf("%d does not fit 32 bits", x)
	}
	*v = uint32(x)
}

// enum codes one byte; Validate checks its range.
func enum[E ~uint8](c *coder, v *E) {
	b := c.take(1)
	switch {
	case c.writing:
		b[0] = byte(*v)
	case b != nil:
		*v = E(b[0])
	}
}

// code codes 16 bits.
func code[T ~uint16 | ~int16](c *coder, v *T) {
	b := c.take(2)
	switch {
	case c.writing:
		binary.LittleEndian.PutUint16(b, uint16(*v))
	case b != nil:
		*v = T(binary.LittleEndian.Uint16(b))
	}
}

// fixed codes a float as a 16-bit fixed-point number.
func fixed[T uint16 | int16](c *coder, x *float32, encode func(float32) T, decode func(T) float32) {
	if c.writing {
		v := encode(*x)
		code(c, &v)
		return
	}
	var v T
	code(c, &v)
	*x = decode(v)
}
