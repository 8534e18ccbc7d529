// Package tickets owns what was read of a page for the playground. A ticket is kept for an hour, in the database, so
// that any node can draw the page in every design. Its drawings are proofs: they are neither stored nor counted, and
// appear in no list.
//
//   - tickets.go: [Service.Open] starts reading a page, [Service.Wait] waits for it
//   - read.go: reading a page as one bounded job
//   - facts.go: what is kept of a page
//   - upload.go: the visitor's own logo
//   - choices.go: what a proof's address says about it
//   - proof.go: [Service.Proof] and [Service.Icons] draw, in workers of their own
//   - store.go: the rows
//
// Only the network that requested a ticket gets it: to all others it doesn't exist.
package tickets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"masthead/pkg/apperr"
	"masthead/pkg/base62"
	"masthead/pkg/card"
	"masthead/pkg/db"
	"masthead/pkg/fair"
	"masthead/pkg/identity"
	"masthead/pkg/limit"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
	"masthead/pkg/worker"
	"masthead/render/cache"
)

const (
	// idLength is the length of a ticket's ID: 130 bits.
	idLength = 22
	// lifetime is how long a ticket is kept.
	lifetime = time.Hour
	// networkTickets and mostTickets are how many tickets of a network, and in total, are kept: the oldest are deleted.
	networkTickets = 60
	mostTickets    = 4000
)

// Config has the limits of proofs, and the workers that draw them.
type Config struct {
	ProofRPM     int64 `name:"rpm-proofs" env:"MASTHEAD_RPM_PROOFS" default:"1500" help:"Proofs per minute and client address in the playground."`
	TicketProofs int64 `name:"ticket-proofs" env:"MASTHEAD_TICKET_PROOFS" default:"3000" help:"Proofs per page that was read for the playground, which is kept for an hour."`
	// Workers are those that draw proofs. Without a number of them, they are half of the processors.
	Workers worker.Config `kong:"-"`
	// ReadTime limits reading a page; 0 is 8 s.
	ReadTime time.Duration `kong:"-"`
}

// maxLimit is the upper bound of the settings.
const maxLimit = 10_000_000

// Validate reports invalid settings by variable name.
func (c Config) Validate() error {
	var faults []error
	if c.ProofRPM < 0 || c.ProofRPM > maxLimit {
		faults = append(faults, fmt.Errorf("MASTHEAD_RPM_PROOFS must be from 1 to %d, not %d", maxLimit, c.ProofRPM))
	}
	if c.TicketProofs < 0 || c.TicketProofs > maxLimit {
		faults = append(faults, fmt.Errorf("MASTHEAD_TICKET_PROOFS must be from 1 to %d, not %d", maxLimit, c.TicketProofs))
	}
	return errors.Join(faults...)
}

func (c Config) withDefaults() Config {
	c.ProofRPM = cmp.Or(c.ProofRPM, 1500)
	c.TicketProofs = cmp.Or(c.TicketProofs, 3000)
	c.ReadTime = cmp.Or(c.ReadTime, 8*time.Second)
	c.Workers.Workers = cmp.Or(c.Workers.Workers, max(1, runtime.GOMAXPROCS(0)/2))
	c.Workers.Name = "proofs"
	return c
}

// Deps are the service's dependencies.
type Deps struct {
	DB      *db.DB
	Limits  *limit.Store // nil counts in the memory of this process
	Scraper *scrape.Scraper
	// Decoder decodes uploaded logos.
	Decoder *picture.Decoder
	// Drawing are the workers of everything else that is drawn. Proofs have workers of their own, and wait behind what
	// waits for these.
	Drawing *worker.Pool
}

// Service has the tickets. It is safe for concurrent use.
type Service struct {
	cfg     Config
	store   store
	scraper *scrape.Scraper
	decoder *picture.Decoder
	now     func() time.Time

	// reading are the slots for reading pages, which networks get in turns; readings are the jobs of this node.
	reading  *fair.Pool
	readings readings
	polls    singleflight.Group

	drawing, workers *worker.Pool
	proofs           *fair.Pool
	perMinute        *limit.Window // proofs of a network
	perTicket        *limit.Window // proofs of a ticket
	read             *cache.Shared[string, *Ticket]
	drawn            *cache.Shared[string, *Proof]
	icons            *cache.Shared[string, *card.Result]
	metrics          *metrics
}

// Memory for tickets with their decoded pictures, and for recent proofs, in bytes.
const (
	ticketMemory = 64 << 20
	proofMemory  = 16 << 20
)

