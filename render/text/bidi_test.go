package text_test

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"testing"

	"masthead/render/text"
)

// TestBidi_linesOfUnicodesTestHaveItsLevels resolves the selected lines of Unicode's conformance test: code points;
// direction (0, 1, 2 for auto); level of the paragraph; levels, x where rule X9 removes the character; order.
func TestBidi_linesOfUnicodesTestHaveItsLevels(t *testing.T) {
	f, err := os.Open("testdata/BidiCharacterTest.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // read only
	dirs := map[string]text.Dir{"0": text.LeftToRight, "1": text.RightToLeft, "2": text.Auto}
	lines := 0
	for scan := bufio.NewScanner(f); scan.Scan(); {
		if strings.HasPrefix(scan.Text(), "#") {
			continue
		}
		lines++
		fields := strings.Split(scan.Text(), ";")
		var runes []rune
		for _, hex := range strings.Fields(fields[0]) {
			v, err := strconv.ParseInt(hex, 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			runes = append(runes, rune(v))
		}
		levels, base := text.Levels(runes, dirs[fields[1]])
		if got := strconv.Itoa(int(base)); got != fields[2] {
			t.Errorf("%s: level of the paragraph %s, want %s", fields[0], got, fields[2])
		}
		for i, want := range strings.Fields(fields[3]) {
			if got := strconv.Itoa(int(levels[i])); want != "x" && got != want {
				t.Errorf("%s direction %s: levels %v, want %s", fields[0], fields[1], levels, fields[3])
				break
			}
		}
	}
	if lines < 250 {
		t.Errorf("read %d lines, want the whole selection", lines)
	}
}
