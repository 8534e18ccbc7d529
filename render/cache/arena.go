package cache

import "slices"

// arena allocates parts of one piece of memory, the lowest that is large enough, so that memory beyond the peak use is
// never touched. The zero value has none.
type arena struct {
	memory []byte
	free   []part // by position, without adjacent ones
	taken  []part // in any order: there are few
}

// part is a part of an arena.
type part struct{ from, to int }

func newArena(memory []byte) arena { return arena{memory: memory, free: []part{{0, len(memory)}}} }

// roundPart is the unit of allocation: a page.
const roundPart = 4 << 10

// take returns n bytes, more than 0, or nil if no part is large enough.
func (a *arena) take(n int) []byte {
	size := (n + roundPart - 1) / roundPart * roundPart
	for i := range a.free {
		f := &a.free[i]
		if f.to-f.from < size {
			continue
		}
		p := part{f.from, f.from + size}
		if f.from = p.to; f.from == f.to {
			a.free = slices.Delete(a.free, i, i+1)
		}
		a.taken = append(a.taken, p)
		return a.memory[p.from : p.from+n : p.to]
	}
	return nil
}

// give takes back the result of take; it returns false for other memory.
func (a *arena) give(buffer []byte) bool {
	first := &buffer[:1][0]
	at := slices.IndexFunc(a.taken, func(p part) bool { return &a.memory[p.from] == first })
	if at < 0 {
		return false
	}
	p := a.taken[at]
	a.taken = slices.Delete(a.taken, at, at+1)
	i, _ := slices.BinarySearchFunc(a.free, p, func(f, p part) int { return f.from - p.from })
	a.free = slices.Insert(a.free, i, p)
	if i+1 < len(a.free) && a.free[i].to == a.free[i+1].from {
		a.free[i].to = a.free[i+1].to
		a.free = slices.Delete(a.free, i+1, i+2)
	}
	if i > 0 && a.free[i-1].to == a.free[i].from {
		a.free[i-1].to = a.free[i].to
		a.free = slices.Delete(a.free, i, i+1)
	}
	return true
}
