//go:build unix

package main

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"masthead/pkg/app/apptest"
)

// Figures of the kill test. Source: issue "kill -9 at any moment of 200 renders".
const (
	killRenders   = 200 // under way when their process is killed
	killRounds    = 8
	killRoundsAll = 40 // with MASTHEAD_TEST_FULL=1
	killWorkers   = 16
	killOrders    = 48 // a round, most of which it does not live to see
)

// TestServe_killedProcessLosesNothing runs the program itself, on one data folder, and ends it in every way there is.
func TestServe_killedProcessLosesNothing(t *testing.T) {
	t.Run("kill -9", killAgainAndAgain)
	t.Run("kill -9, and damage inside a file", killedAndDamaged)
	t.Run("SIGTERM finishes what is in flight", func(t *testing.T) { terminate(t, syscall.SIGTERM) })
	t.Run("SIGHUP likewise", func(t *testing.T) {
		// Who is started with nohup hands that on. A signal that is listened to here is as usual in the program.
		heard := make(chan os.Signal, 1)
		signal.Notify(heard, syscall.SIGHUP)
		defer signal.Stop(heard)
		terminate(t, syscall.SIGHUP, syscall.SIGHUP)
	})
	t.Run("a second signal ends at once", interruptTwice)
}

// killAgainAndAgain kills the process while it draws, and now and then while it starts, and looks at the folder each
// time.
func killAgainAndAgain(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	rounds, renders := killRounds, killRenders
	if testing.Short() {
		rounds, renders = 2, 20
	}
	if os.Getenv("MASTHEAD_TEST_FULL") == "1" {
		rounds = killRoundsAll
	}
	dir, site := t.TempDir(), newChangingSite(t)
	run := &killRun{t: t, dir: dir, site: site, random: random, answered: map[string]answeredOrder{}}
	for round := 0; round < rounds || run.underWay < renders; round++ {
		if round%3 == 1 {
			p := launch(t, dir, site)
			time.Sleep(time.Duration(random.IntN(60_000)) * time.Microsecond)
			p.signal(syscall.SIGKILL)
			p.wait()
		}
		p := open(t, dir, site)
		run.checkStart(p)
		run.drawUntilKilled(p, round)
		run.checkFolder(p.project)
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
	}
	p := open(t, dir, site)
	run.checkStart(p)
	t.Logf("%d renders, %d under way when their process was killed; %d interrupted writes",
		run.renders, run.underWay, run.leftovers)
}

