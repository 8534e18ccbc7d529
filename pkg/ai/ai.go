// Package ai asks the operator's own AI provider: for pictures that stand behind the texts of cards, and for texts in a
// form that a schema gives.
//
// The provider is what MASTHEAD_AI_BASE_URL names, never an address of a stranger, so this package connects by itself
// and not through pkg/fetch; a picture that the provider gives by its address is a stranger's again, and comes through
// pkg/fetch. Sizes, times and redirects are bounded. Neither the key nor a prompt is ever logged or part of an error.
//
// To add a provider of another wire format, write its file beside openai.go and choose it in [Open].
package ai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/semaphore"

	"masthead/pkg/fetch"
)

// Model is a quality of pictures, whatever the provider calls it.
type Model string

// The models.
const (
	Standard Model = "standard"
	Pro      Model = "pro"
)

// Bounds of the requests under way: how many run at once, and how many wait. Source: security requirements, "Staying
// up".
const (
	maxRunning = 8
	maxWaiting = 256
)

// MaxPictureBytes is the greatest length of a picture's file: twice that of a PNG of a usual size, 1536 by 1024, that
// does not compress.
const MaxPictureBytes = 9 << 20

// Why there is no picture or text, matched by errors.Is.
var (
	// ErrOff: no model is configured for it.
	ErrOff = errors.New("no such AI model is configured")
	// ErrPolicy: the provider refuses the prompt, and always will.
	ErrPolicy = errors.New("the AI provider refuses the prompt")
	// ErrProvider: the provider cannot be reached, answers with an error, or with what was not asked for.
	ErrProvider = errors.New("the AI provider failed")
	// ErrTimeout: the picture or text did not come in time.
	ErrTimeout = errors.New("the AI provider took too long")
	// ErrBusy: the others who wait for pictures took all the time there was to wait. The provider was not asked.
	ErrBusy = errors.New("too many AI pictures are waiting")
)

// Client asks a provider. It is safe for concurrent use. The nil Client is one that is off.
type Client struct {
	models map[Model]string
	try    time.Duration // the most that one takes
	draw   func(ctx context.Context, prompt, model string) ([]byte, error)
	close  func()

	textModel string
	write     func(ctx context.Context, q Question, model string) (json.RawMessage, error)
	writing   *semaphore.Weighted

	spending *spending // nil for no ceiling

	metrics *metrics
	running *semaphore.Weighted
	places  *semaphore.Weighted
}

// Open returns a client for the provider of cfg; nil when there is none. Pictures that the provider gives by their
// address are fetched with fetcher. The client must be closed.
func Open(cfg Config, fetcher *fetch.Client) *Client {
	if cfg.BaseURL == "" {
		return nil
	}
	provider := newOpenAI(cfg, fetcher)
	c := &Client{
		models: map[Model]string{}, try: cfg.pictureTime(), draw: provider.picture, close: provider.http.CloseIdleConnections,
		textModel: cfg.TextModel, write: provider.answer, writing: semaphore.NewWeighted(maxWriting),
		metrics: newMetrics(),
		running: semaphore.NewWeighted(maxRunning), places: semaphore.NewWeighted(maxRunning + maxWaiting),
	}
	for model, name := range map[Model]string{Standard: cfg.ImageModelStandard, Pro: cfg.ImageModelPro} {
		if name != "" {
			c.models[model] = name
		}
	}
	return c
}

// Close closes the connections to the provider.
func (c *Client) Close() {
	if c != nil {
		c.close()
	}
}

// Draws says whether pictures of the model can be had at all.
func (c *Client) Draws(model Model) bool { return c != nil && c.models[model] != "" }

// Patience is how long a picture may take: Wait until it is its turn, and Try from then on, or what is configured if
// that is less.
type Patience struct{ Wait, Try time.Duration }

// Picture returns the file of a picture that shows prompt, at most [MaxPictureBytes] long; what it holds is for the
// caller to find out. The provider is asked once. Errors match one of those above, or are that of ctx.
func (c *Client) Picture(ctx context.Context, prompt string, model Model, patience Patience) (file []byte, err error) {
	if !c.Draws(model) {
		return nil, ErrOff
	}
	began := time.Now()
	defer func() { c.metrics.asked(model, began, err) }()
	if err := c.takeTurn(ctx, patience.Wait); err != nil {
		return nil, err
	}
	began = time.Now()
	defer c.places.Release(1)
	defer c.running.Release(1)
	bound := min(patience.Try, c.try)
	try, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	if err = c.spending.picture(try, model); err == nil {
		file, err = c.draw(try, prompt, c.models[model])
	}
	switch {
	case err == nil:
		return file, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(try.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("%w: more than %v", ErrTimeout, bound)
	}
	return nil, err
}

// takeTurn waits for one of the places among those that run. A full queue fails at once.
func (c *Client) takeTurn(ctx context.Context, wait time.Duration) error {
	if !c.places.TryAcquire(1) {
		return fmt.Errorf("%w: %d", ErrBusy, maxWaiting)
	}
	if c.running.TryAcquire(1) {
		return nil
	}
	defer c.metrics.wait()()
	waited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if err := c.running.Acquire(waited, 1); err != nil {
		c.places.Release(1)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%w: none ended within %v", ErrBusy, wait)
	}
	return nil
}
