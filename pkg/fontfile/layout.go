package fontfile

import "context"

// This file walks through the tables of typographic layout as a parser does, which follows each offset again: tables of
// a few kilobytes could point to the same bytes a billion times. Source: OpenType, chapters GSUB, GPOS and GDEF.

const (
	// maxLayout is how many bytes a walk may read in all, with those that are read several times. The largest font
	// that we know reads 5 MB.
	maxLayout = 24 << 20
	// maxSequence is how many glyphs may replace one.
	maxSequence = 64
	// maxNested is how many lookups a rule may apply.
	maxNested = 64
)

var errLayout = &Error{"The typographic rules of the font (its tables GSUB, GPOS and GDEF) are too many to be used."}

// walk is a walk through a table.
type walk struct {
	budget int
	err    error // why it ended
}

// spend counts bytes that are read, and reports whether the walk goes on.
func (w *walk) spend(n int) bool {
	if w.budget -= n; w.budget < 0 && w.err == nil {
		w.err = errLayout
	}
	return w.err == nil
}

func (w *walk) u16(r reader, at int) int {
	n, err := r.u16(at)
	if err != nil && w.err == nil {
		w.err = err
	}
	return n
}

// offset returns what the offset at a place of r points to from r's beginning; nil if it is 0.
func (w *walk) offset(r reader, at int) reader {
	n := w.u16(r, at)
	if n == 0 || w.err != nil {
		return nil
	}
	sub, err := r.from(n)
	if err != nil {
		w.err = err
	}
	return sub
}

// each calls visit with what each of the offsets of a list points to. The list begins with their number.
func (w *walk) each(r reader, at int, visit func(reader)) {
	count := w.u16(r, at)
	w.spend(2 + 2*count)
	for i := 0; i < count && w.err == nil; i++ {
		if sub := w.offset(r, at+2+2*i); sub != nil {
			visit(sub)
		}
	}
}

// records counts a list of records of a size, which begins with their number.
func (w *walk) records(r reader, at, size int) (count int) {
	count = w.u16(r, at)
	if _, err := r.span(at+2, at+2+size*count); err != nil && w.err == nil {
		w.err = err
	}
	w.spend(2 + size*count)
	return count
}

func (w *walk) coverage(r reader) {
	switch {
	case r == nil:
	case w.u16(r, 0) == 1:
		w.records(r, 2, 2)
	default:
		count, last := w.records(r, 2, 6), -1
		for i := 0; i < count && w.err == nil; i++ {
			start, end := w.u16(r, 4+6*i), w.u16(r, 6+6*i)
			if start <= last || end < start {
				w.err = errBroken
			}
			w.spend(2 * (end - start + 1))
			last = end
		}
	}
}

func (w *walk) classes(r reader) {
	switch {
	case r == nil:
	case w.u16(r, 0) == 1:
		w.records(r, 4, 2)
	default:
		w.records(r, 2, 6)
	}
}

// checkLayout checks GDEF, GSUB or GPOS.
func checkLayout(_ context.Context, t tables, s shape) error {
	w := walk{budget: maxLayout}
	r := reader(t[s.tag])
	if s.tag == "GDEF" {
		t[s.tag] = w.definitions(r)
		return w.err
	}
	w.tagged(w.offset(r, 4), 0, func(script reader) {
		w.features(w.offset(script, 0))
		w.tagged(script, 2, w.features)
	})
	w.tagged(w.offset(r, 6), 0, func(feature reader) { w.records(feature, 2, 2) })
	if orZero(r.u16(2)) >= 1 && len(r) >= 14 { // other features for variations: fonts of ours don't need them
		kept := append([]byte(nil), r...)
		copy(kept[10:14], "\x00\x00\x00\x00")
		t[s.tag] = kept
	}
	lookups := w.offset(r, 8)
	if lookups == nil {
		return w.err
	}
	extension := 7
	if s.tag == "GPOS" {
		extension = 9
	}
	w.each(lookups, 0, func(lookup reader) {
		kind := w.u16(lookup, 0)
		w.each(lookup, 4, func(sub reader) {
			kind := kind
			if kind == extension {
				kind = w.u16(sub, 2)
				next, err := sub.from(orZero(sub.u32(4)))
				if err != nil || kind == extension {
					w.err = errBroken
					return
				}
				sub = next
			}
			if s.tag == "GSUB" {
				w.substitution(kind, sub)
			} else {
				w.positioning(kind, sub)
			}
		})
	})
	return w.err
}

