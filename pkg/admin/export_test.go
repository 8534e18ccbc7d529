package admin

import "time"

// SetNow replaces the clock.
func (s *Service) SetNow(now func() time.Time) { s.clock.Set(now) }

// SetCounting replaces how many images a statement counts, and how long a request counts; and forgets all figures.
func (s *Service) SetCounting(slice int, limit time.Duration) {
	s.counter.mu.Lock()
	defer s.counter.mu.Unlock()
	s.counter.slice, s.counter.limit, s.counter.latest, s.counter.many = slice, limit, figures{}, false
}
