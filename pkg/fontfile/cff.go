package fontfile

import (
	"context"
	"errors"

	ps "github.com/go-text/typesetting/font/cff/interpreter"
)

// This file runs the programs that draw the glyphs of PostScript outlines, by a budget of steps: a program of a few
// bytes that calls itself through ten others would run for years. Source: Adobe technical notes 5176 and 5177.

const (
	maxSteps    = 20_000    // of a glyph
	maxAllSteps = 8_000_000 // of all glyphs
)

// checkCFF checks that each glyph is drawn in bounded time.
func checkCFF(ctx context.Context, t tables, s shape) error {
	c := cff{table: t["CFF "]}
	if err := c.read(); err != nil {
		return err
	}
	if len(c.glyphs) < s.glyphs {
		return errBroken
	}
	sum := 0
	for i, program := range c.glyphs {
		if i%1000 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		font, err := c.fontOf(i)
		if err != nil {
			return err
		}
		var m ps.Machine
		run := charstring{left: maxSteps}
		if err := m.Run(program, c.subroutines[font], c.global, &run); err != nil {
			return err
		}
		if sum += maxSteps - run.left; sum > maxAllSteps {
			return refuse("The outlines of the font take more than %d steps to draw.", maxAllSteps)
		}
		reach, b := float64(maxReach*s.upem), run.Bounds
		if max(b.Max.X, b.Max.Y, -b.Min.X, -b.Min.Y) > reach {
			return refuse("A glyph of the font is drawn more than %d em from its place.", maxReach)
		}
	}
	return nil
}

// cff is what a table CFF contains.
type cff struct {
	table       reader
	global      [][]byte
	glyphs      [][]byte
	subroutines [][][]byte // of each of its fonts
	choice      reader     // of the font of a glyph, or nil if there is one font
}

// read finds the programs of the table.
func (c *cff) read() error {
	at := orZero(c.table.u8(2))
	_, at, err := c.index(at) // names
	if err != nil {
		return err
	}
	tops, at, err := c.index(at)
	if err != nil || len(tops) != 1 {
		return errBroken
	}
	if _, at, err = c.index(at); err != nil { // texts
		return err
	}
	if c.global, _, err = c.index(at); err != nil {
		return err
	}
	top, err := dictionary(tops[0])
	if err != nil {
		return err
	}
	if kind, ok := top[charstringKind]; ok && kind[0] != 2 {
		return errBroken
	}
	if c.glyphs, _, err = c.index(top.first(charstrings)); err != nil {
		return err
	}
	if _, isCID := top[fontArray]; !isCID {
		return c.addFont(top)
	}
	fonts, _, err := c.index(top.first(fontArray))
	if err != nil || len(fonts) == 0 || len(fonts) > 256 {
		return errBroken
	}
	for _, of := range fonts {
		d, err := dictionary(of)
		if err != nil {
			return err
		}
		if err := c.addFont(d); err != nil {
			return err
		}
	}
	c.choice, err = c.table.from(top.first(fontSelect))
	return err
}

// addFont adds the subroutines of a font.
func (c *cff) addFont(d dict) error {
	var own [][]byte
	if at := d[private]; len(at) == 2 {
		start, size := int(at[1]), int(at[0])
		raw, err := c.table.span(start, start+size)
		if err != nil {
			return err
		}
		inner, err := dictionary(raw)
		if err != nil {
			return err
		}
		if offset, ok := inner[subrs]; ok && len(offset) == 1 {
			if own, _, err = c.index(start + int(offset[0])); err != nil {
				return err
			}
		}
	}
	c.subroutines = append(c.subroutines, own)
	return nil
}

// fontOf returns which of the fonts draws a glyph.
func (c *cff) fontOf(glyph int) (font int, err error) {
	if c.choice == nil {
		return 0, nil
	}
	switch format, _ := c.choice.u8(0); format {
	case 0:
		font, err = c.choice.u8(1 + glyph)
	case 3:
		low, high := 0, orZero(c.choice.u16(1))
		for low+1 < high {
			if middle := (low + high) / 2; orZero(c.choice.u16(3+3*middle)) <= glyph {
				low = middle
			} else {
				high = middle
			}
		}
		font, err = c.choice.u8(5 + 3*low)
	default:
		err = errBroken
	}
	if font >= len(c.subroutines) {
		return 0, errBroken
	}
	return font, err
}

