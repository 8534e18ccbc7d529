package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"masthead/pkg/garbage"
	"masthead/render"
	"masthead/render/specimen"
)

// memoryOptions are the flags of `bench memory`.
type memoryOptions struct {
	scripts string // "latin" or "all": draw them in this process; "": have processes of their own draw each
	serve   bool   // with the collector as the service has it
	cards   int
}

// memoryWorkers is how many cards are drawn at once.
const memoryWorkers = 2

func runMemory(args []string, out io.Writer) error {
	var o memoryOptions
	flags := flag.NewFlagSet("bench memory", flag.ContinueOnError)
	flags.StringVar(&o.scripts, "scripts", "", "draw `latin` or all in this process, and print their row")
	flags.BoolVar(&o.serve, "serve", false, "with --scripts: let the collector be as in the service")
	flags.IntVar(&o.cards, "cards", 1000, "draw `N` different cards after one for each script and template")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case o.scripts != "" && o.scripts != "latin" && o.scripts != "all" || flags.NArg() > 0 || o.cards < 1:
		return errors.New("memory takes --scripts latin or all, and a number of cards")
	case o.scripts != "":
		return drawForMemory(o, out)
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	_, err = fmt.Fprintf(out, "%d different cards over all templates after one for each script and template, %d at\n"+
		"once, in a process of its own, in MB.\n\n"+
		"| scripts, collector | heap in use after one of each | after all | resident at the end | at most |\n"+
		"|---|---|---|---|---|\n", o.cards, memoryWorkers)
	if err != nil {
		return err
	}
	for _, row := range [][]string{{"latin"}, {"latin", "--serve"}, {"all"}, {"all", "--serve"}} {
		row = append([]string{"memory", "--cards", strconv.Itoa(o.cards), "--scripts"}, row...)
		cmd := exec.Command(self, row...) //nolint:gosec,noctx // the arguments are our own
		cmd.Stdout, cmd.Stderr = out, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("draw %v: %w", row, err)
		}
	}
	return nil
}

// drawForMemory draws one card for each script and template, then different ones over all of them, and prints a row.
func drawForMemory(o memoryOptions, out io.Writer) error {
	pages, who := specimen.Scripts(), o.scripts+", as in a library"
	if o.scripts == "latin" {
		pages = pages[:1]
	}
	if o.serve {
		if who = o.scripts + ", as in the service"; !garbage.Bound() {
			return errors.New("GOGC or GOMEMLIMIT is set: the collector is not as in the service")
		}
	}
	one := len(pages) * specimen.Designs()
	if err := drawDifferent(pages, 0, one); err != nil {
		return err
	}
	first := heapInUse()
	if err := drawDifferent(pages, one, o.cards); err != nil {
		return err
	}
	resident, most, err := residentMemory()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "| %s | %.0f | %.0f | %.0f | %.0f |\n", who, first, heapInUse(), resident, most)
	return err
}

// drawDifferent draws n cards from a number on, several at once.
func drawDifferent(pages []specimen.Page, from, n int) error {
	var next atomic.Int64
	errs := make([]error, memoryWorkers)
	var group sync.WaitGroup
	for w := range errs {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && errs[w] == nil; i = int(next.Add(1)) - 1 {
				_, errs[w] = render.Draw(context.Background(), specimen.Different(pages, from+i))
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}

// heapInUse returns what is reachable, in MB.
func heapInUse() float64 {
	runtime.GC() // twice: what pools hold lives through the first
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1e6
}

// residentMemory returns how much of this process is in memory, in MB, now and at most.
func residentMemory() (now, most float64, err error) {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0, 0, fmt.Errorf("this system does not tell: %w", err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		name, rest, _ := strings.Cut(lines.Text(), ":")
		if name != "VmRSS" && name != "VmHWM" {
			continue
		}
		kb, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(rest, "kB")), 64)
		if err != nil {
			return 0, 0, fmt.Errorf("read /proc/self/status: %w", err)
		}
		if name == "VmRSS" {
			now = kb * 1024 / 1e6
		} else {
			most = kb * 1024 / 1e6
		}
	}
	return now, most, nil
}
