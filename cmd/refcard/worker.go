package refcard

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// request is a line of the worker's input: {"op":"render","id":1,"title":"…","format":"png","split":false},
// {"op":"burst","id":2,"seconds":3,"conc":1} or {"op":"quit"}.
type request struct {
	Op      string          `json:"op"`
	ID      json.RawMessage `json:"id"`
	Title   string          `json:"title"`
	Format  string          `json:"format"`
	Split   bool            `json:"split"`
	Seconds float64         `json:"seconds"`
	Conc    int             `json:"conc"`
}

// Bounds of a request.
const (
	maxLine    = 1 << 20
	maxSeconds = 600
	maxConc    = 256
)

// serve answers requests until the input ends or says quit. Without a title, each card has a new number at the end of
// its title, so that no card is drawn twice.
func (r *renderer) serve(in io.Reader, out io.Writer) error {
	w := &worker{cards: r, out: json.NewEncoder(out)}
	if err := w.out.Encode(map[string]any{"ready": true, "formats": []string{"png", "jpeg"}}); err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var q request
		response := map[string]any{}
		err := json.Unmarshal(lines.Bytes(), &q)
		switch {
		case err != nil:
		case q.Op == "quit":
			return nil
		case q.Op == "render":
			err = w.render(q, response)
		case q.Op == "burst":
			err = w.burst(q, response)
		default:
			err = fmt.Errorf("op %q is not known", q.Op)
		}
		if err != nil {
			response = map[string]any{"error": err.Error()}
		}
		if q.ID != nil {
			response["id"] = q.ID
		}
		if err := w.out.Encode(response); err != nil {
			return err
		}
	}
	return lines.Err()
}

// worker answers requests.
type worker struct {
	cards  *renderer
	out    *json.Encoder
	serial atomic.Int64
}

// newTitle returns a title that was not drawn before.
func (w *worker) newTitle() string { return fmt.Sprintf("%s %04d", defaultTitle, w.serial.Add(1)) }

// render draws one card.
func (w *worker) render(q request, response map[string]any) error {
	title := q.Title
	if title == "" {
		title = w.newTitle()
	}
	start := time.Now()
	pic, stages, err := w.cards.render(title, q.Format)
	if err != nil {
		return err
	}
	response["ms"], response["bytes"] = ms(time.Since(start)), len(pic.Bytes)
	parts := map[string]float64{}
	if q.Split {
		parts = map[string]float64{"layout": ms(stages.layout), "raster": ms(stages.paint), "encode": ms(stages.encode)}
	}
	response["split"] = parts
	return nil
}

// burst draws cards for a time, several at once, and counts them.
func (w *worker) burst(q request, response map[string]any) error {
	if q.Seconds <= 0 || q.Seconds > maxSeconds || q.Conc < 0 || q.Conc > maxConc {
		return errors.New("a burst takes up to 600 seconds and 256 at once")
	}
	start := time.Now()
	end := start.Add(time.Duration(q.Seconds * float64(time.Second)))
	var n atomic.Int64
	errs := make([]error, max(q.Conc, 1))
	var group sync.WaitGroup
	for i := range errs {
		group.Go(func() {
			for errs[i] == nil && time.Now().Before(end) {
				_, _, errs[i] = w.cards.render(w.newTitle(), "png")
				n.Add(1)
			}
		})
	}
	group.Wait()
	response["n"], response["ms"] = n.Load(), ms(time.Since(start))
	return errors.Join(errs...)
}

// ms returns a time in milliseconds.
func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