// index reads a list of byte strings, and returns where it ends.
func (c *cff) index(at int) (list [][]byte, end int, err error) {
	count, err := c.table.u16(at)
	if err != nil || count == 0 {
		return nil, at + 2, err
	}
	size := orZero(c.table.u8(at + 2))
	if size < 1 || size > 4 {
		return nil, 0, errBroken
	}
	begin := at + 3 + size*(count+1) - 1
	last := 1
	for i := range count + 1 {
		offset := 0
		for j := range size {
			b, err := c.table.u8(at + 3 + i*size + j)
			if err != nil {
				return nil, 0, err
			}
			offset = offset<<8 | b
		}
		if i > 0 {
			item, err := c.table.span(begin+last, begin+offset)
			if err != nil {
				return nil, 0, err
			}
			list = append(list, item)
		}
		last = offset
	}
	return list, begin + last, nil
}

// Operators of dictionaries; those above 255 begin with an escape.
const (
	charstrings    = 17
	private        = 18
	subrs          = 19
	escaped        = 256
	charstringKind = escaped + 6
	fontArray      = escaped + 36
	fontSelect     = escaped + 37
)

// dict has the operands of each operator.
type dict map[int][]float64

func (d dict) first(operator int) int {
	if of := d[operator]; len(of) > 0 {
		return int(of[0])
	}
	return -1
}

// dictionary reads a dictionary.
func dictionary(raw []byte) (dict, error) {
	d := dict{}
	var m ps.Machine
	return d, m.Run(raw, nil, nil, d)
}

// Context is that of dictionaries.
func (d dict) Context() ps.Context { return ps.TopDict }

// Apply keeps the operands.
func (d dict) Apply(m *ps.Machine, op ps.Operator) error {
	n := int(op.Operator)
	if op.IsEscaped {
		n += escaped
	}
	d[n] = append([]float64(nil), m.ArgStack.Vals[:m.ArgStack.Top]...)
	if len(d[n]) == 0 && n == charstringKind {
		return errBroken
	}
	m.ArgStack.Clear()
	return nil
}

// charstring draws a glyph.
type charstring struct {
	ps.CharstringReader
	left int
}

// Context is that of programs of glyphs.
func (*charstring) Context() ps.Context { return ps.Type2Charstring }

var errSteps = &Error{"A glyph of the font takes too many steps to draw."}

// Apply is a step of a program. Source: the same function of package cff of go-text/typesetting, which draws it later.
func (g *charstring) Apply(m *ps.Machine, op ps.Operator) (err error) {
	if g.left--; g.left < 0 || len(g.Segments) > maxPoints {
		return errSteps
	}
	if op.IsEscaped {
		err = g.flex(m, op.Operator)
		m.ArgStack.Clear()
		return err
	}
	switch op.Operator {
	case 10:
		return ps.LocalSubr(m)
	case 11:
		return m.Return()
	case 14:
		g.ClosePath()
		return ps.ErrInterrupt
	case 19, 20:
		g.Hintmask(m)
		return nil
	case 29:
		return ps.GlobalSubr(m)
	case 1, 18:
		g.Hstem(m)
	case 3, 23:
		g.Vstem(m)
	default:
		err = g.draw(m, op.Operator)
	}
	m.ArgStack.Clear()
	return err
}

func (g *charstring) draw(m *ps.Machine, op byte) error {
	switch op {
	case 4:
		return g.Vmoveto(m)
	case 21:
		return g.Rmoveto(m)
	case 22:
		return g.Hmoveto(m)
	case 24:
		return g.Rcurveline(m)
	case 25:
		return g.Rlinecurve(m)
	}
	draws := map[byte]func(*ps.Machine){
		5: g.Rlineto, 6: g.Hlineto, 7: g.Vlineto, 8: g.Rrcurveto, 26: g.Vvcurveto, 27: g.Hhcurveto, 30: g.Vhcurveto,
		31: g.Hvcurveto,
	}
	if of := draws[op]; of != nil {
		of(m)
		return nil
	}
	return errors.New("unknown operator")
}

func (g *charstring) flex(m *ps.Machine, op byte) error {
	switch op {
	case 34:
		return g.Hflex(m)
	case 35:
		return g.Flex(m)
	case 36:
		return g.Hflex1(m)
	case 37:
		return g.Flex1(m)
	}
	return errors.New("unknown operator")
}
