package designs

import "strings"

// This file compares documents line by line.

// diffLine is a line of a difference. Kind is "+" for an added one, "-" for a removed one, " " for one that is there as
// before, and "…" for lines that are left out.
type diffLine struct {
	Kind, Text string
}

const (
	// diffAround is how many unchanged lines are shown around changes.
	diffAround = 2
	// maxDiffCells bounds the comparison: changed parts with more lines on each side are shown as removed and added.
	maxDiffCells = 1 << 20
	// maxDiffLines is how many lines of a difference are shown.
	maxDiffLines = 400
	// maxDiffText is how many bytes of a line are shown.
	maxDiffText = 400
)

// difference compares two documents. changed is the number of lines that were added or removed.
func difference(before, after string) (lines []diffLine, changed int) {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	begin := 0
	for begin < min(len(a), len(b)) && a[begin] == b[begin] {
		begin++
	}
	end := 0
	for end < min(len(a), len(b))-begin && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	var all []diffLine
	add := func(kind string, texts ...string) {
		for _, text := range texts {
			all = append(all, diffLine{kind, text})
		}
	}
	add(" ", a[:begin]...)
	compareLines(a[begin:len(a)-end], b[begin:len(b)-end], add)
	add(" ", a[len(a)-end:]...)
	near := make([]bool, len(all))
	for i, line := range all {
		if line.Kind == " " {
			continue
		}
		changed++
		for j := max(0, i-diffAround); j <= min(len(all)-1, i+diffAround); j++ {
			near[j] = true
		}
	}
	for i, line := range all {
		switch {
		case near[i] && len(lines) < maxDiffLines:
			if len(line.Text) > maxDiffText {
				line.Text = strings.ToValidUTF8(line.Text[:maxDiffText], "") + "…"
			}
			lines = append(lines, line)
		case len(lines) > 0 && lines[len(lines)-1].Kind != "…":
			lines = append(lines, diffLine{Kind: "…"})
		}
	}
	if n := len(lines); n > 0 && lines[n-1].Kind == "…" && n <= maxDiffLines {
		lines = lines[:n-1]
	}
	return lines, changed
}

// compareLines finds a longest common subsequence of lines.
func compareLines(a, b []string, add func(kind string, texts ...string)) {
	n, m := len(a), len(b)
	if n == 0 || m == 0 || n > maxDiffCells/m {
		add("-", a...)
		add("+", b...)
		return
	}
	longest := make([]int32, (n+1)*(m+1))
	at := func(i, j int) *int32 { return &longest[i*(m+1)+j] }
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if a[i] == b[j] {
				*at(i, j) = *at(i+1, j+1) + 1
			} else {
				*at(i, j) = max(*at(i+1, j), *at(i, j+1))
			}
		}
	}
	i, j := 0, 0
	for i < n && j < m {
		switch {
		case a[i] == b[j]:
			add(" ", a[i])
			i, j = i+1, j+1
		case *at(i+1, j) >= *at(i, j+1):
			add("-", a[i])
			i++
		default:
			add("+", b[j])
			j++
		}
	}
	add("-", a[i:]...)
	add("+", b[j:]...)
}
