package text

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestZZ(t *testing.T) {
	data, _ := os.ReadFile("/work/tmp/t8.out/zz.txt")
	for _, l := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		lang, s, _ := strings.Cut(l, "|")
		e := NewEngine()
		st := Inter.Title(90)
		st.Lang = lang
		p := &e.para
		e.compose(p, s, st)
		p.judge()
		out, at := "", 0
		for _, b := range p.breaks {
			out += fmt.Sprintf("%s<%.3f>", string(p.runes[at:b.end]), b.penalty)
			at = b.next
		}
		fmt.Println(lang, out)
	}
}
