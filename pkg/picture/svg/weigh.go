package svg

import "unicode/utf8"

// This file computes how much a document draws once its references are resolved.

// weight is what an element draws, including its content and references.
type weight struct{ uses, elements, segments, filtered int64 }

// most exceeds every limit: sums stop there, so that they never overflow.
const most = 1 << 40

func (w *weight) add(other weight, times int64) {
	grow := func(sum *int64, n int64) {
		if n != 0 && times > most/n {
			*sum = most
			return
		}
		*sum = min(*sum+n*times, most)
	}
	grow(&w.uses, other.uses)
	grow(&w.elements, other.elements)
	grow(&w.segments, other.segments)
	grow(&w.filtered, other.filtered)
}

const (
	unseen uint8 = iota
	onTheWay
	weighed
)

// weigh rejects documents that refer to themselves, and those that draw too much.
func (r *reader) weigh() error {
	if err := r.follow(r.root, 0); err != nil {
		return err
	}
	switch sum := r.root.sum; {
	case sum.uses > maxUses:
		return tooLarge("its uses come to more than %d", maxUses)
	case sum.elements > maxElements:
		return tooLarge("it draws more than %d elements", maxElements)
	case sum.segments > maxSegments:
		return tooLarge("its paths have more than %d segments", maxSegments)
	}
	return nil
}

// follow weighs n. Its own sum is complete on return.
func (r *reader) follow(n *node, chain int) error {
	switch {
	case n.mark == weighed:
		return nil
	case n.mark == onTheWay:
		return damaged("%s %q refers to itself", n.name, n.id)
	case chain > maxChain:
		return tooLarge("references are nested deeper than %d", maxChain)
	}
	n.mark = onTheWay
	own := n.segments()
	n.sum = weight{elements: 1, segments: own}
	if n.name == "use" {
		n.sum.uses = 1
	}
	if n.has("filter") {
		n.sum.filtered = 1
	}
	for _, child := range n.children {
		if err := r.follow(child, chain+1); err != nil {
			return err
		}
		n.sum.add(child.sum, 1)
	}
	for _, id := range n.refs {
		target := r.ids[id]
		if target == nil {
			continue
		}
		if err := r.follow(target, chain+1); err != nil {
			return err
		}
		times := int64(1)
		if target.name == "marker" {
			times += own // it is drawn at each end of a segment
		}
		n.sum.add(target.sum, times)
	}
	n.mark = weighed
	return nil
}

// segments returns the number of segments of the element's shape.
func (n *node) segments() int64 {
	count := 0
	for _, a := range n.attrs {
		switch {
		case n.name == "path" && a.Name.Local == "d":
			count += segments(a.Value)
		case (n.name == "polyline" || n.name == "polygon") && a.Name.Local == "points":
			count += countNumbers(a.Value)/2 + 1
		}
	}
	switch n.name {
	case "":
		count += letterSegments * utf8.RuneCountInString(n.text)
	case "rect", "circle", "ellipse":
		count += 8
	case "line":
		count++
	}
	return int64(count)
}
