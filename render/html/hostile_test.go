package html_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"masthead/render/html"
)

// TestDraw_hostile draws documents that could take forever, or much memory: each ends soon after its time, and takes at
// most 64 MB.
func TestDraw_hostile(t *testing.T) {
	const (
		limit = 300 * time.Millisecond
		room  = 5 * time.Second // some took a minute; machines of tests are busy
		most  = 64 << 20
	)
	defer debug.SetGCPercent(debug.SetGCPercent(10)) // what is reachable is counted often
	for name, source := range hostile() {
		doc, err := html.Parse(source)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var took time.Duration
		taken := uint64(math.MaxUint64)
		for range 4 { // what is allocated while memory is counted adds to it, more on a busy machine: the least counts
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			start := time.Now()
			taken = min(taken, peak(func() { _, _, err = doc.Draw(ctx, html.Options{Width: 2048, Height: 2048}) }))
			cancel()
			took = max(took, time.Since(start))
			t.Logf("%s: %v, %d MB, %v", name, took, taken>>20, err)
			if taken <= most {
				break
			}
		}
		if took > room || taken > most || err != nil && !ended(err) {
			t.Errorf("%s took %v and %d MB: %v", name, took, taken>>20, err)
		}
	}
}

// peak returns how many bytes of memory were in use at most while draw ran, beside those in use before.
func peak(draw func()) (bytes uint64) {
	runtime.GC()
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	before := live[0].Value.Uint64()
	ended, counted := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(counted)
		for tick := time.NewTicker(time.Millisecond); ; {
			metrics.Read(live)
			bytes = max(bytes, live[0].Value.Uint64())
			select {
			case <-ended:
				tick.Stop()
				return
			case <-tick.C:
			}
		}
	}()
	draw()
	close(ended)
	<-counted
	return bytes - min(bytes, before)
}

// ended reports whether drawing ended by a limit.
func ended(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "too complex")
}

