package picture

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// The pool is tested from inside: only here can a decode be made that never ends.

// bubble runs f in a bubble of time of its own with a pool of four workers, 100 bytes, a queue of 3, 2 s of waiting
// and 3 s of work.
func bubble(t *testing.T, f func(t *testing.T, p *pool)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f(t, newPool(Config{Workers: 4, MaxBytes: 100, Wait: 2 * time.Second, Deadline: 3 * time.Second, Queue: 3}))
	})
}

var files atomic.Int64

// file is another one each time.
func file() []byte { return fmt.Appendf(nil, "file %d", files.Add(1)) }

// hang starts a decode that ignores that it was told to stop, until the channel is closed.
func hang(ctx context.Context, p *pool, cost int64, until chan struct{}) chan error {
	done := make(chan error, 1)
	go func() {
		_, err := run(ctx, p, file(), cost, func(*atomic.Bool) (int, error) {
			<-until
			return 1, nil
		})
		done <- err
	}()
	synctest.Wait()
	return done
}

func quick(p *pool, cost int64) error {
	v, err := run(context.Background(), p, file(), cost, func(*atomic.Bool) (int, error) { return 7, nil })
	if err == nil && v != 7 {
		return errors.New("the value was lost")
	}
	return err
}

func TestPool_lostWorkers_countUntilTheyEnd(t *testing.T) {
	bubble(t, func(t *testing.T, p *pool) {
		until := make(chan struct{})
		start := time.Now()
		first := hang(t.Context(), p, 10, until)
		if err := <-first; !errors.Is(err, ErrTimeout) || time.Since(start) != 3*time.Second {
			t.Errorf("first: %v after %v", err, time.Since(start))
		}
		if err := quick(p, 10); err != nil || p.Lost() != 1 {
			t.Errorf("with one of four lost: %v, %d", err, p.Lost())
		}
		second := hang(t.Context(), p, 10, until)
		<-second
		if err := quick(p, 10); !errors.Is(err, ErrWorkersLost) || !Transient(err) {
			t.Errorf("with two of four lost: %v", err)
		}
		close(until)
		synctest.Wait()
		if err := quick(p, 100); err != nil || p.Lost() != 0 {
			t.Errorf("after they ended: %v, %d", err, p.Lost())
		}
	})
}

func TestPool_hungFile_isRefusedForAnHour(t *testing.T) {
	bubble(t, func(t *testing.T, p *pool) {
		until, evil := make(chan struct{}), file()
		var decodes atomic.Int64
		decode := func(data []byte) error {
			_, err := run(t.Context(), p, data, 10, func(*atomic.Bool) (int, error) {
				decodes.Add(1)
				<-until
				return 1, nil
			})
			return err
		}
		for range 3 {
			if err := decode(evil); !errors.Is(err, ErrTimeout) || decodes.Load() != 1 || p.Lost() != 1 {
				t.Errorf("got %v, %d decodes and %d lost, want one", err, decodes.Load(), p.Lost())
			}
		}
		close(until)
		if err := decode(file()); err != nil {
			t.Errorf("another file: %v", err)
		}
		time.Sleep(time.Hour)
		if err := decode(evil); err != nil || decodes.Load() != 3 {
			t.Errorf("after an hour: %v, %d decodes", err, decodes.Load())
		}
	})
}

func TestPool_workersLostWhileWaiting_refuses(t *testing.T) {
	bubble(t, func(t *testing.T, p *pool) {
		until := make(chan struct{})
		hang(t.Context(), p, 50, until)
		hang(t.Context(), p, 50, until)
		time.Sleep(2 * time.Second)
		waiting := make(chan error, 1)
		go func() { waiting <- quick(p, 60) }() // comes in at 2 s, before the two are lost at 3 s; at 3.5 s they end
		time.Sleep(1500 * time.Millisecond)
		if err := quick(p, 1); !errors.Is(err, ErrWorkersLost) {
			t.Errorf("got %v", err)
		}
		close(until)
		if err := <-waiting; err != nil {
			t.Errorf("got %v", err)
		}
	})
}

