package rig

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Sample is one request and what became of it.
type Sample struct {
	// At is when the request was due, and Took the time from then to the end of the answer: a client that falls behind
	// does not hide it.
	At   time.Time
	Took time.Duration
	// Index is the number of the request in its stream.
	Index int
	// Status is 0 where the connection failed or nothing came in time.
	Status int
	// Fault says what was wrong, where Status is not 200: the beginning of the answer, or what the connection says.
	Fault string
	// Retry says whether the answer carried Retry-After.
	Retry bool
}

// Asking tells how the i-th request of a stream looks.
type Asking func(ctx context.Context, i int) (*http.Request, error)

// Stream sends requests at a rate that does not depend on the answers, as strangers do.
//
// A picture never changes at its address. So one that differs from the first at the same address is a fault, which has
// no status: a fallback card, a part of a picture, or that of another page.
type Stream struct {
	mu       sync.Mutex
	samples  []Sample
	pictures map[string][sha256.Size]byte // the first ones, by address
	stop     context.CancelFunc
	ended    sync.WaitGroup
}

// NewStream sends perSecond requests until Stop.
func NewStream(ctx context.Context, client *http.Client, perSecond float64, asking Asking) *Stream {
	sending, stop := context.WithCancel(ctx)
	s := &Stream{stop: stop}
	start := time.Now()
	s.ended.Go(func() {
		for i := 0; ; i++ {
			due := start.Add(time.Duration(float64(i) / perSecond * float64(time.Second)))
			select {
			case <-sending.Done():
				return
			case <-time.After(time.Until(due)):
			}
			s.ended.Go(func() { s.add(s.send(ctx, client, due, asking, i)) })
		}
	})
	return s
}

// Stop ends the sending and waits for the answers, for as long as the client does.
func (s *Stream) Stop() {
	s.stop()
	s.ended.Wait()
}

// Between returns what became of the requests that were due in a stretch of time. After Stop it is all of them.
func (s *Stream) Between(from, to time.Time) Felt {
	s.mu.Lock()
	defer s.mu.Unlock()
	var f Felt
	for _, one := range s.samples {
		if !one.At.Before(from) && one.At.Before(to) {
			f = append(f, one)
		}
	}
	return f
}

func (s *Stream) add(one Sample) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.samples = append(s.samples, one)
}

// Flood asks on a number of connections, each as fast as the answers come, until ctx ends.
func Flood(ctx context.Context, client *http.Client, connections int, asking Asking) Felt {
	var s Stream
	var next sync.Mutex
	asked := 0
	for range connections {
		s.ended.Go(func() {
			for ctx.Err() == nil {
				next.Lock()
				i := asked
				asked++
				next.Unlock()
				if one := s.send(ctx, client, time.Now(), asking, i); ctx.Err() == nil {
					s.add(one)
				}
			}
		})
	}
	s.ended.Wait()
	return s.samples
}

// Once asks a number of times at once and waits for all answers.
func Once(ctx context.Context, client *http.Client, requests int, asking Asking) Felt {
	var s Stream
	for i := range requests {
		s.ended.Go(func() { s.add(s.send(ctx, client, time.Now(), asking, i)) })
	}
	s.ended.Wait()
	return s.samples
}

func (s *Stream) send(ctx context.Context, client *http.Client, due time.Time, asking Asking, i int) Sample {
	one := Sample{At: due, Index: i}
	r, err := asking(ctx, i)
	if err == nil {
		var answer *http.Response
		if answer, err = client.Do(r); err == nil {
			one.Status, one.Retry = answer.StatusCode, answer.Header.Get("Retry-After") != ""
			if one.Status != http.StatusOK {
				var said []byte
				said, err = io.ReadAll(io.LimitReader(answer.Body, maxFault))
				one.Fault = detail(said)
			}
			if err == nil {
				err = s.read(answer)
			}
			_ = answer.Body.Close() // it was read to its end, or is broken
		}
	}
	one.Took = time.Since(due)
	if err != nil {
		one.Status, one.Fault = 0, err.Error()
	}
	return one
}

// read reads an answer to its end, and compares a picture with the first at its address.
func (s *Stream) read(answer *http.Response) error {
	read := sha256.New()
	if _, err := io.Copy(read, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK || !strings.HasPrefix(answer.Header.Get("Content-Type"), "image/") {
		return nil
	}
	address, sum := answer.Request.URL.String(), [sha256.Size]byte(read.Sum(nil))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pictures == nil {
		s.pictures = map[string][sha256.Size]byte{}
	}
	if first, known := s.pictures[address]; known && first != sum {
		return errors.New("another picture than before")
	}
	s.pictures[address] = sum
	return nil
}

// maxFault bounds what is kept of an answer.
const maxFault = 1024

// detail is the sentence of a problem, or the beginning of what is none.
func detail(said []byte) string {
	var problem struct {
		Detail string `json:"detail"`
	}
	if json.Unmarshal(said, &problem) == nil && problem.Detail != "" {
		return problem.Detail
	}
	return string(said)
}

// Why returns what failed, with how often, the most frequent first.
func (f Felt) Why() []string {
	counts := map[string]int{}
	for _, one := range f {
		if one.Status == 0 || one.Status >= http.StatusBadRequest {
			counts[fmt.Sprintf("%d: %s", one.Status, one.Fault)]++
		}
	}
	why := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(why, func(a, b string) int { return counts[b] - counts[a] })
	for i, fault := range why {
		why[i] = fmt.Sprintf("%d × %s", counts[fault], fault)
	}
	return why
}

// Felt is what somebody felt: the outcome of their requests.
type Felt []Sample

// Good returns those that were answered with 200.
func (f Felt) Good() Felt { return f.With(http.StatusOK) }

// With returns those with a status.
func (f Felt) With(status int) Felt {
	return slices.DeleteFunc(slices.Clone(f), func(s Sample) bool { return s.Status != status })
}

// Bad counts those that were answered with anything but 200, or not at all.
func (f Felt) Bad() int { return len(f) - len(f.Good()) }

// Quantile returns the time within which a share of the requests was over, 0 for none.
func (f Felt) Quantile(share float64) time.Duration {
	if len(f) == 0 {
		return 0
	}
	times := make([]time.Duration, len(f))
	for i, one := range f {
		times[i] = one.Took
	}
	slices.Sort(times)
	return times[min(len(times)-1, int(share*float64(len(times))))]
}

// Answers tells how many of those that were not good had which status, as "3 × no answer, 12 × 503"; empty where all
// were good.
func (f Felt) Answers() string {
	return slices.DeleteFunc(slices.Clone(f), func(s Sample) bool { return s.Status == http.StatusOK }).All()
}

// All tells how many had which status.
func (f Felt) All() string {
	counts := map[int]int{}
	for _, one := range f {
		counts[one.Status]++
	}
	var parts []string
	for _, status := range slices.Sorted(maps.Keys(counts)) {
		name := fmt.Sprint(status)
		if status == 0 {
			name = "no answer"
		}
		parts = append(parts, fmt.Sprintf("%d × %s", counts[status], name))
	}
	return strings.Join(parts, ", ")
}

// LastBad returns the moment at which the last request that was not answered with 200 within a time was due, and
// whether there is one.
func (f Felt) LastBad(within time.Duration) (time.Time, bool) {
	var last time.Time
	for _, one := range f {
		if (one.Status != http.StatusOK || one.Took > within) && one.At.After(last) {
			last = one.At
		}
	}
	return last, !last.IsZero()
}
