package apptest

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/worker"
)

// Spinner has work of a pool compute without end, as a mistake in a drawing would: nothing but Release interrupts it.
// Its Begin goes into a [worker.Config].
type Spinner struct {
	released atomic.Bool
	spinning atomic.Int64

	mu    sync.Mutex
	armed map[string]int // by stage
	begun map[string]int // by stage
}

// NewSpinner returns a spinner that is released at the end of the test: after the services that are started after it.
func NewSpinner(t *testing.T) *Spinner {
	s := &Spinner{armed: map[string]int{}, begun: map[string]int{}}
	t.Cleanup(s.Release)
	return s
}

// Arm has the next n works of a stage spin.
func (s *Spinner) Arm(stage string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.armed[stage] += n
}

// Begun is how many works of a stage have begun.
func (s *Spinner) Begun(stage string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begun[stage]
}

// Spinning is how many works spin.
func (s *Spinner) Spinning() int { return int(s.spinning.Load()) }

// Release ends the spinning.
func (s *Spinner) Release() { s.released.Store(true) }

// Begin is called in a worker before its work.
func (s *Spinner) Begin(w worker.Work) {
	s.mu.Lock()
	s.begun[w.Stage]++
	spin := s.armed[w.Stage] > 0
	if spin {
		s.armed[w.Stage]--
	}
	s.mu.Unlock()
	if !spin {
		return
	}
	s.spinning.Add(1)
	defer s.spinning.Add(-1)
	for began := time.Now(); !s.released.Load(); {
		if runtime.Gosched(); time.Since(began) > 100*time.Millisecond {
			time.Sleep(time.Millisecond) // the other tests of the process need its processors, under the race detector too
		}
	}
}
