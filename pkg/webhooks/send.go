package webhooks

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/jobs"
	"masthead/pkg/weburl"
)

// schedule are the times of the attempts, from the first. Source: docs/webhooks.md#attempts.
var schedule = []time.Duration{
	0, 5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 24 * time.Hour,
}

const (
	atOnce = 48 // endpoints at a time on a node
	// perEndpoint is how many requests an endpoint gets at a time.
	perEndpoint = 4
	// runTime is the time of a run for one endpoint, of which startTime is for starting requests: the rest is for those
	// that have begun. A program that ends waits for runs.
	runTime   = 30 * time.Second
	startTime = 10 * time.Second
	// storeTime bounds storing an attempt.
	storeTime = 10 * time.Second
	// batch is how many deliveries are read at once.
	batch = 32
	// probing is after how many failures in a row an endpoint gets one request at a time, and longestPause bounds the
	// pause after each. So dead endpoints take few of a node's slots.
	probing      = 8
	longestPause = time.Minute
	// mostForward is after how many attempts a delivery isn't brought forward any more: it fails though others succeed.
	mostForward = 16
)

// run sends to one endpoint what is due, until there is nothing, it fails, or the run has had its time. Its result
// enqueues the next run.
func (s *Service) run(ctx context.Context, j *jobs.Job) (jobs.Result, error) {
	id, end := j.Key, time.Now().Add(startTime)
	notBefore := time.Time{}
	for time.Now().Before(end) {
		w, found, err := s.store.find(ctx, id)
		if err != nil || !found {
			return nil, err
		}
		due, err := s.store.due(ctx, w, s.now(), batch)
		if err != nil {
			return nil, err
		}
		if len(due) == 0 {
			break
		}
		failures, err := s.sendAll(ctx, w, due, end)
		if err != nil {
			return nil, err
		}
		if failures >= probing {
			notBefore = s.now().Add(min(time.Second<<min(failures-probing, 10), longestPause))
			break
		}
	}
	return func(ctx context.Context, tx *db.Tx) error {
		next, waits, err := nextDue(ctx, tx, id)
		if err != nil || !waits {
			return err
		}
		if next.Before(notBefore) {
			next = notBefore
		}
		return s.queue.EnqueueAt(ctx, tx, id, id, next, nil)
	}, nil
}

// sendAll sends deliveries to an endpoint, four at a time, or one if it has been failing. It starts none after end or
// once the endpoint fails too often, and returns how many requests in a row have failed.
func (s *Service) sendAll(ctx context.Context, w Webhook, due []Delivery, end time.Time) (failures int, err error) {
	var mu sync.Mutex
	failures = w.failures
	parallel := perEndpoint
	if failures >= probing {
		parallel, due = 1, due[:1]
	}
	slots := make(chan struct{}, parallel)
	var running sync.WaitGroup
	for _, d := range due {
		slots <- struct{}{}
		mu.Lock()
		stop := err != nil || failures >= max(w.failures+1, probing) || ctx.Err() != nil || time.Now().After(end)
		mu.Unlock()
		if stop {
			break
		}
		running.Go(func() {
			defer func() { <-slots }()
			made := s.send(ctx, w, d)
			if made.Status == 0 && ctx.Err() != nil { // the program ends or lost the job, and the response with it
				return
			}
			storing, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
			defer cancel()
			row, problem := s.record(storing, w, d, made)
			mu.Lock()
			defer mu.Unlock()
			failures, err = row, errors.Join(err, problem)
		})
	}
	running.Wait()
	return failures, errors.Join(err, ctx.Err())
}

// send makes one request.
func (s *Service) send(ctx context.Context, w Webhook, d Delivery) Attempt {
	secrets := []string{w.secret}
	if s.now().Before(w.PreviousUntil) {
		secrets = append(secrets, w.previousSecret)
	}
	made := Attempt{At: db.Moment(s.now())}
	began := time.Now()
	u, err := weburl.Parse(w.URL)
	if err == nil {
		posted, failed := s.deps.Fetch.Post(ctx, u, Header(d.EventID, made.At, []byte(d.Body), secrets...), []byte(d.Body))
		if err = failed; err == nil {
			made.Status, made.Response = posted.Status, text(posted.Body)
		}
	}
	made.Duration = time.Since(began)
	if err != nil {
		made.Error = detail(err)
	}
	return made
}

