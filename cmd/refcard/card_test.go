package refcard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"masthead/render/encode"
	"masthead/render/text"
)

// most is the most bytes that a reference card may have.
const most = 65_000

// TestCard_coldStartIsASmallPNG draws the card as a cold start does.
func TestCard_coldStartIsASmallPNG(t *testing.T) {
	file := filepath.Join(t.TempDir(), "card.png")
	if err := Run([]string{"-o", file}, nil, nil); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > most {
		t.Errorf("the card has %d bytes, want %d at most", len(data), most)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if got := img.Bounds().Size(); got.X != cardW || got.Y != cardH {
		t.Errorf("the size is %v, want %dx%d", got, cardW, cardH)
	}
}

// TestCard_documentIsAlike draws the card from its document too: the same size, and nearly the same bytes.
func TestCard_documentIsAlike(t *testing.T) {
	file := filepath.Join(t.TempDir(), "card.png")
	if err := Run([]string{"-o", file, "--document"}, nil, nil); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if got := img.Bounds().Size(); got.X != cardW || got.Y != cardH || len(data) > most {
		t.Errorf("the document's card is %v with %d bytes, want %dx%d with at most %d", got, len(data), cardW, cardH, most)
	}
	cards, err := newRenderer("")
	if err != nil {
		t.Fatal(err)
	}
	canvas := cards.paint(text.NewEngine(), layout(text.NewEngine(), defaultTitle))
	defer canvas.Release()
	far := 0
	for y := range cardH {
		for x := range cardW {
			r, g, b, _ := img.At(x, y).RGBA()
			want := canvas.At(x, y)
			if max(apart(r, want.R), apart(g, want.G), apart(b, want.B)) > 96 {
				far++
			}
		}
	}
	if share := float64(far) / (cardW * cardH); share > .015 {
		t.Errorf("%.2f %% of the pixels differ much from the card that is laid out by hand, want 1.5 %% at most", 100*share)
	}
}

// apart returns the difference of a channel of 16 bits and one of 8.
func apart(a uint32, b uint8) int { return max(int(a>>8)-int(b), int(b)-int(a>>8)) }

// TestLayout_linesAreABrowsers checks the lines that a browser breaks the texts into.
func TestLayout_linesAreABrowsers(t *testing.T) {
	got := layout(text.NewEngine(), defaultTitle+" 0001")
	for _, c := range []struct {
		name  string
		block *text.Block
		want  []string
	}{
		{"title", got.title, []string{
			"Measuring how quickly a social", "card can be laid out, drawn and", "encoded 0001",
		}},
		{"description", got.text, []string{
			"One card, six renderers, the same two cores: a diagonal gradient, a rounded",
			"logo, wrapped text in two weights and a thin accent rule.",
		}},
		{"domain", got.domain, []string{domain}},
	} {
		var lines []string
		for _, l := range c.block.Lines {
			lines = append(lines, l.Text)
		}
		if strings.Join(lines, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("lines of the %s are %q, want %q", c.name, lines, c.want)
		}
	}
}

// TestWorker_everyRequest_isAnsweredInOrder speaks the protocol with the worker.
func TestWorker_everyRequest_isAnsweredInOrder(t *testing.T) {
	in := strings.Join([]string{
		`{"op":"render","id":1}`,
		`{"op":"render","id":2,"split":true,"format":"jpeg"}`,
		`{"op":"render","id":3,"title":"Another title"}`,
		`{"op":"burst","id":4,"seconds":0.05,"conc":3}`,
		`{"op":"burst","id":5,"seconds":-1}`,
		`{"op":"dance","id":6}`,
		`no JSON`,
		`{"op":"quit"}`,
		`{"op":"render","id":7}`,
	}, "\n")
	var out bytes.Buffer
	if err := Run([]string{"--worker"}, strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 8 {
		t.Fatalf("there are %d lines, want 8:\n%s", len(lines), out.String())
	}
	type response struct {
		Ready bool               `json:"ready"`
		ID    int                `json:"id"`
		MS    float64            `json:"ms"`
		Bytes int                `json:"bytes"`
		N     int                `json:"n"`
		Split map[string]float64 `json:"split"`
		Error string             `json:"error"`
	}
	responses := make([]response, len(lines))
	for i, l := range lines {
		if err := json.Unmarshal([]byte(l), &responses[i]); err != nil {
			t.Fatalf("line %d: %v: %s", i, err, l)
		}
	}
	if !responses[0].Ready {
		t.Errorf("first line is %s, want ready", lines[0])
	}
	for _, a := range responses[1:4] {
		if a.Bytes < 10_000 || a.MS <= 0 || a.Error != "" {
			t.Errorf("render answered %+v", a)
		}
	}
	if len(responses[2].Split) != 3 {
		t.Errorf("split is %v, want three stages", responses[2].Split)
	}
	if responses[4].ID != 4 || responses[4].N < 1 {
		t.Errorf("burst answered %+v", responses[4])
	}
	for _, a := range responses[5:] {
		if a.Error == "" {
			t.Errorf("%+v is no error, want one", a)
		}
	}
}

// TestWorker_everyCardIsNew checks that a worker never draws the same title twice.
func TestWorker_everyCardIsNew(t *testing.T) {
	r, err := newRenderer("")
	if err != nil {
		t.Fatal(err)
	}
	w := &worker{cards: r}
	a, _, err := r.render(w.newTitle(), "png")
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := r.render(w.newTitle(), "png")
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(a.Bytes, b.Bytes) {
		t.Error("two cards are equal")
	}
}

func BenchmarkCard(b *testing.B) {
	r, err := newRenderer("")
	if err != nil {
		b.Fatal(err)
	}
	engine := text.NewEngine()
	titles := make([]string, 100)
	pages := make([]cardLayout, len(titles))
	for i := range titles {
		titles[i] = fmt.Sprintf("%s %04d", defaultTitle, i)
		pages[i] = layout(engine, titles[i])
		r.paint(engine, pages[i]).Release()
	}
	b.Run("layout", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			layout(engine, titles[i%len(titles)])
		}
	})
	b.Run("paint", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			r.paint(engine, pages[i%len(titles)]).Release()
		}
	})
	b.Run("encode", func(b *testing.B) {
		b.ReportAllocs()
		c := r.paint(engine, pages[0])
		defer c.Release()
		for b.Loop() {
			if _, err := encode.Encode(c.Image(), encode.Lossless); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("all", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if _, _, err := r.render(titles[i%len(titles)], "png"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("parallel", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				if _, _, err := r.render(titles[i%len(titles)], "png"); err != nil {
					b.Error(err)
				}
			}
		})
	})
}
