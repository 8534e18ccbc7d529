package svg

import (
	"strings"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"

	"masthead/pkg/testenv"
)

// TestEngine_bounds are those of every drawing: an instance of neither variant can have more memory than it may, and
// the one for documents that are not small is stopped when a second is over.
func TestEngine_bounds(t *testing.T) {
	e := New(Config{Dir: testenv.CacheDir(), Wait: time.Minute})
	t.Cleanup(func() { _ = e.Close() })
	if err := e.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]variant{"plain": e.plain, "guarded": e.guarded} {
		instance, err := v.runtime.InstantiateModule(t.Context(), v.compiled,
			wazero.NewModuleConfig().WithName("").WithStartFunctions())
		if err != nil {
			t.Fatal(err)
		}
		memory := instance.Memory()
		if _, ok := memory.Grow(64<<20>>16 - memory.Size()>>16); !ok || memory.Size() != 64<<20 {
			t.Errorf("%s: memory did not grow to 64 MiB, but %d", name, memory.Size())
		}
		if _, ok := memory.Grow(1); ok {
			t.Errorf("%s: memory grew to %d", name, memory.Size())
		}
		if err := instance.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if got := e.timeLeft(nil); got != time.Second {
		t.Errorf("a drawing may take %v, want a second", got)
	}
	spent := new(Stopwatch)
	spent.nanoseconds.Add(int64(900 * time.Millisecond))
	if got := e.timeLeft(spent); got != 100*time.Millisecond {
		t.Errorf("after 0.9 s of earlier drawings one may take %v", got)
	}
}

// TestClean_small holds which documents the engine draws that cannot be stopped.
func TestClean_small(t *testing.T) {
	const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">`
	for name, c := range map[string]struct {
		content string
		small   bool
	}{
		"an icon":             {`<path fill="#123456" d="M0 0h24v24z"/>`, true},
		"a gradient":          {`<linearGradient id="a"><stop/></linearGradient><rect fill="url(#a)"/>`, true},
		"32 shapes":           {strings.Repeat("<rect/>", 32), true},
		"33 shapes":           {strings.Repeat("<rect/>", 33), false},
		"4000 segments":       {`<path d="M0 0` + strings.Repeat("h1", 3999) + `"/>`, true},
		"4001 segments":       {`<path d="M0 0` + strings.Repeat("h1", 4000) + `"/>`, false},
		"1001 under a stroke": {`<path stroke="red" d="M0 0` + strings.Repeat("h1", 1000) + `"/>`, false},
		"129 elements":        {strings.Repeat("<stop/>", 128), false},
		"a use":               {`<rect id="a"/><use href="#a"/>`, false},
		"a mask":              {`<mask/>`, false},
		"a pattern":           {`<pattern/>`, false},
		"a clip path":         {`<clipPath/>`, false},
		"a marker":            {`<marker/>`, false},
		"a text":              {`<text/>`, false},
		"a nested svg":        {`<svg/>`, false},
		"dashes":              {`<path stroke-dasharray="1"/>`, false},
		"dashes in a style":   {`<path style="stroke-dasharray:1"/>`, false},
		"dashes in a sheet":   {`<style>a{stroke-dasharray:1}</style>`, false},
		"a huge radius":       {`<path d="M0 0A1000000 1 0 0 1 1 1"/>`, false},
		"an exponent":         {`<path d="M0 0A1e9 1 0 0 1 1 1"/>`, false},
		"a huge negative":     {`<path transform="translate(-1e9)"/>`, false},
		"a long style sheet":  {`<style>` + strings.Repeat("a{}", 2000) + `</style>`, false},
	} {
		d, err := Clean([]byte(head + c.content + "</svg>"))
		if err != nil || d.small(64, 64) != c.small {
			t.Errorf("%s: got small %v, %v; want %v", name, d.small(64, 64), err, c.small)
		}
	}
	d, err := Clean([]byte(head + strings.Repeat("<rect/>", 32) + "</svg>"))
	if err != nil || d.small(2048, 2048) {
		t.Errorf("a large drawing: got small, %v", err)
	}
}

func TestSegments(t *testing.T) {
	for data, want := range map[string]int{
		"": 0, "M0 0": 1, "M0,0h1v1z": 4, "m0 0 1 1 2 2": 3, "M0-1.5.5-1L1 1": 3, "M1e-3 1": 1, "c1 2 3 4 5 6 1 2 3 4 5 6": 2,
		"M0 0A1 1 0 0 1 2 2": 3, "a1 1 0 012 2": 1, "!": 0, "M": 1, "zzz": 3,
	} {
		if got := segments(data); got != want {
			t.Errorf("%q: got %d, want %d", data, got, want)
		}
	}
}