// New returns the service.
func New(cfg Config, deps Deps) *Service {
	cfg = cfg.withDefaults()
	workers := worker.New(cfg.Workers)
	s := &Service{
		cfg: cfg, store: store{deps.DB}, scraper: deps.Scraper, decoder: deps.Decoder, now: time.Now,
		drawing: deps.Drawing, workers: workers,
		reading: fair.NewPool(fair.Limits{
			Slots: readSlots, OwnerSlots: networkReads, Queue: readQueue, OwnerQueue: networkQueue, Displace: true,
		}),
		proofs: fair.NewPool(fair.Limits{
			Slots: workers.Workers(), OwnerSlots: workers.Workers(), Queue: proofQueue, OwnerQueue: ticketQueue,
			Wait: proofWait, Displace: true,
		}),
		perMinute: deps.Limits.Window("proofs"), perTicket: deps.Limits.Day("ticket"), metrics: newMetrics(),
	}
	s.readings.ctx, s.readings.stop = context.WithCancel(context.Background())
	s.read = cache.NewShared(ticketMemory, func(_ string, t *Ticket) int { return t.bytes() })
	s.drawn = cache.NewShared(proofMemory, func(key string, p *Proof) int { return len(key) + len(p.Bytes) + 512 })
	s.icons = cache.NewShared(proofMemory, func(key string, d *card.Result) (n int) {
		for i := range d.Files {
			n += len(d.Files[i].Bytes)
		}
		return n + len(key) + 4096
	})
	return s
}

// Workers are those that draw proofs: half of the processors, after everything that waits for other drawing.
func (s *Service) Workers() *worker.Pool { return s.workers }

// State is the state of a ticket.
type State string

// The states.
const (
	Reading State = "READING"
	Ready   State = "READY"
	Failed  State = "FAILED"
)

// Ticket is what was read of a page. It must not be modified.
type Ticket struct {
	ID    string
	State State
	// Page is the address as requested; Facts has the final one.
	Page      weburl.URL
	CreatedAt time.Time
	Facts     Facts

	network string
	site    scrape.Result
	logo    *scrape.Picture
	// upload is the logo that the visitor uploaded, or nil.
	upload *upload
}

// Open starts reading the page at an address and returns the ticket's ID at once. bare means that the caller didn't say
// whether it is https: then http is tried, too.
//
// It returns BAD_REQUEST for an invalid address, and UNAVAILABLE if too many pages are being read.
func (s *Service) Open(ctx context.Context, caller identity.Caller, address string, bare bool) (string, error) {
	u, err := weburl.Parse(address)
	if err != nil {
		return "", err
	}
	if s.reading.Len() >= readSlots+readQueue {
		busy := apperr.New(apperr.Unavailable, "Too many pages are being read. Try again in a few seconds.")
		busy.RetryAfter = 5 * time.Second
		return "", busy
	}
	t := &Ticket{
		ID: base62.Random(idLength), State: Reading, Page: u, network: caller.Network(),
		CreatedAt: s.now().Truncate(time.Millisecond),
	}
	if err := s.store.insert(ctx, t); err != nil {
		return "", err
	}
	s.readings.begin(s, t, bare)
	return t.ID, nil
}

// idForm is the form of a ticket's ID.
var idForm = regexp.MustCompile(`^[0-9A-Za-z]{22}$`)

// errNoTicket is the error for a ticket that doesn't exist, has expired or belongs to another network.
func errNoTicket() error {
	return apperr.New(apperr.NotFound, "There is no such page in the playground any more. Read the page again.")
}

// Find returns a ticket of the caller's network, whatever its state.
func (s *Service) Find(ctx context.Context, caller identity.Caller, id string) (*Ticket, error) {
	if !idForm.MatchString(id) {
		return nil, errNoTicket()
	}
	t, ok := s.read.Get(id)
	if !ok {
		found, err := s.store.get(ctx, id)
		if err != nil {
			return nil, err
		}
		if found.network != caller.Network() { // before its pictures are loaded
			return nil, errNoTicket()
		}
		if t, err = s.load(ctx, found); err != nil {
			return nil, err
		}
	}
	if t.network != caller.Network() || s.now().Sub(t.CreatedAt) >= lifetime {
		return nil, errNoTicket()
	}
	return t, nil
}

