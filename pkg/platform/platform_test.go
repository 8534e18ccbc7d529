package platform_test

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"masthead/pkg/platform"
)

var update = flag.Bool("update", false, "write docs/platforms.md, or the packed data")

// TestPacked_isTheData checks that the data was packed after it was edited.
func TestPacked_isTheData(t *testing.T) {
	const name = "platforms.json.br"
	want, err := os.ReadFile("platforms.json")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		var out bytes.Buffer
		w := brotli.NewWriterLevel(&out, brotli.BestCompression)
		_, err = w.Write(want)
		if err = errors.Join(err, w.Close(), os.WriteFile(name, out.Bytes(), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	packed, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(brotli.NewReader(bytes.NewReader(packed)))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not platforms.json (%v): run go test ./pkg/platform -run Packed -update", name, err)
	}
}

func TestDocs_areThoseOfTheData(t *testing.T) {
	const name = "../../docs/platforms.md"
	want := platform.Markdown()
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil || string(got) != want {
		t.Errorf("docs/platforms.md is not what the data makes (%v): run go test ./pkg/platform -run Docs -update", err)
	}
}

// TestData_everyNumberHasItsSource walks the whole data file: ids are known, frames have a size, texts a tag.
func TestData_everyNumberHasItsSource(t *testing.T) {
	known := map[string]bool{}
	for _, s := range platform.Sources() {
		if u, err := url.Parse(s.URL); s.URL != "" && (err != nil || u.Scheme != "https") {
			t.Errorf("source %s: address %q", s.ID, s.URL)
		}
		if s.Published && s.URL == "" {
			t.Errorf("source %s is published nowhere", s.ID)
		}
		known[s.ID] = true
	}
	used := map[string]bool{}
	for _, s := range platform.Sources() {
		if day, err := time.Parse(time.DateOnly, s.Checked); err != nil || day.Before(platform.Checked()) {
			t.Errorf("source %s: looked up %q, all since %v: %v", s.ID, s.Checked, platform.Checked(), err)
		}
	}
	for _, p := range platform.All() {
		sources := []string{
			p.Title.Source, p.Description.Source, p.Site.Source, p.Large.Source, p.Large.LeastSource, p.Small.Source,
			p.Small.LeastSource, p.Cache.Source, p.Tool.Source, p.Crawler.Source, p.Picture.Formats.Source,
		}
		for _, n := range []platform.Number{
			p.ReadBytes, p.Picture.Bytes, p.Picture.SafeBytes, p.Picture.MostSide, p.Picture.MostRatio,
		} {
			if n.Value != 0 || n.Source != "" {
				sources = append(sources, n.Source)
			}
		}
		for _, s := range sources {
			if used[s] = true; !known[s] {
				t.Errorf("%s: a number has the source %q, which is not in the list", p.ID, s)
			}
		}
		for _, f := range []platform.Frame{p.Large, p.Small} {
			if f.Width <= 0 || f.Height <= 0 || f.LeastWidth <= 0 || f.LeastHeight <= 0 ||
				f.Fit != platform.Cover && f.Fit != platform.Contain {
				t.Errorf("%s: frame %+v", p.ID, f)
			}
		}
		if !slices.Contains([]string{"card", "size", "ads"}, p.Large.When) {
			t.Errorf("%s: large by %q", p.ID, p.Large.When)
		}
		if tool := p.Tool; (tool.URL == "") == (tool.Without == "") || (tool.URL == "") != (tool.Name == "") ||
			tool.URL != "" && !strings.HasPrefix(tool.URL, "https://") {
			t.Errorf("%s: tool %+v, want its name and address, or what to do without", p.ID, tool)
		}
		if p.Cache.Refresh == "" || p.Crawler.UserAgent == "" || len(p.Title.Tags) == 0 || len(p.Picture.Tags) == 0 ||
			len(p.Picture.Formats.Names) == 0 || !slices.Contains([]string{"host", "name", "name-only"}, p.Site.Line) {
			t.Errorf("%s is not whole: %+v", p.ID, p)
		}
	}
	previews, agents := 0, 0
	for _, v := range platform.Visitors() {
		used[v.Source] = true
		if agents++; !v.Agent {
			agents, previews = agents-1, previews+1
		}
		if v.ID == "" || v.Name == "" || v.UserAgent == "" || v.Agent && v.Token == "" || !known[v.Source] {
			t.Errorf("crawler %+v is not whole", v)
		}
		if got, ok := platform.UserAgent(v.Name); !ok || got != v.UserAgent {
			t.Errorf("user agent of %s: got %q", v.Name, got)
		}
	}
	if previews != 12 || agents != 5 {
		t.Errorf("got %d crawlers of previews and %d AI agents, want 12 and 5", previews, agents)
	}
	for id := range known {
		if !used[id] {
			t.Errorf("source %s is used by no number", id)
		}
	}
}

func TestUserAgent_byTokenIDOrName(t *testing.T) {
	for name, want := range map[string]string{
		"twitterbot": "Twitterbot/1.0", "Twitterbot": "Twitterbot/1.0", "x": "Twitterbot/1.0", "X": "Twitterbot/1.0",
		"telegram": "TelegramBot (like TwitterBot)", "iMessage": "",
		"nobody": "", "": "",
	} {
		got, ok := platform.UserAgent(name)
		if name == "iMessage" {
			if !ok || got == "" {
				t.Errorf("%q: got %q, %v", name, got, ok)
			}
			continue
		}
		if got != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", name, got, ok, want)
		}
	}
}
