package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"masthead/pkg/iconset"
	"masthead/pkg/picture"
	"masthead/pkg/picture/svg"
	"masthead/render/icon"
	"masthead/render/palette"
)

// The icon bundle of the benchmark: six PNGs with manifest and archive, from the file of a logo as it came.

// iconWait is how long a drawing waits for the engine: compiling it takes some seconds where nothing is kept.
const iconWait = time.Minute

// iconMaker makes bundles of the files in a folder, which are read once.
type iconMaker struct {
	engine  *svg.Engine
	decoder *picture.Decoder
	files   map[string][]byte
}

// newIconMaker returns a maker for the sources "png" (logo-512.png) and "svg" (logo.svg) of a folder.
func newIconMaker(dir, cache string) (*iconMaker, error) {
	m := &iconMaker{files: map[string][]byte{}}
	for source, name := range map[string]string{"png": "logo-512.png", "svg": "logo.svg"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, fmt.Errorf("read logo: %w", err)
		}
		m.files[source] = data
	}
	m.engine = svg.New(svg.Config{Dir: cache, Lazy: true, Wait: iconWait})
	m.decoder = picture.NewDecoder(picture.Config{SVG: m.engine, Deadline: iconWait, Wait: iconWait})
	return m, nil
}

// iconSource decodes a file of an icon.
func iconSource(ctx context.Context, decoder *picture.Decoder, data []byte) (icon.Source, error) {
	if picture.Sniff(data) == picture.SVG {
		return icon.Source{Draw: drawing(decoder, data)}, nil
	}
	img, _, err := decoder.Decode(ctx, data, picture.Want{})
	return icon.Source{Picture: img}, err
}

// make returns the archive and its files.
func (m *iconMaker) make(ctx context.Context, source string) (archive []byte, files []iconset.File, err error) {
	data, ok := m.files[source]
	if !ok {
		return nil, nil, fmt.Errorf("source %q is not known", source)
	}
	from, err := iconSource(ctx, m.decoder, data)
	if err != nil {
		return nil, nil, err
	}
	set, err := icon.Draw(ctx, icon.Request{
		Sources: []icon.Source{from}, Name: "Example", Lang: "en", Brand: palette.RGB(0xBE123C),
	})
	if err != nil {
		return nil, nil, err
	}
	if len(set.Warnings) > 0 {
		return nil, nil, errors.New(set.Warnings[0])
	}
	for _, a := range set.Assets {
		files = append(files, iconset.File{Name: a.Name, Data: a.PNG})
	}
	site := iconset.Site{
		Name: "Example", Host: "example.org",
		Theme: palette.Hex(set.ThemeColor), Background: palette.Hex(set.BackgroundColor),
	}
	if files, err = iconset.Files(site, files, false); err != nil {
		return nil, nil, err
	}
	archive, err = iconset.Zip(files)
	return archive, files, err
}

func runIcons(args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("bench icons", flag.ContinueOnError)
	file := flags.String("o", "", "write one archive to `FILE`, and exit")
	source := flags.String("source", "png", "make it of the logo in `FORMAT`: png or svg")
	assets := flags.String("assets", ".", "take logo-512.png and logo.svg from `DIR`")
	cache := flags.String("cache", filepath.Join(os.TempDir(), "masthead-bench"), "keep the compiled SVG engine in `DIR`")
	worker := flags.Bool("worker", false, "answer requests from standard input, a JSON object a line")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *worker == (*file != "") || flags.NArg() > 0 {
		return errors.New("icons takes either -o FILE or --worker")
	}
	m, err := newIconMaker(*assets, *cache)
	if err != nil {
		return err
	}
	defer func() { _ = m.engine.Close() }() // the program ends
	if *worker {
		return m.serve(in, out)
	}
	archive, _, err := m.make(context.Background(), *source)
	if err != nil {
		return err
	}
	if err := os.WriteFile(*file, archive, 0o600); err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, "ok")
	return err
}

// serve answers requests until the input ends or says quit: {"op":"bundle","id":1,"source":"png"}.
func (m *iconMaker) serve(in io.Reader, out io.Writer) error {
	if err := m.engine.Ready(context.Background()); err != nil {
		return err
	}
	encoder := json.NewEncoder(out)
	if err := encoder.Encode(map[string]any{"ready": true}); err != nil {
		return err
	}
	for lines := json.NewDecoder(in); ; {
		var q struct {
			Op     string          `json:"op"`
			ID     json.RawMessage `json:"id,omitempty"`
			Source string          `json:"source"`
		}
		if err := lines.Decode(&q); errors.Is(err, io.EOF) || q.Op == "quit" {
			return nil
		} else if err != nil {
			return fmt.Errorf("read request: %w", err)
		}
		response := map[string]any{}
		start := time.Now()
		archive, files, err := m.make(context.Background(), q.Source)
		if err != nil || q.Op != "bundle" {
			response["error"] = fmt.Sprintf("op %q: %v", q.Op, err)
		} else {
			sizes := map[string]int{}
			for _, f := range files {
				sizes[f.Name] = len(f.Data)
			}
			response["ms"], response["bytes"], response["files"] = ms(time.Since(start)), len(archive), sizes
		}
		if q.ID != nil {
			response["id"] = q.ID
		}
		if err := encoder.Encode(response); err != nil {
			return err
		}
	}
}

// ms returns a time in milliseconds.
func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
