package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"time"

	"masthead/cmd/masthead/usage"
)

// healthcheckTime is less than the timeout of deploy/Dockerfile.
const healthcheckTime = 4 * time.Second

// maxHealthBytes bounds what is read of a response.
const maxHealthBytes = 4 << 10

// healthcheckCommand asks the service on this machine whether it is ready: for containers, whose image has no other
// program that could.
type healthcheckCommand struct {
	Addr string `env:"MASTHEAD_ADDR" default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Address that the service listens on."`
}

// Run asks /readyz. The exit status is 1 unless the service is ready.
func (c *healthcheckCommand) Run(ctx context.Context) error {
	host, port, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return usage.Errorf("MASTHEAD_ADDR must be HOST:PORT, such as 127.0.0.1:8080, not %q", c.Addr)
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "127.0.0.1" // it listens on every interface
	}
	ctx, cancel := context.WithTimeout(ctx, healthcheckTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/readyz", nil)
	if err != nil {
		return usage.Wrap(err)
	}
	response, err := new(http.Client).Do(r)
	if err != nil {
		return fmt.Errorf("the service doesn't respond: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxHealthBytes))
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return fmt.Errorf("read the response of the service: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the service isn't ready: %s %s", response.Status, text)
	}
	return nil
}
