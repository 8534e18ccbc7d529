package raster

// This file turns lines into coverage as FreeType and github.com/golang/freetype/raster do, step by step: a line adds
// to each pixel that it crosses how far it goes down in it (cover), and twice the area between it and the left side of
// the pixel (area). The latter package takes the pixels -1 and 0 for one, so that what crosses the left and upper sides
// of the canvas is wrong there. Here, what is drawn doesn't depend on where the canvas is. Coordinates are in 1/64 px.

const (
	one  = 64 // px
	bits = 6
)

// cell is a pixel that lines cross.
type cell struct {
	x, next     int32 // next is the index of the next cell of its row, or -1
	area, cover int
}

// row is the cells of a row: the first one, and the one that a line crossed last, or -1.
type row struct {
	first, last int32
	left        int // cover of what is left of the canvas
}

// cells are the pixels of a canvas that the lines of a path cross. Those left of the canvas are one number for each
// row, those on its other sides are left out.
type cells struct {
	width, height int
	list          []cell
	rows          []row
	x, y          int // of the pen

	cellX, cellY int // of the cell that area and cover are of
	area, cover  int
}

// reset begins a path on an empty canvas.
func (z *cells) reset(width, height int) {
	if cap(z.rows) < height {
		z.rows = make([]row, height)
	}
	*z = cells{width: width, height: height, list: z.list[:0], rows: z.rows[:height]}
	for i := range z.rows {
		z.rows[i] = row{first: -1, last: -1}
	}
}

// floorDiv returns a/b and the remainder, from 0 to b-1.
func floorDiv(a, b int) (q, rem int) {
	q, rem = a/b, a%b
	if rem < 0 {
		q, rem = q-1, rem+b
	}
	return q, rem
}

// start moves the pen.
func (z *cells) start(x, y int) { z.x, z.y = x, y }

// line draws a line from the pen to a point.
func (z *cells) line(x1, y1 int) {
	x0, y0 := z.x, z.y
	z.x, z.y = x1, y1
	row0, row1 := y0>>bits, y1>>bits
	right := z.width << bits
	if y0 == y1 || max(row0, row1) < 0 || min(row0, row1) >= z.height || min(x0, x1) >= right {
		return
	}
	in0, in1 := y0&(one-1), y1&(one-1)
	if row0 == row1 {
		z.scan(row0, x0, in0, x1, in1)
		return
	}
	dx, dy := x1-x0, y1-y0
	// Within a row, a line goes from enter to leave.
	enter, leave, step, p := 0, one, 1, (one-in0)*dx
	if dy < 0 {
		enter, leave, step, p = one, 0, -1, in0*dx
		dy = -dy
	}
	delta, rem := floorDiv(p, dy)
	if row0 >= 0 && row0 < z.height {
		z.scan(row0, x0, in0, x0+delta, leave)
	}
	x, row := x0+delta, row0+step
	full, fullRem := floorDiv(one*dx, dy)
	if n := beyond(row, row1, step, z.height); n > 0 {
		more, r := floorDiv(rem+n*fullRem, dy)
		x, row, rem = x+n*full+more, row+n*step, r
	}
	for ; row != row1 && row >= 0 && row < z.height; row += step {
		delta = full
		if rem += fullRem; rem >= dy {
			delta, rem = delta+1, rem-dy
		}
		z.scan(row, x, enter, x+delta, leave)
		x += delta
	}
	if row == row1 && row >= 0 && row < z.height {
		z.scan(row, x, enter, x1, in1)
	}
}

// beyond returns how many rows of a line, from row to that before row1 in a direction, are before those of the canvas.
func beyond(row, row1, step, height int) int {
	if step > 0 {
		return min(max(-row, 0), row1-row)
	}
	return min(max(row-height+1, 0), row-row1)
}

// scan draws the part of a line that is within a row, in which it goes from in0 to in1.
func (z *cells) scan(row, x0, in0, x1, in1 int) {
	dx, dy := x1-x0, in1-in0
	cell0, cell1 := x0>>bits, x1>>bits
	switch {
	case dy == 0 || min(cell0, cell1) >= z.width:
		return
	case max(cell0, cell1) < 0:
		z.rows[row].left += dy
		return
	}
	z.to(cell0, row)
	at0, at1 := x0&(one-1), x1&(one-1)
	if cell0 == cell1 {
		z.area += (at0 + at1) * dy
		z.cover += dy
		return
	}
	// Within a cell, the line goes from enter to leave.
	enter, leave, step, p := 0, one, 1, (one-at0)*dy
	if dx < 0 {
		enter, leave, step, p = one, 0, -1, at0*dy
		dx = -dx
	}
	delta, rem := floorDiv(p, dx)
	z.area += (at0 + leave) * delta
	z.cover += delta
	x, y := cell0+step, in0+delta
	z.to(x, row)
	if x != cell1 {
		full, fullRem := floorDiv(one*(in1-y+delta), dx)
		for rem -= dx; x != cell1; {
			delta = full
			if rem += fullRem; rem >= 0 {
				delta, rem = delta+1, rem-dx
			}
			z.area += one * delta
			z.cover += delta
			x, y = x+step, y+delta
			z.to(x, row)
		}
	}
	delta = in1 - y
	z.area += (enter + at1) * delta
	z.cover += delta
}

// to makes area and cover those of a cell.
func (z *cells) to(x, y int) {
	if z.cellX != x || z.cellY != y {
		z.save()
		z.cellX, z.cellY = x, y
	}
}

// save adds area and cover to their cell.
func (z *cells) save() {
	area, cover := z.area, z.cover
	if area == 0 && cover == 0 {
		return
	}
	z.area, z.cover = 0, 0
	in := &z.rows[z.cellY]
	switch {
	case z.cellX < 0:
		in.left += cover
		return
	case z.cellX >= z.width:
		return
	}
	x, before, at := int32(z.cellX), int32(-1), in.first
	if in.last >= 0 && z.list[in.last].x <= x { // what lines draw goes from left to right more often than not
		at = in.last
	}
	for at >= 0 && z.list[at].x < x {
		before, at = at, z.list[at].next
	}
	if at >= 0 && z.list[at].x == x {
		z.list[at].area += area
		z.list[at].cover += cover
		in.last = at
		return
	}
	in.last = int32(len(z.list))
	z.list = append(z.list, cell{x, at, area, cover})
	if before < 0 {
		in.first = in.last
	} else {
		z.list[before].next = in.last
	}
}

// sweep calls f with runs of equal coverage, from 1 to 255.
func (z *cells) sweep(evenOdd bool, f func(y, x0, x1 int, alpha uint32)) {
	z.save()
	for y, in := range z.rows {
		x, cover := 0, in.left
		for at := in.first; at >= 0; at = z.list[at].next {
			c := &z.list[at]
			cx := int(c.x)
			if cx > x {
				if a := alphaOf(2*one*cover, evenOdd); a != 0 {
					f(y, x, cx, a)
				}
			}
			cover += c.cover
			if a := alphaOf(2*one*cover-c.area, evenOdd); a != 0 {
				f(y, cx, cx+1, a)
			}
			x = cx + 1
		}
		if a := alphaOf(2*one*cover, evenOdd); a != 0 && x < z.width {
			f(y, x, z.width, a)
		}
	}
}

// alphaOf returns an area as one of 255, where 2·64·64 is a whole pixel.
func alphaOf(area int, evenOdd bool) uint32 {
	const whole = one * one
	a := (area + 1) >> 1
	a = max(a, -a)
	if evenOdd {
		a &= 2*whole - 1
		a = min(a, 2*whole-a)
	}
	return uint32(min(a, whole-1)) >> 4
}