func TestPool_fullMemory_waitsABoundedTime(t *testing.T) {
	bubble(t, func(t *testing.T, p *pool) {
		until := make(chan struct{})
		hang(t.Context(), p, 60, until)
		start := time.Now()
		if err := quick(p, 41); !errors.Is(err, ErrBusy) || time.Since(start) != 2*time.Second {
			t.Errorf("61 of 100 are taken: %v after %v", err, time.Since(start))
		}
		if err := quick(p, 40); err != nil {
			t.Errorf("what fits does not wait: %v", err)
		}
		close(until)
		synctest.Wait()
		if err := quick(p, 100); err != nil {
			t.Errorf("all there is: %v", err)
		}
		if err := quick(p, 101); !errors.Is(err, ErrTooLarge) || Transient(err) {
			t.Errorf("more than there is: %v", err)
		}
	})
}

func TestPool_fullQueue_refusesAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, p *pool) {
		until := make(chan struct{})
		for range 4 {
			hang(t.Context(), p, 1, until)
		}
		var queued []chan error
		for range 3 {
			queued = append(queued, hang(t.Context(), p, 1, until))
		}
		start := time.Now()
		if err := quick(p, 1); !errors.Is(err, ErrBusy) || time.Since(start) != 0 {
			t.Errorf("the fourth in the queue: %v after %v", err, time.Since(start))
		}
		close(until)
		for _, q := range queued {
			if err := <-q; err != nil {
				t.Errorf("queued: %v", err)
			}
		}
	})
}

func TestPool_callerLeaves_returnsAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, p *pool) {
		ctx, cancel := context.WithCancel(t.Context())
		until := make(chan struct{})
		running := hang(ctx, p, 60, until)
		queued := hang(ctx, p, 60, until)
		cancel()
		for name, err := range map[string]error{"running": <-running, "queued": <-queued} {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
		}
		time.Sleep(4 * time.Second)
		if p.Lost() != 1 {
			t.Errorf("%d lost: a worker whose caller left counts as well", p.Lost())
		}
		close(until)
		synctest.Wait()
		if err := quick(p, 100); err != nil {
			t.Errorf("its memory is not given back: %v", err)
		}
	})
}

func TestPool_nobodyWaits_workIsToldToStop(t *testing.T) {
	bubble(t, func(t *testing.T, p *pool) {
		_, err := run(t.Context(), p, file(), 1, func(stop *atomic.Bool) (int, error) {
			for !stop.Load() {
				time.Sleep(900 * time.Millisecond)
			}
			return 1, nil
		})
		synctest.Wait()
		if !errors.Is(err, ErrTimeout) || p.Lost() != 1 {
			t.Errorf("%v, %d lost", err, p.Lost())
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if p.Lost() != 0 {
			t.Errorf("%d lost after it stopped", p.Lost())
		}
	})
}

func TestPool_panic_isAnError(t *testing.T) {
	bubble(t, func(t *testing.T, p *pool) {
		for range 10 {
			_, err := run(t.Context(), p, file(), 100, func(*atomic.Bool) (int, error) { panic("index out of range") })
			if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "index out of range") {
				t.Errorf("got %v", err)
			}
		}
	})
}

func TestInput_stopped_readsNoFurther(t *testing.T) {
	var stop atomic.Bool
	in := (&input{stop: &stop}).stream([][]byte{make([]byte, 3000)})
	if n, err := in.Read(make([]byte, 3000)); n != inputBytes || err != nil {
		t.Errorf("read %d, %v", n, err)
	}
	stop.Store(true)
	if n, err := in.Read(make([]byte, 3000)); n != 0 || !errors.Is(err, errStopped) {
		t.Errorf("read %d, %v after the stop", n, err)
	}
}

func TestConfigValidate_outOfBounds_namesEach(t *testing.T) {
	if err := (Config{}).Validate(); err != nil {
		t.Errorf("zero: %v", err)
	}
	bad := Config{Workers: -1, MaxBytes: 1, Wait: -1, Deadline: time.Hour, Queue: 1 << 20}
	for _, word := range []string{"workers", "memory", "wait", "deadline", "queue"} {
		if err := bad.Validate(); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%s is not in %v", word, err)
		}
	}
}
