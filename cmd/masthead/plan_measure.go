package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"masthead/cmd/masthead/targets"
	"masthead/pkg/app/demo"
)

// This file measures what a process takes: it starts this program as a service on an empty folder, one time after the
// other, each with more to do, and compares the CPU time that they took until their end.

const (
	planStartTime = 30 * time.Second
	planCallTime  = 30 * time.Second
	planStopTime  = 20 * time.Second
	// warmHits is how often each card is asked for to measure hits from memory: enough that the few milliseconds by which
	// two starts differ don't count.
	warmHits = 50
)

// measure draws so many cards of pages that it serves itself.
func measure(ctx context.Context, cards int, shown *targets.Progress) (m measurement, err error) {
	began := time.Now()
	dir, err := os.MkdirTemp("", "masthead-plan-")
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	pages, err := openPlanPages(ctx)
	if err != nil {
		return m, err
	}
	defer pages.Close()
	at := "http://" + pages.Addr
	trial := func(what string, rounds int) (cpu time.Duration, bytes int64) {
		if err != nil {
			return 0, 0
		}
		shown.Say(what)
		cpu, bytes, err = oneService(ctx, dir, at, cards, rounds)
		return cpu, bytes
	}
	trial("Starting a service…", 0) // which leaves behind what later ones find
	empty := sizeOfDatabase(dir)
	drawn, bytes := trial(fmt.Sprintf("Drawing %d cards…", cards), 1)
	full := sizeOfDatabase(dir)
	idle, _ := trial("Starting a service…", 0)
	cold, _ := trial(fmt.Sprintf("Reading %d cards from disk…", cards), 1)
	warm, _ := trial(fmt.Sprintf("Reading %d cards from memory…", cards), 1+warmHits)
	if err != nil {
		return m, err
	}
	each := func(more time.Duration, n int) time.Duration { return max(more, 0) / time.Duration(n) }
	return measurement{
		Draw: each(drawn-idle, cards), Cold: each(cold-idle, cards), Warm: each(warm-cold, cards*warmHits),
		CardBytes: float64(bytes) / float64(cards), RowBytes: float64(full-empty) / float64(cards),
		Took: time.Since(began),
	}, nil
}

// oneService runs a service on a folder, asks for each card in so many rounds, and returns the CPU time that it took
// from its start to its end, and how many bytes a round has.
func oneService(ctx context.Context, dir, pages string, cards, rounds int) (cpu time.Duration, bytes int64, err error) {
	file, err := os.Executable()
	if err != nil {
		return 0, 0, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	service := exec.CommandContext(ctx, file, "serve", "--demo", "--data-dir", dir) //nolint:gosec // this program
	service.WaitDelay = planStopTime
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "MASTHEAD_") { // an installation's settings are not of this one
			service.Env = append(service.Env, entry)
		}
	}
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(pages, "http://"))
	service.Env = append(service.Env, "MASTHEAD_ADDR=127.0.0.1:0", "MASTHEAD_FETCH_ALLOW=127.0.0.1/32:"+port,
		"MASTHEAD_RPM_FREE=100000", "MASTHEAD_RPM_PLUS=100000", "MASTHEAD_RPM_PRO=100000", "MASTHEAD_BREAKER_RPM=1000000", "MASTHEAD_BREAKER_MISSES_RPM=1000000",
		"MASTHEAD_LOG_LEVEL=error")
	said, err := service.StdoutPipe()
	if err != nil {
		return 0, 0, err
	}
	faults := &strings.Builder{}
	service.Stderr = faults
	if err := service.Start(); err != nil {
		return 0, 0, err
	}
	base, err := listening(said)
	for round := 0; err == nil && round < rounds; round++ {
		bytes, err = askForCards(ctx, base, pages, cards)
	}
	if err != nil {
		cancel()
		_ = service.Wait() // it was killed
		return 0, 0, fmt.Errorf("%w\n%s", err, faults)
	}
	if err := service.Process.Signal(os.Interrupt); err != nil { // as on Windows: its time is known all the same
		cancel()
	}
	_ = service.Wait() // how it ended doesn't matter
	state := service.ProcessState
	return state.UserTime() + state.SystemTime(), bytes, nil
}

// listening returns the address that a service says it listens on.
func listening(said io.ReadCloser) (base string, err error) {
	late := time.AfterFunc(planStartTime, func() { _ = said.Close() }) // ends the loop
	defer late.Stop()
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if _, base, ok := strings.Cut(lines.Text(), "Masthead is listening on "); ok {
			return base, nil
		}
	}
	return "", errors.New("the service that is measured did not start")
}

// askForCards asks for the card of each page once, and returns how many bytes they have.
func askForCards(ctx context.Context, base, pages string, cards int) (bytes int64, err error) {
	client := &http.Client{Timeout: planCallTime}
	defer client.CloseIdleConnections()
	for n := range cards {
		address := base + "/og/" + demo.PublicID + "?url=" + url.QueryEscape(fmt.Sprintf("%s/%d", pages, n))
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return 0, err
		}
		response, err := client.Do(r)
		if err != nil {
			return 0, err
		}
		sent, err := io.Copy(io.Discard, response.Body)
		if err = errors.Join(err, response.Body.Close()); err != nil {
			return 0, err
		}
		if why := response.Header.Get("X-Masthead-Fallback"); response.StatusCode != http.StatusOK || why != "" {
			return 0, fmt.Errorf("page %d: %s %s", n, response.Status, why)
		}
		bytes += sent
	}
	return bytes, nil
}

// sizeOfDatabase returns how many bytes the database of a data folder has.
func sizeOfDatabase(dir string) (bytes int64) {
	files, _ := filepath.Glob(filepath.Join(dir, "masthead.db*")) // it fails for a bad pattern alone
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}

// openPlanPages serves pages as sites have them, each with a title of its own, under /0, /1 and so on.
func openPlanPages(ctx context.Context) (*http.Server, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	words := strings.Fields("how we moved our whole archive to another city without losing a single letter of it and " +
		"what the people who read it every morning said about the new building")
	served := &http.Server{
		Addr: listener.Addr().String(), ReadHeaderTimeout: planCallTime,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var n int
			if _, err := fmt.Sscanf(r.URL.Path, "/%d", &n); err != nil {
				http.NotFound(w, r)
				return
			}
			from := n % (len(words) - 12)
			title := strings.Join(words[from:from+4+n%8], " ")
			fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>%s, part %d</title>
<meta name="description" content="%s"><meta property="og:site_name" content="The Archive"></head>
<body><main><h1>%s</h1>%s</main></body></html>`, html.EscapeString(title), n, strings.Join(words, " "), title,
				strings.Repeat("<p>"+strings.Join(words, " ")+"</p>", 40))
		}),
	}
	go func() { _ = served.Serve(listener) }() // it ends with Close
	return served, nil
}
