package ai

import (
	"context"
	"encoding/json"
	"time"

	"masthead/pkg/db"
)

// OpenFunc returns a client whose provider is a function.
func OpenFunc(draw func(ctx context.Context, prompt, model string) ([]byte, error)) *Client {
	return &Client{
		models: map[Model]string{Standard: "m"}, try: maxPictureTime, draw: draw, close: func() {},
		turns: newTurns(),
	}
}

// OpenTexts returns a client whose provider of texts is a function.
func OpenTexts(write func() json.RawMessage) *Client {
	c := OpenFunc(nil)
	c.textModel, c.writing = "t", newWriting()
	c.write = func(context.Context, Question, string) (json.RawMessage, error) { return write(), nil }
	return c
}

// Bound limits spending as [Open] does.
func (c *Client) Bound(cfg Config, d *db.DB) { c.spending = newSpending(cfg, d) }

// SetMonth sets the clock by which spending is counted.
func (c *Client) SetMonth(at time.Time) { c.spending.now = func() time.Time { return at } }
