package text

import (
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// assignFaces chooses the face of each grapheme cluster. A cluster that no face has is tried in its compatibility form,
// then without its marks; else it is left out, with one of the spaces around it, and reported.
func (e *Engine) assignFaces(p *paragraph, s *faceList) {
	e.seg.Init(p.runes)
	out := clusterWriter{runes: e.runes[:0], faces: p.faces[:0]}
	graphemes := e.seg.GraphemeIterator()
	for graphemes.Next() {
		whole := graphemes.Grapheme().Text
		if alphanumeric(whole[0]) {
			p.letters++
		}
		cluster := whole[:min(len(whole), maxCluster)] // its marks were bounded with the text, see markCount
		out.changed = out.changed || len(cluster) < len(whole)
		if f := e.clusterFace(s, cluster, out.previous); f != nil {
			out.put(f, cluster)
			continue
		}
		out.changed = true
		if plain := []rune(norm.NFKC.String(string(cluster))); len(plain) <= maxCluster {
			if f := e.clusterFace(s, plain, out.previous); f != nil {
				out.put(f, plain)
				continue
			}
		}
		out.gap = e.report(p, s, cluster) || out.gap
		if f := e.faceOf(s, cluster[0]); f != nil && !ignorable(cluster[0]) {
			out.put(f, cluster[:1])
		}
	}
	out.trimSpaces()
	p.runes, p.faces = append(p.runes[:0], out.runes...), out.faces
	e.runes = out.runes
	if out.changed {
		e.seg.Init(p.runes)
	}
}

// report notes what no face has of a cluster, and returns whether its letter is among that.
func (e *Engine) report(p *paragraph, s *faceList, cluster []rune) (letter bool) {
	if alphanumeric(cluster[0]) && e.faceOf(s, cluster[0]) == nil {
		p.missingLetters++
		letter = true
	}
	for _, r := range cluster {
		if len(p.missing) < maxMissing && !ignorable(r) && e.faceOf(s, r) == nil {
			p.missing = append(p.missing, r)
		}
	}
	return letter
}

// clusterWriter collects the clusters of a text that are set.
type clusterWriter struct {
	runes    []rune
	faces    []*face // by rune
	previous *face   // of the last cluster
	gap      bool    // a letter was left out since
	changed  bool    // the runes are not those of the text any more
}

// put appends a cluster. Where letters were left out, a space stands between the words around them. Variation selectors
// have done their work and go, and of spaces in a row one stays.
func (w *clusterWriter) put(f *face, cluster []rune) {
	if w.gap && len(w.runes) > 0 && alphanumeric(w.runes[len(w.runes)-1]) && alphanumeric(cluster[0]) {
		w.runes = append(w.runes, ' ')
		w.faces = append(w.faces, w.previous)
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

// trimSpaces drops the spaces at the end.
func (w *clusterWriter) trimSpaces() {
	for n := len(w.runes); n > 0 && w.runes[n-1] == ' '; n-- {
		w.runes, w.faces = w.runes[:n-1], w.faces[:n-1]
		w.changed = true
	}
}

// compatibilityForm returns the compatibility form of r when it has one: letters of fancy alphabets, ligatures,
// full-width forms.
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

// alphanumeric reports whether r carries words: a letter or a digit.
func alphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
