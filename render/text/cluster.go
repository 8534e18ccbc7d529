package text

import (
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// assignFaces chooses the face of each grapheme cluster. If no face has a cluster, it tries its compatibility form,
// then the cluster without its marks; otherwise the cluster is left out, with one of the spaces around it, and
// reported.
func (e *Engine) assignFaces(p *paragraph, s *faceList) {
	e.seg.Init(p.runes)
	out := clusterWriter{runes: e.runes[:0], faces: p.faces[:0], primary: s.primary}
	graphemes := e.seg.GraphemeIterator()
	var word *face // for a word with a letter that the family lacks
	wordUntil := 0
	for graphemes.Next() {
		at, whole := graphemes.Grapheme().Offset, graphemes.Grapheme().Text
		if p.mixed && at >= wordUntil {
			word, wordUntil = nil, wordEnd(p.runes, at)
			if w := p.runes[at:wordUntil]; !hasEuropean(s.primary.src, w) {
				word = e.wordFace(s, w)
			}
		}
		if alphanumeric(whole[0]) {
			p.letters++
		}
		cluster := whole[:min(len(whole), maxCluster)] // marks were limited earlier, see markCount
		out.changed = out.changed || len(cluster) < len(whole)
		if cluster[0] == '·' && hidesPoint(s.primary, p.runes, at) {
			cluster, out.changed = []rune{'•'}, true
		}
		if (cluster[0] >= 0x231a || len(cluster) > 1) && wantsEmoji(cluster) && isEmoji(cluster) {
			out.putEmoji(e.faces[emojiFace], cluster)
			continue
		}
		if at >= wordUntil {
			word = nil
		}
		if e.putOverlaid(p, s, &out, word, cluster) || out.putWord(word, cluster) {
			continue
		}
		if p.class == cjk && p.han != korean && wideIn(p.runes, at) {
			if f := e.hanFace(p.style.Weight, p.han, cluster); f != nil {
				out.put(f, cluster)
				continue
			}
		}
		if f := e.clusterFace(s, cluster, out.previous, p.class); f != nil && !p.narrows(cluster[0]) {
			out.put(f, cluster)
			continue
		}
		if isEmoji(cluster) { // one that usually is a text symbol, and is in no face
			out.putEmoji(e.faces[emojiFace], cluster)
			continue
		}
		out.changed = true
		if plain := []rune(norm.NFKC.String(string(cluster))); len(plain) <= maxCluster {
			if f := e.clusterFace(s, plain, out.previous, p.class); f != nil {
				out.put(f, plain)
				continue
			}
		}
		e.putBare(p, s, &out, cluster)
	}
	out.trimSpaces()
	p.runes, p.faces = append(p.runes[:0], out.runes...), out.faces
	e.runes = out.runes
	if out.changed {
		e.seg.Init(p.runes)
	}
}

// hidesPoint reports whether the point at i isn't seen between letters: that of Instrument Serif is for Catalan, has no
// width and is under the arm of an r, as in “développeur·euse”.
func hidesPoint(f *face, runes []rune, i int) bool {
	return f.src.Family == string(InstrumentSerif) && i > 0 && i+1 < len(runes) && unicode.IsLetter(runes[i-1]) &&
		unicode.IsLetter(runes[i+1]) && !(runes[i-1] == 'l' && runes[i+1] == 'l')
}

// putBare appends a cluster that no face has without its marks, if possible, and reports what is left out.
func (e *Engine) putBare(p *paragraph, s *faceList, out *clusterWriter, cluster []rune) {
	if bare := withoutMarks(cluster); len(bare) < len(cluster) && isEmoji(bare) { // a prohibition sign
		p.report(cluster[len(bare):], nil)
		out.putEmoji(e.faces[emojiFace], bare)
		return
	}
	var base *face
	if !ignorable(cluster[0]) {
		base = e.faceOf(s, cluster[0])
	}
	out.gap = p.report(cluster, base) || out.gap
	if base != nil {
		out.put(base, cluster[:1])
	}
}

// withoutMarks returns a cluster without the combining marks that it ends with.
func withoutMarks(cluster []rune) []rune {
	for n := len(cluster); n > 1 && unicode.Is(unicode.M, cluster[n-1]) && !ignorable(cluster[n-1]); n-- {
		cluster = cluster[:n-1]
	}
	return cluster
}

// report records what is left out of a cluster: all of it except its letter if a face has that. It returns whether the
// letter is left out.
func (p *paragraph) report(cluster []rune, base *face) (letter bool) {
	if base != nil {
		cluster = cluster[1:]
	} else if alphanumeric(cluster[0]) {
		p.missingLetters++
		letter = true
	}
	for _, r := range cluster {
		if len(p.missing) < maxMissing && !ignorable(r) {
			p.missing = append(p.missing, r)
		}
	}
	return letter
}

// clusterWriter collects the clusters that are drawn.
type clusterWriter struct {
	runes    []rune
	faces    []*face // by rune
	previous *face   // of the last cluster
	primary  *face   // the text's: it has a space
	gap      bool    // a letter was left out since
	changed  bool    // the runes differ from the text's
}

// put appends a cluster. Where letters were left out, a space separates the surrounding words. Variation selectors are
// dropped after use, and consecutive spaces are merged.
func (w *clusterWriter) put(f *face, cluster []rune) {
	if w.gap && len(w.runes) > 0 && alphanumeric(w.runes[len(w.runes)-1]) && alphanumeric(cluster[0]) {
		space := w.previous
		if !space.has(' ') {
			space = w.primary
		}
		w.runes, w.faces = append(w.runes, ' '), append(w.faces, space)
	}
	w.gap = false
	for _, r := range cluster {
		if r >= 0xfe00 && r <= 0xfe0f || r == ' ' && (len(w.runes) == 0 || w.runes[len(w.runes)-1] == ' ') {
			w.changed = true
			continue
		}
		w.runes = append(w.runes, r)
		w.faces = append(w.faces, f)
	}
	w.previous = f
}

// putWord appends a cluster in the face of its word, if it has one, which contains all of it.
func (w *clusterWriter) putWord(f *face, cluster []rune) bool {
	if f == nil || !f.hasAll(cluster) {
		return false
	}
	w.put(f, cluster)
	return true
}

// putEmoji appends a whole emoji, marked by its selector.
func (w *clusterWriter) putEmoji(f *face, cluster []rune) {
	w.gap = false
	for _, r := range cluster {
		w.runes = append(w.runes, r)
		w.faces = append(w.faces, f)
	}
	w.previous = f
}

// trimSpaces drops the spaces at the end.
func (w *clusterWriter) trimSpaces() {
	for n := len(w.runes); n > 0 && w.runes[n-1] == ' '; n-- {
		w.runes, w.faces = w.runes[:n-1], w.faces[:n-1]
		w.changed = true
	}
}

// narrows reports whether a fullWidth character is drawn as the usual one: a letter or digit, such as those of ＪＲ,
// between which there are gaps at the size of titles, or a mark in a text without any letters of Chinese and Japanese.
func (p *paragraph) narrows(r rune) bool {
	return fullWidth(r) && (alphanumeric(r) || p.class != cjk && !p.eastern)
}

// fullWidth reports whether r is a full-width Latin letter, digit or symbol, which is only wanted in Chinese and
// Japanese texts.
func fullWidth(r rune) bool { return r >= 0xff01 && r <= 0xff5e }

// compatibilityForm returns the compatibility form of r, if any: letters of fancy alphabets, ligatures, full-width
// forms.
func compatibilityForm(r rune) []rune {
	if s := norm.NFKC.String(string(r)); s != string(r) {
		return []rune(s)
	}
	return nil
}

// missingShare returns the share of letters and digits that no face could draw.
func (p *paragraph) missingShare() float64 {
	if p.missingLetters == 0 {
		return 0
	}
	return float64(p.missingLetters) / float64(p.letters)
}

// alphanumeric reports whether r is a letter or a digit.
func alphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