// tagged calls visit for each record of a list: a tag, and an offset from the list. Their number is at a place of it.
func (w *walk) tagged(list reader, at int, visit func(reader)) {
	if list == nil {
		return
	}
	const size = 6
	count := w.records(list, at, size)
	for i := 0; i < count && w.err == nil; i++ {
		if sub := w.offset(list, at+2+size*i+4); sub != nil {
			visit(sub)
		}
	}
}

// features counts those of a language.
func (w *walk) features(r reader) {
	if r != nil {
		w.records(r, 4, 2)
	}
}

// substitution walks through a subtable of GSUB.
func (w *walk) substitution(kind int, r reader) {
	format := w.u16(r, 0)
	switch kind {
	case 1:
		w.coverage(w.offset(r, 2))
		if format == 2 {
			w.records(r, 4, 2)
		}
	case 2, 3:
		w.coverage(w.offset(r, 2))
		w.each(r, 4, func(sub reader) {
			if count := w.records(sub, 0, 2); kind == 2 && count > maxSequence && w.err == nil {
				w.err = errLayout
			}
		})
	case 4:
		w.coverage(w.offset(r, 2))
		w.each(r, 4, func(set reader) {
			w.each(set, 0, func(of reader) { w.spend(4 + 2*w.u16(of, 2)) })
		})
	case 5:
		w.context(format, r)
	case 6:
		w.chain(format, r)
	case 8:
		w.coverage(w.offset(r, 2))
		after := 4 + 2 + 2*w.u16(r, 4)
		w.each(r, 4, w.coverage)
		w.each(r, after, w.coverage)
		w.records(r, after+2+2*w.u16(r, after), 2)
	default:
		w.err = errBroken
	}
}

// context walks through rules for glyphs in a context.
func (w *walk) context(format int, r reader) {
	rule := func(of reader) {
		glyphs, nested := w.u16(of, 0), w.u16(of, 2)
		w.rule(glyphs, nested)
	}
	switch format {
	case 1:
		w.coverage(w.offset(r, 2))
		w.each(r, 4, func(set reader) { w.each(set, 0, rule) })
	case 2:
		w.coverage(w.offset(r, 2))
		w.classes(w.offset(r, 4))
		w.each(r, 6, func(set reader) { w.each(set, 0, rule) })
	case 3:
		glyphs, nested := w.u16(r, 2), w.u16(r, 4)
		w.rule(glyphs, nested)
		for i := 0; i < glyphs && w.err == nil; i++ {
			w.coverage(w.offset(r, 6+2*i))
		}
	default:
		w.err = errBroken
	}
}

// rule counts a rule of so many glyphs that applies so many lookups.
func (w *walk) rule(glyphs, nested int) {
	if nested > maxNested && w.err == nil {
		w.err = errLayout
	}
	w.spend(8 + 2*glyphs + 4*nested)
}

// chain walks through rules for glyphs in a context with what is before and after.
func (w *walk) chain(format int, r reader) {
	rule := func(of reader) {
		before := w.u16(of, 0)
		within := w.u16(of, 2+2*before)
		at := 4 + 2*before + 2*max(within-1, 0)
		after := w.u16(of, at)
		w.rule(before+within+after, w.u16(of, at+2+2*after))
	}
	switch format {
	case 1:
		w.coverage(w.offset(r, 2))
		w.each(r, 4, func(set reader) { w.each(set, 0, rule) })
	case 2:
		w.coverage(w.offset(r, 2))
		for _, at := range [...]int{4, 6, 8} {
			w.classes(w.offset(r, at))
		}
		w.each(r, 10, func(set reader) { w.each(set, 0, rule) })
	case 3:
		at := 2
		for range 3 {
			count := w.u16(r, at)
			w.each(r, at, w.coverage)
			at += 2 + 2*count
		}
		w.rule(0, w.u16(r, at))
	default:
		w.err = errBroken
	}
}

