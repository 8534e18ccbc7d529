package fontfile

import "context"

// Limits of variable fonts.
const (
	maxAxes = 16
	// maxDeltas is the maximum number of deltas of points: a run of 64 zeros takes a byte.
	maxDeltas = 8_000_000
)

// checkVariations checks the axes and the tables that vary metrics.
func checkVariations(_ context.Context, t tables, _ shape) error {
	fvar := reader(t["fvar"])
	offset, count, size := orZero(fvar.u16(4)), orZero(fvar.u16(8)), orZero(fvar.u16(10))
	if count > maxAxes {
		return refuse("The font has %d axes, and at most %d can be used.", count, maxAxes)
	}
	if _, err := fvar.span(offset, offset+count*size); err != nil || size != 20 || count == 0 {
		return errBroken
	}
	// Named instances are left out: there may be any number of them.
	axes := fvar[offset : offset+count*size]
	t["fvar"] = append([]byte{0, 1, 0, 0, 0, 16, 0, 2, 0, byte(count), 0, 20, 0, 0, 0, byte(4 + 4*count)}, axes...)
	s := stream{rest: t["avar"]}
	if len(s.rest) > 0 {
		s.bytes(6)
		if maps := s.u16(); maps != count {
			return brokenTable("avar")
		}
		for range count {
			s.bytes(4 * s.u16())
		}
		if s.err != nil {
			return brokenTable("avar")
		}
	}
	for tag, at := range map[string]int{"HVAR": 4, "MVAR": 10} {
		r := reader(t[tag])
		if len(r) == 0 {
			continue
		}
		w := walk{budget: maxLayout}
		store := orZero(r.u32(at))
		if tag == "MVAR" {
			store = orZero(r.u16(at))
		}
		if sub, err := r.from(store); err != nil || store != 0 && w.variationStore(sub) != nil {
			return brokenTable(tag)
		}
	}
	return nil
}

// checkGvar checks that the deltas of glyphs are in order, and not too many.
func checkGvar(table []byte, g glyf) error {
	const head, longOffsets, tupleCount = 20, 1, 0x0fff
	r := reader(table)
	axes, shared := orZero(r.u16(4)), orZero(r.u16(6))
	sharedAt, count, flags, data := orZero(r.u32(8)), orZero(r.u16(12)), orZero(r.u16(14)), orZero(r.u32(16))
	if _, err := r.span(sharedAt, sharedAt+2*axes*shared); err != nil || count > g.glyphs || axes > maxAxes {
		return brokenTable("gvar")
	}
	last, deltas := 0, 0
	for i := range count + 1 {
		at, err := r.u16(head + 2*i)
		at *= 2
		if flags&longOffsets != 0 {
			at, err = r.u32(head + 4*i)
		}
		if err != nil || at < last || data+at > len(r) {
			return brokenTable("gvar")
		}
		if i > 0 && at > last {
			const phantomPoints = 4
			tuples := orZero(r.u16(data+last)) & tupleCount
			points := max(g.known[i-1].points, g.known[i-1].parts) + phantomPoints
			if deltas += 2 * tuples * points; deltas > maxDeltas {
				return refuse("The font has more than %d variations of its points.", maxDeltas)
			}
		}
		last = at
	}
	return nil
}
