package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"masthead/cmd/masthead/usage"
	"masthead/pkg/ai/fakeai"
	"masthead/pkg/app/demo"
)

// fakeAICommand serves the demo's AI provider, with an OpenAI-compatible API.
type fakeAICommand struct {
	Addr  string        `default:"127.0.0.1:8090" placeholder:"HOST:PORT" help:"Address to listen on; loopback only."`
	Delay time.Duration `default:"0s" help:"Time that each picture or text takes, such as 3s."`
	Fault string        `default:"none" help:"Fault of each picture and text: slow, 429, 500, 401, policy, garbage, empty, garbled, cut, huge, redirect; for texts also schema and refusal."`
}

// Run serves until ctx ends.
func (c *fakeAICommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *fakeAICommand) run(ctx context.Context, out io.Writer) (err error) {
	fault, err := fakeai.ParseFault(c.Fault)
	if err != nil {
		return usage.Wrap(fmt.Errorf("--fault: %w", err))
	}
	host, _, err := net.SplitHostPort(c.Addr)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return usage.Errorf("--addr must be a loopback address such as 127.0.0.1:8090: " +
			"anyone who can reach the provider can use it")
	}
	provider, err := fakeai.Open(ctx, c.Addr, fakeai.Config{Delay: c.Delay, Fault: fault, Picture: demo.Picture})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, provider.Close()) }()
	_, err = fmt.Fprintf(out, `A fake AI provider. Start the service with it:

  MASTHEAD_AI_BASE_URL=%s MASTHEAD_AI_IMAGE_MODEL_STANDARD=%s \
  MASTHEAD_AI_IMAGE_MODEL_PRO=%s MASTHEAD_AI_TEXT_MODEL=%s masthead serve

Let its answers fail while it runs (name=none fixes it):

  curl -X POST '%s?name=500&count=3'

`, provider.BaseURL, fakeai.ModelStandard, fakeai.ModelPro, fakeai.ModelText,
		provider.FaultURL)
	if err != nil {
		return fmt.Errorf("print the addresses: %w", err)
	}
	<-ctx.Done()
	return nil
}
