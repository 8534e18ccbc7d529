// Package ai calls the operator's AI provider, for background pictures of cards and for texts that follow a JSON
// schema.
//
// The provider's address is the setting MASTHEAD_AI_BASE_URL, never an address from a user, so this package connects
// directly instead of through pkg/fetch. A picture that the provider returns as an address is untrusted again and
// fetched through pkg/fetch. Sizes, times and redirects are bounded. Neither the key nor prompts are ever logged or
// included in errors.
//
// To add a provider with another wire format, write its file next to openai.go and select it in [Open].
package ai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/fair"
	"masthead/pkg/fetch"
	"masthead/pkg/tracing"
)

// Model is a quality of pictures, independent of the provider's model names.
type Model string

// Models for pictures.
const (
	Standard Model = "standard"
	Pro      Model = "pro"
)

// Limits of concurrent and of queued requests.
const (
	maxRunning = 8
	maxWaiting = 256
)

// MaxPictureBytes is the maximum size of a picture file: twice that of an incompressible PNG of the usual 1536 by
// 1024 pixels.
const MaxPictureBytes = 9 << 20

// Reasons for a missing picture or text, for errors.Is.
var (
	// ErrOff: no model is configured for this.
	ErrOff = errors.New("no such AI model is configured")
	// ErrPolicy: the provider rejects the prompt. Retrying doesn't help.
	ErrPolicy = errors.New("the AI provider refuses the prompt")
	// ErrProvider: the provider can't be reached, or it returned an error or an unexpected response.
	ErrProvider = errors.New("the AI provider failed")
	// ErrTimeout: the picture or text didn't arrive in time.
	ErrTimeout = errors.New("the AI provider took too long")
	// ErrBusy: the waiting time passed before a slot became free. No request was sent.
	ErrBusy = errors.New("too many AI requests are waiting")
)

// Client calls a provider. It is safe for concurrent use. A nil *Client means that AI is off.
type Client struct {
	models map[Model]string
	try    time.Duration // maximum time of one request
	draw   func(ctx context.Context, prompt, model string) ([]byte, error)
	close  func()

	textModel string
	write     func(ctx context.Context, q Question, model string) (json.RawMessage, error)
	writing   *fair.Pool

	spending *spending // nil if there is no ceiling

	metrics *metrics
	turns   *fair.Pool // for requests for pictures
}

// Open returns a client for the provider of cfg, or nil if none is configured. Pictures that the provider returns as
// addresses are fetched with fetcher. Spending is limited to the ceiling of cfg over all nodes that share the database
// d, and unlimited if d is nil. The caller must close the client.
func Open(cfg Config, fetcher *fetch.Client, d *db.DB) *Client {
	if cfg.BaseURL == "" {
		return nil
	}
	provider := newOpenAI(cfg, fetcher)
	c := &Client{
		models: map[Model]string{}, try: cfg.pictureTime(), draw: provider.picture, close: provider.http.CloseIdleConnections,
		textModel: cfg.TextModel, write: provider.answer, writing: newWriting(),
		spending: newSpending(cfg, d), metrics: newMetrics(), turns: newTurns(),
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

// Draws reports whether pictures of the model are available.
func (c *Client) Draws(model Model) bool { return c != nil && c.models[model] != "" }

// Patience is how long a picture may take: Wait for a free slot, and Try from then on. The configured timeout applies
// instead of Try if it is shorter. Owner is the account whose turn it takes.
type Patience struct {
	Wait, Try time.Duration
	Owner     string
}

// Picture generates a picture for prompt and returns its file, at most [MaxPictureBytes] long. The caller must
// validate its content. It sends one request. Errors match one of those above, or are the error of ctx.
func (c *Client) Picture(ctx context.Context, prompt string, model Model, patience Patience) (file []byte, err error) {
	if !c.Draws(model) {
		return nil, ErrOff
	}
	began := time.Now()
	ctx, span := tracing.Start(ctx, "AI picture")
	span.Text("gen_ai.request.model", c.models[model])
	defer func() { c.metrics.asked(model, began, err); span.End(err) }()
	leave, err := c.takeTurn(ctx, patience)
	if err != nil {
		return nil, err
	}
	defer leave()
	began = time.Now()
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

// newTurns returns the slots for pictures, for which owners take turns. An owner fills half of the queue at most.
func newTurns() *fair.Pool {
	return fair.NewPool(fair.Limits{
		Slots: maxRunning, OwnerSlots: maxRunning, Queue: maxWaiting, OwnerQueue: maxWaiting / 2, Wait: time.Hour,
	})
}

// newWriting returns the slots for texts. Jobs request them in turns already, so here they have one owner.
func newWriting() *fair.Pool {
	return fair.NewPool(fair.Limits{
		Slots: maxWriting, OwnerSlots: maxWriting, Queue: maxWaiting, OwnerQueue: maxWaiting,
	})
}

// takeTurn waits for a free slot. It fails immediately if the queue is full.
func (c *Client) takeTurn(ctx context.Context, patience Patience) (leave func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, patience.Wait)
	defer cancel()
	switch leave, err = c.turns.Enter(waiting, patience.Owner); {
	case err == nil:
		return leave, nil
	case errors.Is(err, fair.ErrFull):
		return nil, fmt.Errorf("%w: too many wait", ErrBusy)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, fmt.Errorf("%w: none ended within %v", ErrBusy, patience.Wait)
}