// valueSize is the size of a value of positions.
func valueSize(format int) (bytes int) {
	for ; format != 0; format &= format - 1 {
		bytes += 2
	}
	return bytes
}

// device is what a value or anchor with tables of devices costs, which are a few bytes each, and parsed one by one.
const device = 16

// positioning walks through a subtable of GPOS.
func (w *walk) positioning(kind int, r reader) {
	format := w.u16(r, 0)
	switch kind {
	case 1:
		w.coverage(w.offset(r, 2))
		if format == 2 {
			w.spend(w.u16(r, 6) * (valueSize(w.u16(r, 4)) + device))
		}
	case 2:
		w.coverage(w.offset(r, 2))
		size := valueSize(w.u16(r, 4)) + valueSize(w.u16(r, 6))
		if format == 1 {
			w.each(r, 8, func(set reader) {
				w.spend(w.u16(set, 0) * (size + 2))
			})
			break
		}
		w.classes(w.offset(r, 8))
		w.classes(w.offset(r, 10))
		w.spend(w.u16(r, 12) * w.u16(r, 14) * max(size, 1))
	case 3:
		w.coverage(w.offset(r, 2))
		w.spend(2 * device * w.records(r, 4, 4))
	case 4, 5, 6:
		w.marks(kind, r)
	case 7:
		w.context(format, r)
	case 8:
		w.chain(format, r)
	default:
		w.err = errBroken
	}
}

// marks walks through a table that attaches marks.
func (w *walk) marks(kind int, r reader) {
	w.coverage(w.offset(r, 2))
	w.coverage(w.offset(r, 4))
	classes := w.u16(r, 6)
	if marks := w.offset(r, 8); marks != nil {
		w.spend(device * w.records(marks, 0, 4))
	}
	bases := w.offset(r, 10)
	if bases == nil {
		return
	}
	anchors := func(of reader) { w.spend((2 + device) * classes * w.u16(of, 0)) }
	if kind == 5 { // ligatures have a list of them each
		w.each(bases, 0, anchors)
		return
	}
	anchors(bases)
}

// definitions walks through GDEF, and returns it without the points of attachment and the carets of ligatures.
func (w *walk) definitions(r reader) []byte {
	if len(r) < 12 {
		w.err = errBroken
		return nil
	}
	kept := append([]byte(nil), r...)
	copy(kept[6:10], "\x00\x00\x00\x00")
	w.classes(w.offset(r, 4))
	w.classes(w.offset(r, 10))
	minor := w.u16(r, 2)
	if minor >= 2 {
		if sets := w.offset(r, 12); sets != nil {
			count := w.records(sets, 2, 4)
			for i := 0; i < count && w.err == nil; i++ {
				sub, err := sets.from(orZero(sets.u32(4 + 4*i)))
				if err != nil {
					w.err = err
					return nil
				}
				w.coverage(sub)
			}
		}
	}
	if minor >= 3 {
		if at := orZero(r.u32(14)); at != 0 {
			store, err := r.from(at)
			if err == nil {
				err = w.variationStore(store)
			}
			if err != nil && w.err == nil {
				w.err = err
			}
		}
	}
	return kept
}

// variationStore walks through a store of variations of numbers.
func (w *walk) variationStore(r reader) error {
	regions, err := r.from(orZero(r.u32(2)))
	if err != nil {
		return err
	}
	w.spend(6 * orZero(regions.u16(0)) * w.u16(regions, 2))
	count := w.records(r, 6, 4)
	for i := 0; i < count && w.err == nil; i++ {
		data, err := r.from(orZero(r.u32(8 + 4*i)))
		if err != nil {
			return err
		}
		w.spend(8 + 2*w.u16(data, 4) + 4*w.u16(data, 0)*w.u16(data, 4))
	}
	return w.err
}