// text returns a response as text that every database takes.
func text(body []byte) string {
	return strings.ReplaceAll(strings.ToValidUTF8(string(body), "\uFFFD"), "\x00", "\uFFFD")
}

// detail is an error in words for people.
func detail(err error) string {
	var known *apperr.Error
	if errors.As(err, &known) {
		return known.Detail
	}
	return "The request could not be made."
}

// succeeded reports whether an endpoint took a message.
func (a Attempt) succeeded() bool { return a.Status >= 200 && a.Status < 300 }

// said is a failed attempt in words.
func (a Attempt) said() string {
	switch {
	case a.Error != "":
		return a.Error
	case a.Status >= 300 && a.Status < 400:
		return fmt.Sprintf("It answered with the redirect %d, and redirects aren't followed.", a.Status)
	}
	return fmt.Sprintf("It answered with status %d.", a.Status)
}

// record stores an attempt and what follows from it, in one transaction, and returns how many requests in a row have
// failed.
func (s *Service) record(ctx context.Context, w Webhook, d Delivery, made Attempt) (failures int, err error) {
	err = s.store.db.InTx(ctx, func(tx *db.Tx) error {
		known, err := insertAttempt(ctx, tx, d.ID, made)
		if err != nil || !known { // deleted in the meantime
			return err
		}
		now := s.now()
		if made.succeeded() {
			if err := finish(ctx, tx, d.ID, Delivered); err != nil {
				return err
			}
			recovered, err := endFailures(ctx, tx, w.ID)
			if err == nil && recovered {
				err = bringForward(ctx, tx, w.ID, now)
			}
			return err
		}
		if d.Type == TestType {
			return finish(ctx, tx, d.ID, Failed)
		}
		if failures, err = failed(ctx, tx, w.ID); err != nil {
			return err
		}
		after := made.At.Sub(d.baseAt)
		if made.Status == http.StatusGone || s.isLast(d.Attempts+1, after) {
			if err := finish(ctx, tx, d.ID, Failed); err != nil {
				return err
			}
			return s.disable(ctx, tx, w, made)
		}
		return postpone(ctx, tx, d.ID, later(d.baseAt.Add(s.following(after)), now))
	})
	if err != nil {
		slog.ErrorContext(ctx, "attempt at a webhook not stored", "webhook", w.ID, "err", err)
	}
	return failures, err
}

// isLast reports whether an attempt was the last one: there were as many as the schedule has, and it has passed.
// Attempts that were brought forward by the success of others don't shorten it.
func (s *Service) isLast(attempts int, after time.Duration) bool {
	return attempts >= len(s.schedule) && after >= s.schedule[len(s.schedule)-1]
}

// following returns when the attempt after one is due, both as times after the first.
func (s *Service) following(after time.Duration) time.Duration {
	for _, at := range s.schedule {
		if at > after {
			return jitter(at)
		}
	}
	return after
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// jitter adds up to a tenth to a time, so that what failed at once isn't repeated at once.
func jitter(d time.Duration) time.Duration { return d + rand.N(d/10+1) }

// disable disables a webhook after an attempt, and tells its owner once.
func (s *Service) disable(ctx context.Context, tx *db.Tx, w Webhook, made Attempt) error {
	reason := "The endpoint failed for 24 hours. " + made.said()
	if made.Status == http.StatusGone {
		reason = "The endpoint answered with status 410, which asks for no more events."
	}
	disabled, err := disable(ctx, tx, w.ID, reason, s.now())
	if err != nil || !disabled {
		return err
	}
	return events.WebhookDisabled.Publish(ctx, tx, s.deps.Events, w.OwnerID, events.Webhook{
		WebhookId: w.ID, Url: w.URL, Reason: reason,
	})
}
