package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"masthead/cmd/masthead/usage"
	api "masthead/gen/client"
	"masthead/pkg/client"
	"masthead/pkg/webhooks"
)

// webhookCommands are the commands about webhooks.
type webhookCommands struct {
	Listen webhookListenCommand `cmd:"" help:"Print the events that a service sends to your webhooks, and forward them to this machine."`
}

// webhookListenCommand follows the deliveries of an account.
type webhookListenCommand struct {
	Service  string `required:"" env:"MASTHEAD_SERVICE" placeholder:"URL" help:"The service, such as https://masthead.example."`
	Email    string `required:"" env:"MASTHEAD_EMAIL" help:"Address of your account."`
	Password string `required:"" env:"MASTHEAD_PASSWORD" help:"Its password; better as a variable than as a flag."`
	Webhook  string `placeholder:"ID" help:"The webhook, or else all of them."`
	Forward  string `placeholder:"URL" help:"Send each event on to this address, such as http://localhost:3000/hooks."`
	Secret   string `env:"MASTHEAD_WEBHOOK_SECRET" help:"Secret of the webhook, to sign what is forwarded."`

	every time.Duration // for tests; 0 is listenEvery
}

const (
	// listenEvery is how often new deliveries are asked for.
	listenEvery = 2 * time.Second
	// listenTime bounds each request, to the service and to this machine.
	listenTime = 15 * time.Second
	// listenPage is how many deliveries are asked for, and listenPages how many pages at a time at most.
	listenPage, listenPages = 100, 10
)

// Run listens until it is interrupted.
func (c *webhookListenCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *webhookListenCommand) run(ctx context.Context, out io.Writer) error {
	l := &listener{webhookListenCommand: c, out: out, http: &http.Client{Timeout: listenTime}, last: map[string]string{}}
	if err := l.signIn(ctx); err != nil {
		return err
	}
	if err := l.begin(ctx); err != nil {
		return err
	}
	every := listenEvery
	if c.every > 0 {
		every = c.every
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(every):
		}
		err := l.look(ctx)
		var problem *client.Problem
		switch {
		case err == nil || ctx.Err() != nil:
		case errors.As(err, &problem) && problem.Status == http.StatusUnauthorized: // the token has expired
			if err := l.signIn(ctx); err != nil {
				return err
			}
		case errors.As(err, &problem) && problem.Status < http.StatusInternalServerError &&
			problem.Status != http.StatusTooManyRequests:
			return err
		default:
			if _, err := fmt.Fprintf(out, "%s  trying again: %v\n", time.Now().Format(time.TimeOnly), err); err != nil {
				return fmt.Errorf("print: %w", err)
			}
		}
	}
}

// listener follows deliveries.
type listener struct {
	*webhookListenCommand
	out  io.Writer
	http *http.Client
	api  *client.Client
	last map[string]string // the newest delivery that was printed, by webhook
}

// signIn gets an access token.
func (l *listener) signIn(ctx context.Context) error {
	anonymous, err := client.New(l.Service, "", api.WithHTTPClient(l.http))
	if err != nil {
		return usage.Wrap(err)
	}
	r, err := anonymous.LoginWithResponse(ctx, api.LoginRequest{Email: l.Email, Password: l.Password})
	if err != nil {
		return fmt.Errorf("sign in to %s: %w", l.Service, err)
	}
	l.api, err = client.New(l.Service, r.JSON200.AccessToken, api.WithHTTPClient(l.http))
	return err
}

// begin finds the webhooks and what was sent to them already, which isn't printed.
func (l *listener) begin(ctx context.Context) error {
	limit := listenPage
	r, err := l.api.ListWebhooksWithResponse(ctx, &api.ListWebhooksParams{Limit: &limit})
	if err != nil {
		return fmt.Errorf("list your webhooks: %w", err)
	}
	for _, w := range r.JSON200.Items {
		id := w.Id.String()
		if l.Webhook != "" && id != strings.ToLower(l.Webhook) {
			continue
		}
		one := 1
		sent, err := l.api.ListWebhookDeliveriesWithResponse(ctx, w.Id, &api.ListWebhookDeliveriesParams{Limit: &one})
		if err != nil {
			return fmt.Errorf("list the deliveries: %w", err)
		}
		l.last[id] = ""
		if items := sent.JSON200.Items; len(items) > 0 {
			l.last[id] = items[0].Id.String()
		}
		if _, err := fmt.Fprintf(l.out, "Listening to %s (%s)\n", w.Url, id); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	if len(l.last) == 0 {
		return errors.New("your account has no such webhook: POST /webhooks creates one (docs/webhooks.md)")
	}
	return nil
}

// look prints and forwards what is new, oldest first.
func (l *listener) look(ctx context.Context) error {
	for id, last := range l.last {
		fresh, err := l.fresh(ctx, uuid.MustParse(id), last)
		if err != nil {
			return err
		}
		for _, d := range slices.Backward(fresh) {
			if err := l.tell(ctx, d); err != nil {
				return err
			}
			l.last[id] = d.Id.String()
		}
	}
	return nil
}

// fresh returns the deliveries to a webhook since last, newest first.
func (l *listener) fresh(ctx context.Context, id uuid.UUID, last string) (fresh []api.WebhookDelivery, err error) {
	limit := listenPage
	params := &api.ListWebhookDeliveriesParams{Limit: &limit}
	for range listenPages {
		r, err := l.api.ListWebhookDeliveriesWithResponse(ctx, id, params)
		if err != nil {
			return nil, err
		}
		for _, d := range r.JSON200.Items {
			if d.Id.String() <= last { // ids grow with time
				return fresh, nil
			}
			fresh = append(fresh, d)
		}
		if params.Cursor = r.JSON200.NextCursor; params.Cursor == nil {
			return fresh, nil
		}
	}
	return fresh, nil
}

// tell prints a delivery and forwards it.
func (l *listener) tell(ctx context.Context, d api.WebhookDelivery) error {
	line := fmt.Sprintf("%s  %-22s %s", d.EventAt.Local().Format(time.TimeOnly), d.Type, d.Body)
	if l.Forward != "" {
		line += "\n          " + l.forward(ctx, d)
	}
	if _, err := fmt.Fprintln(l.out, line); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// forward sends a delivery on, and returns what came of it.
func (l *listener) forward(ctx context.Context, d api.WebhookDelivery) string {
	body := []byte(d.Body)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, l.Forward, bytes.NewReader(body))
	if err != nil {
		return "not forwarded: " + err.Error()
	}
	var secrets []string
	if l.Secret != "" {
		secrets = []string{l.Secret}
	}
	r.Header = webhooks.Header(d.EventId.String(), time.Now(), body, secrets...)
	began := time.Now()
	response, err := l.http.Do(r)
	if err != nil {
		return "not forwarded: " + err.Error()
	}
	_ = response.Body.Close() // only the status is told
	return fmt.Sprintf("%s answered with status %d after %d ms",
		l.Forward, response.StatusCode, time.Since(began).Milliseconds())
}
