package designs

import (
	"fmt"
	"strings"
	"testing"
)

func TestDifference(t *testing.T) {
	t.Parallel()
	many := func(n int, name string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%s %d\n", name, i)
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		before, after, want string
		changed             int
	}{
		"the same":    {"a\nb", "a\nb", "", 0},
		"one changed": {"a\nb\nc", "a\nx\nc", " a|-b|+x| c", 2},
		"added":       {"a\nc", "a\nb\nc", " a|+b| c", 1},
		"removed":     {"a\nb\nc", "a\nc", " a|-b| c", 1},
		"moved":       {"a\nb\nc\nd", "c\na\nb\nd", "+c| a| b|-c| d", 2},
		"far apart":   {"x\n1\n2\n3\n4\n5\n6\ny", "u\n1\n2\n3\n4\n5\n6\nv", "-x|+u| 1| 2|…| 5| 6|-y|+v", 4},
		"from none":   {"", "a", "-|+a", 2},
	} {
		lines, changed := difference(c.before, c.after)
		var got []string
		for _, l := range lines {
			got = append(got, l.Kind+l.Text)
		}
		if strings.Join(got, "|") != c.want || changed != c.changed {
			t.Errorf("%s: %d, %s", name, changed, strings.Join(got, "|"))
		}
	}
	lines, changed := difference(many(3000, "a"), many(3000, "b"))
	if changed != 6000 || len(lines) > maxDiffLines+1 || lines[len(lines)-1].Kind != "…" {
		t.Errorf("much: %d, %d lines", changed, len(lines))
	}
	if long, _ := difference("a", strings.Repeat("ä", 1000)); len(long[1].Text) > maxDiffText+3 {
		t.Errorf("a long line has %d bytes", len(long[1].Text))
	}
}