// hostile returns documents by what they have too much of.
func hostile() map[string]string {
	repeat := strings.Repeat
	deep := func(style string) string { return repeat("<div style='"+style+"'>", 58) + "x" }
	// boxes are n elements over the whole card.
	boxes := func(style string, n int) string {
		return "<style>i{position:absolute;inset:0;" + style + "}</style>" + repeat("<i></i>", n)
	}
	styled := func(style string, n int) string { return "<style>" + style + "</style>" + repeat("<b></b>", n) }
	line := func(style string) string {
		return "<p style='white-space:nowrap;line-height:1;" + style + "'>" + repeat("@8&%Q", 3900)
	}
	return map[string]string{
		"nested flex":    deep("display:flex;flex-wrap:wrap"),
		"nested grid":    deep("display:grid;grid-template-columns:min-content auto"),
		"nested opacity": deep("opacity:.9;filter:blur(99px)"),
		"nested masks":   deep("mask:linear-gradient(red,blue);mix-blend-mode:multiply"),
		"nested turns": repeat("<div style='writing-mode:vertical-rl;display:flex'>"+
			"<div style='writing-mode:horizontal-tb;display:inline-grid'>", 29) + "x",
		"huge":       "<div style='width:1e9px;height:1e9px;background:repeating-linear-gradient(red 0 1e-9px,blue 0 1px)'>",
		"tiny tiles": "<div style='width:999px;height:999px;background:linear-gradient(red,blue) 0 0/.001px .001px'>",
		"huge blur":  "<div style='width:999px;height:999px;box-shadow:0 0 1e6px 1e6px red;filter:blur(1e9px)'>",
		"huge scale": "<div style='transform:scale(1e9) rotate(1deg);border:1px dashed red'>x</div>",
		"dashes":     "<div style='width:1e8px;height:9px;border:.1px dotted red'>",
		"huge text":  "<div style='font-size:1e9px;-webkit-text-stroke:1e6px red;transform:rotate(3deg)'>xyz",
		"shadows":    "<div style='text-shadow:" + repeat("1px 1px 90px red,", 60) + "0 0 red'>" + repeat("x ", 400),

		"radius": "<div style='width:9px;height:9px;border:3px double red;" +
			"border-radius:1e9px/1e-9px;corner-shape:superellipse(9)'>",

		"wide strokes":    line("font-size:900px;-webkit-text-stroke:700px red"),
		"strokes at once": line("font-size:90px;letter-spacing:-60px;-webkit-text-stroke:300px #f001"),
		"large letters":   line("font-size:900px;letter-spacing:-600px"),
		"turned letters":  line("font-size:900px;letter-spacing:-600px;transform:rotate(3deg)"),
		"skipped ink":     line("font-size:9px;text-decoration:underline wavy .1px"),
		"tiles":           boxes("background:linear-gradient(30deg,red,#00f1) 0 0/1px 1px", 4900),
		"spaced tiles":    boxes("background:linear-gradient(30deg,red,#00f1) 0 0/1.3px 1.3px space", 4900),
		"gradients":       boxes("background:"+repeat("conic-gradient(in oklch,#f001,#00f1),", 60)+"red", 900),
		"tiny stops":      boxes("background:repeating-radial-gradient(red 0 .0001px,blue 0 .0002px)", 4900),
		"border images":   boxes("border:30px solid;border-image:conic-gradient(red,blue) 1 round", 4900),
		"round dots":      boxes("width:20000px;height:20000px;border-radius:50%;border:1px dotted red", 4900),

		"sides":       boxes("border-radius:50%;border:1px dashed red;border-left:9px dotted;border-top:300px double", 4900),
		"turned dots": boxes("width:8000px;height:8000px;border:4px dotted red;transform:rotate(3deg) scale(.25)", 4900),
		"masks": boxes("background:red;mask:"+repeat("conic-gradient(#f001,#00f1),", 60)+
			"linear-gradient(red,blue)", 9),
		"filters":   boxes("background:red;filter:"+repeat("blur(99px) drop-shadow(1px 1px 9px red) ", 30), 9),
		"backdrops": boxes("backdrop-filter:"+repeat("blur(99px) ", 60), 9),
		"blends":    boxes("background:red;mix-blend-mode:luminosity", 4900),
		"clips":     boxes("background:red;clip-path:polygon("+repeat("0 0,100% 100%,0 100%,100% 0,", 500)+"0 0)", 900),
		"shadows of box": boxes("border-radius:99px;box-shadow:"+
			repeat("1px 1px 99px red,inset 1px 1px 99px red,", 30)+"0 0 red", 99),
		"dashes of path": "<svg width='2048' height='1024'><path fill='none' stroke='red' stroke-width='300' " +
			"stroke-linecap='round' stroke-dasharray='" + repeat("1 2 ", 20000) + "' d='M0 0" +
			repeat("L9 999L999 0", 2000) + "'/></svg>",

		"stops":      styled("b{background:conic-gradient("+repeat("red,", 40000)+"red)}", 4900),
		"all":        styled("b{"+repeat("all:unset;", 9000)+"}", 4900),
		"long value": styled("b{--a:"+repeat("x ", 4000)+";"+repeat("width:var(--a);", 900)+"}", 4900),
		"properties": styled("b{"+repeat("--a:1;", 9000)+properties(9000)+"}", 4900),
		"counted":    styled("b:nth-last-child(n of :nth-last-child(n of :nth-last-child(n of b))){order:7}", 4900),
		"negations":  styled(repeat(":not(:is(:not(:is("+repeat("i~*,", 45)+"x)))){order:7}", 900), 4900),
		"in others":  styled(repeat("b:has(~ i, i, > i, + i):not(:has(i i)){order:7}", 1900), 4900),
		"classes": "<style>" + repeat(".x{order:7}", 1900) + "</style><p class='" + strings.ReplaceAll(
			strings.ReplaceAll(properties(16000), "--", ""), ":1;", " ") + "'>",
		"words": "<style>" + repeat("[class~=b]{order:7}", 1900) + "</style><p class='" + repeat("a ", 90000) + "'>",
	}
}

// properties returns the declarations of n custom properties.
func properties(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "--p%d:1;", i)
	}
	return b.String()
}
