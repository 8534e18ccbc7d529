package ai

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// OpenFunc returns a client whose provider is a function.
func OpenFunc(draw func(ctx context.Context, prompt, model string) ([]byte, error)) *Client {
	return &Client{
		models: map[Model]string{Standard: "m"}, try: maxPictureTime, draw: draw, close: func() {},
		running: semaphore.NewWeighted(maxRunning), places: semaphore.NewWeighted(maxRunning + maxWaiting),
	}
}