// load adds the pictures of a ticket that was read, and keeps it in memory.
func (s *Service) load(ctx context.Context, t *Ticket) (*Ticket, error) {
	if t.State == Reading {
		if s.now().Sub(t.CreatedAt) > s.cfg.ReadTime+lostTime { // the node that read it was killed
			t.State, t.Facts.Fault = Failed, Fault{
				Headline: "Reading the page was interrupted", Detail: "Read the page again.", Code: apperr.Unavailable,
			}
		}
		return t, nil
	}
	pictures, err := s.store.pictures(ctx, t.ID)
	if err != nil {
		return nil, err
	}
	if err := t.restore(pictures); err != nil {
		return nil, fmt.Errorf("restore ticket: %w", err)
	}
	s.read.Put(t.ID, t)
	return t, nil
}

// pollEvery is how often a ticket that another node reads is looked up.
const pollEvery = 200 * time.Millisecond

// Wait returns a ticket once its page was read, or reading it failed; until ctx ends. On the node that reads it, steps
// gets the steps of progress. If it isn't done when patience has passed, Wait calls late once.
func (s *Service) Wait(
	ctx context.Context, caller identity.Caller, id string, patience time.Duration, late func(), steps func(scrape.Step),
) (*Ticket, error) {
	t, err := s.Find(ctx, caller, id)
	if err != nil || t.State != Reading {
		return t, err
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	isLate := false
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	told := 0
	for {
		progress, changed := s.readings.progress(id)
		if isLate {
			for ; told < len(progress); told++ {
				steps(progress[told])
			}
		}
		poll := ticker.C
		if changed != nil {
			poll = nil // this node knows when it is done
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-timer.C:
			isLate = true
			late()
			continue
		case <-changed:
			if _, running := s.readings.progress(id); running != nil {
				continue
			}
		case <-poll:
		}
		if t, err = s.poll(ctx, caller, id); err != nil || t.State != Reading {
			return t, err
		}
	}
}

// poll is Find, once for all who wait for the same ticket.
func (s *Service) poll(ctx context.Context, caller identity.Caller, id string) (*Ticket, error) {
	found := s.polls.DoChan(caller.Network()+" "+id, func() (any, error) {
		return s.Find(context.WithoutCancel(ctx), caller, id)
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-found:
		t, _ := r.Val.(*Ticket)
		return t, r.Err
	}
}

// sweepEvery is how often expired tickets are deleted. Until then they can't be read any more.
const sweepEvery = time.Minute

// Run deletes expired tickets until ctx ends.
func (s *Service) Run(ctx context.Context) {
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		if err := s.Sweep(ctx); err != nil && ctx.Err() == nil {
			slog.ErrorContext(ctx, "expired tickets weren't deleted", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// Sweep deletes expired tickets.
func (s *Service) Sweep(ctx context.Context) error { return s.store.expire(ctx, s.now()) }

// Usable returns nil while proofs can be drawn: see [worker.Pool.Usable].
func (s *Service) Usable() error { return s.workers.Usable() }

// Close interrupts what is being read, and waits for it until ctx ends.
func (s *Service) Close(ctx context.Context) {
	s.readings.stop()
	done := make(chan struct{})
	go func() { defer close(done); s.readings.running.Wait() }()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// readings are the pages that this node is reading.
type readings struct {
	ctx     context.Context // ends with the service
	stop    context.CancelFunc
	running sync.WaitGroup

	mu sync.Mutex
	of map[string]*reading
}

// reading is one of them; readings.mu guards it. changed is closed and replaced at each step.
type reading struct {
	steps   []scrape.Step
	changed chan struct{}
}

// progress returns the steps of a reading so far, and a channel that is closed with the next one or its end. The
// channel is nil if this node isn't reading the ticket's page.
func (r *readings) progress(id string) ([]scrape.Step, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	one := r.of[id]
	if one == nil {
		return nil, nil
	}
	return one.steps, one.changed
}

// maxSteps bounds the steps kept for those who come later.
const maxSteps = 32

func (r *readings) step(id string, step scrape.Step) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if one := r.of[id]; one != nil && len(one.steps) < maxSteps {
		one.steps = append(one.steps[:len(one.steps):len(one.steps)], step)
		close(one.changed)
		one.changed = make(chan struct{})
	}
}

func (r *readings) begin(s *Service, t *Ticket, bare bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil {
		r.of = map[string]*reading{}
	}
	r.of[t.ID] = &reading{changed: make(chan struct{})}
	r.running.Go(func() {
		defer r.end(t.ID)
		s.readPage(r.ctx, t, bare)
	})
}

func (r *readings) end(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.of[id].changed)
	delete(r.of, id)
}