// killedAndDamaged overwrites eight bytes of a picture after its process was killed, which no length, beginning or end
// tells: the first response of the next process is the picture as it was.
func killedAndDamaged(t *testing.T) {
	dir, site := t.TempDir(), newChangingSite(t)
	p := open(t, dir, site)
	made, status, err := p.generate(site, order{page: "/page/damaged", title: "Damaged"})
	if err != nil || status != http.StatusOK {
		t.Fatalf("got %d, %v", status, err)
	}
	digest, name := made.file(t)
	path := filepath.Join(dir, "images", digest[:2], digest+"."+name)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p.signal(syscall.SIGKILL)
	p.wait()
	damaged := slices.Clone(whole)
	copy(damaged[len(damaged)/2:], "DAMAGED!")
	if err := os.WriteFile(path, damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	site.asked.Store(0) // so that the page is as it was
	p = open(t, dir, site)
	response, err := p.client.Get(p.base + "/cdn/" + digest + "/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK || !slices.Equal(got, whole) {
		t.Errorf("got %d with %d other bytes, %v, want the picture as it was", response.StatusCode, len(got), err)
	}
}

// answeredOrder is an order with the answer that its first drawing got.
type answeredOrder struct {
	order
	imageResponse
}

type killRun struct {
	t      *testing.T
	dir    string
	site   *changingSite
	random *rand.Rand
	// answered are the orders that were answered, by title; lost those of the last round that were not.
	answered map[string]answeredOrder
	lost     []order

	renders, underWay, leftovers int
}

// drawUntilKilled sends orders until the process is killed at a random moment.
func (run *killRun) drawUntilKilled(p *process, round int) {
	run.t.Helper()
	orders := make(chan order, killOrders)
	for i := range killOrders {
		o := order{
			page: fmt.Sprintf("/page/%d-%d", round, i), title: fmt.Sprintf("Round %d, picture %d", round, i),
			dark: i%2 == 0, icons: i%8 == 5,
		}
		if i%4 == 3 && len(run.answered) > 0 {
			o = run.anyAnswered().order
			o.force = true
		}
		orders <- o
	}
	close(orders)
	var mu sync.Mutex // over what the workers write of run
	var answers atomic.Int64
	var killed atomic.Bool
	var workers sync.WaitGroup
	run.lost = nil
	for range killWorkers {
		workers.Go(func() {
			for o := range orders {
				if killed.Load() {
					return
				}
				k, status, err := p.generate(run.site, o)
				mu.Lock()
				switch {
				case err != nil && !killed.Load():
					run.t.Errorf("%+v: %v", o, err)
				case err != nil:
					run.underWay++
					run.renders++
					run.lost = append(run.lost, o)
				case status != http.StatusOK:
					run.t.Errorf("%+v: got status %d", o, status)
				default:
					run.renders++
					run.answered[o.title] = answeredOrder{o, k}
				}
				mu.Unlock()
				answers.Add(1)
			}
		})
	}
	after := int64(run.random.IntN(killOrders - killWorkers))
	pause := time.Duration(run.random.IntN(40_000)) * time.Microsecond
	apptest.WaitFor(run.t, "the answers before the kill", func() bool { return answers.Load() >= after })
	time.Sleep(pause)
	killed.Store(true)
	p.signal(syscall.SIGKILL)
	p.wait()
	workers.Wait()
}

// checkFolder looks at what a killed process left: every picture is whole and noted, and every record names one.
func (run *killRun) checkFolder(project string) {
	run.t.Helper()
	run.leftovers += len(run.glob(".writing-*"))
	pictures := run.glob("*.png") // of cards, and the six of each icon set
	for _, path := range pictures {
		data, err := os.ReadFile(path)
		if err != nil {
			run.t.Fatal(err)
		}
		digest := sha256.Sum256(append([]byte(project), data...))
		if name, _, _ := strings.Cut(filepath.Base(path), "."); name != hex.EncodeToString(digest[:]) {
			run.t.Errorf("%s is no whole file: it has %d bytes, whose digest is %x", path, len(data), digest)
		}
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(run.dir, "masthead.db")+"?mode=ro")
	if err != nil {
		run.t.Fatal(err)
	}
	defer db.Close()
	var integrity string
	if err := db.QueryRow(`PRAGMA integrity_check`).Scan(&integrity); err != nil || integrity != "ok" {
		run.t.Errorf("integrity of the database: got %q, %v", integrity, err)
	}
	for _, path := range pictures {
		if !run.noted(db, path) {
			run.t.Errorf("%s has no row, so no sweep will find it", path)
		}
	}
	var torn int
	err = db.QueryRow(`SELECT count(*) FROM images i WHERE kind = 'icon_set' AND 6 >
		(SELECT count(*) FROM image_files f WHERE f.image_id = i.id)`).Scan(&torn)
	if err != nil || torn > 0 {
		run.t.Errorf("%d icon sets have fewer than six files, %v", torn, err)
	}
	rows, err := db.Query(`SELECT i.id, f.digest, f.name, f.size_bytes
		FROM images i LEFT JOIN image_files f ON f.image_id = i.id`)
	if err != nil {
		run.t.Fatal(err)
	}
	defer rows.Close()
	records := map[string]bool{}
	for rows.Next() {
		var id, digest, name string
		var size int
		if err := rows.Scan(&id, &digest, &name, &size); err != nil {
			run.t.Fatal(err)
		}
		records[id] = true
		data, err := os.ReadFile(filepath.Join(run.dir, "images", digest[:2], digest+"."+name))
		if err != nil {
			run.t.Errorf("the record %s is without its file: %v", id, err)
			continue
		}
		if len(data) != size {
			run.t.Errorf("the record %s: got %d bytes, want %d", id, len(data), size)
		}
	}
	if err := rows.Err(); err != nil {
		run.t.Fatal(err)
	}
	for title, a := range run.answered {
		if !records[a.ID] {
			run.t.Errorf("%q was answered, and its record is gone", title)
		}
		digest, name := a.file(run.t)
		if _, err := os.Stat(filepath.Join(run.dir, "images", digest[:2], digest+"."+name)); err != nil {
			run.t.Errorf("%q was answered, and its picture is gone: %v", title, err)
		}
	}
}

// glob lists the files in the folders of pictures.
func (run *killRun) glob(pattern string) []string {
	run.t.Helper()
	paths, err := filepath.Glob(filepath.Join(run.dir, "images", "??", pattern))
	if err != nil {
		run.t.Fatal(err)
	}
	return paths
}

// checkStart looks at a process that was just opened on the folder: it is ready, has swept what an interrupted write
// left, serves and knows the images from before, and draws those that its predecessor was killed over.
func (run *killRun) checkStart(p *process) {
	t := run.t
	t.Helper()
	if status, body := p.get("/readyz"); status != http.StatusOK {
		t.Errorf("readyz: got %d %s", status, body)
	}
	if left := run.glob(".writing-*"); len(left) > 0 {
		t.Errorf("a start left %v", left)
	}
	for _, level := range []string{`"level":"WARN"`, `"level":"ERROR"`} {
		if text := p.log.String(); strings.Contains(text, level) {
			t.Errorf("the start was not clean: %s", text)
		}
	}
	if len(run.answered) > 0 {
		a := run.anyAnswered()
		digest, name := a.file(t)
		status, data := p.get("/cdn/" + digest + "/" + name)
		sum := sha256.Sum256(append([]byte(p.project), data...))
		if status != http.StatusOK || hex.EncodeToString(sum[:]) != digest {
			t.Errorf("%q: its picture is served as %d, %d bytes", a.title, status, len(data))
		}
		same := a.order
		same.force = false
		if k, status, err := p.generate(run.site, same); err != nil || status != http.StatusOK || !k.Cached || k.ID != a.ID {
			t.Errorf("%q again: got %d %+v, %v, want the image %s, cached", a.title, status, k, err, a.ID)
		}
	}
	for _, o := range run.lost {
		k, status, err := p.generate(run.site, o)
		if err != nil || status != http.StatusOK {
			t.Errorf("%+v again: got %d, %v", o, status, err)
			continue
		}
		run.answered[o.title] = answeredOrder{o, k}
	}
	run.lost = nil
}

// noted reports whether a file has a row, by which a sweep finds it.
func (run *killRun) noted(db *sql.DB, path string) bool {
	run.t.Helper()
	digest, name, _ := strings.Cut(filepath.Base(path), ".")
	var rows int
	err := db.QueryRow(`SELECT count(*) FROM files WHERE digest = ? AND name = ?`, digest, name).Scan(&rows)
	if err != nil {
		run.t.Error(err)
	}
	return rows == 1
}

// anyAnswered picks one of the orders that were answered.
func (run *killRun) anyAnswered() answeredOrder {
	titles := slices.Sorted(maps.Keys(run.answered))
	return run.answered[titles[run.random.IntN(len(titles))]]
}

// terminate asks the process to end, by signals, while pages keep it waiting: it takes nothing new, finishes what it
// has, and ends well.
func terminate(t *testing.T, signals ...syscall.Signal) {
	dir, site := t.TempDir(), newChangingSite(t)
	hold := make(chan struct{})
	site.hold.Store(&hold)
	p := open(t, dir, site)
	const requests = 6
	answers := make([]imageResponse, requests)
	var asking sync.WaitGroup
	for i := range answers {
		asking.Go(func() {
			k, status, err := p.generate(site, order{page: fmt.Sprintf("/page/%d", i), title: "In flight"})
			if err != nil || status != http.StatusOK {
				t.Errorf("request %d: got %d, %v, want it to be finished", i, status, err)
			}
			answers[i] = k
		})
	}
	apptest.WaitFor(t, "the pages to be asked for", func() bool { return site.asked.Load() == requests })
	for _, s := range signals {
		p.signal(s)
		apptest.WaitFor(t, "the address to close", func() bool { return !p.accepts() })
	}
	select {
	case <-p.ended:
		t.Error("the process ended before its requests")
	default:
	}
	close(hold)
	asking.Wait()
	if state := p.wait(); state.ExitCode() != 0 {
		t.Errorf("got %v, want exit code 0\n%s", state, p.log.String())
	}
	run := &killRun{t: t, dir: dir, site: site, random: rand.New(rand.NewPCG(1, 1)), answered: map[string]answeredOrder{}}
	for i, k := range answers {
		run.answered[fmt.Sprint(i)] = answeredOrder{order{page: fmt.Sprintf("/page/%d", i), title: "In flight"}, k}
	}
	run.checkFolder(p.project)
	if left := run.glob(".writing-*"); len(left) > 0 {
		t.Errorf("an orderly end left %v", left)
	}
	run.checkStart(open(t, dir, site))
}

// interruptTwice lets a page hold a request for longer than anybody wants to wait.
func interruptTwice(t *testing.T) {
	site := newChangingSite(t)
	hold := make(chan struct{})
	site.hold.Store(&hold)
	t.Cleanup(func() { close(hold) })
	p := open(t, t.TempDir(), site)
	var asking sync.WaitGroup
	defer asking.Wait()
	asking.Go(func() {
		if _, status, err := p.generate(site, order{page: "/page/held", title: "Held"}); err == nil {
			t.Errorf("got an answer, %d, want the connection to break", status)
		}
	})
	apptest.WaitFor(t, "the page to be asked for", func() bool { return site.asked.Load() > 0 })
	p.signal(syscall.SIGTERM)
	apptest.WaitFor(t, "the address to close", func() bool { return !p.accepts() })
	p.signal(syscall.SIGTERM)
	if state := p.wait(); state.Success() || state.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
		t.Errorf("got %v, want the end by the second signal", state)
	}
}
