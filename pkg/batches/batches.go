// Package batches has the images that are drawn in the background, many at a time: what is accepted, and what came of
// it.
//
//   - batches.go: accepting batches, and reading them
//   - run.go: drawing one entry, as a job
//   - store.go: the SQL; http.go: the operations
//
// Every entry is a job (package jobs), so entries survive the end of a process, and all nodes draw them. Owners take
// turns. A node draws few at a time, and lets drawings for callers who wait come first.
package batches

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"masthead/pkg/apperr"
	"masthead/pkg/billing"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/humanize"
	"masthead/pkg/identity"
	"masthead/pkg/images"
	"masthead/pkg/jobs"
	"masthead/pkg/projects"
	"masthead/pkg/users"
)

const (
	// keptFor is how long a batch is kept after its last entry has its result.
	keptFor = 7 * 24 * time.Hour
	// maxKept is how many batches with all their results an account has; the oldest are deleted.
	maxKept = 1000
)

// Batch is a number of images that are drawn in the background.
type Batch struct {
	ID string
	// ProjectID is the project of all its entries; "" if there are several.
	ProjectID string
	// Total is the number of entries, Waiting that of those without a result, and Failed that of those with a problem.
	Total, Waiting, Failed int
	CreatedAt              time.Time
	EndedAt                time.Time // zero before the last entry has its result
}

// ExpiresAt is when the batch is deleted; zero before it is done.
func (b Batch) ExpiresAt() time.Time {
	if b.EndedAt.IsZero() {
		return time.Time{}
	}
	return b.EndedAt.Add(keptFor)
}

// State is that of an entry.
type State string

// The states.
const (
	Waiting State = "WAITING"
	Done    State = "DONE"
	Failed  State = "FAILED"
)

// Entry is one image of a batch.
type Entry struct {
	// Index is its position in the batch, from 0.
	Index int
	URL   string
	State State
	// ImageID and PublicURL are those of the image if it is done.
	ImageID, PublicURL string
	// Problem is why there is no image if it failed; otherwise nil.
	Problem *Problem
}

// Problem is an error as a caller of POST /images/generate would have got it.
type Problem struct {
	Code   apperr.Code    `json:"code"`
	Detail string         `json:"detail"`
	Fields []apperr.Field `json:"fields,omitempty"`
}

// New is an entry of a new batch.
type New struct {
	ProjectID, URL string
	// Request is a body of POST /images/generate.
	Request json.RawMessage
}

// Drawer draws images; an [images.Service].
type Drawer interface {
	Generate(ctx context.Context, caller identity.Caller, r images.Request) (images.Record, error)
}

// Deps are what a [Service] needs.
type Deps struct {
	DB       *db.DB
	Users    *users.Service
	Projects *projects.Service
	Plans    *billing.Service
	Images   Drawer
	Jobs     *jobs.Worker
	// AtOnce is how many entries a node draws at a time.
	AtOnce int
}

// Service has the batches. It is safe for concurrent use.
type Service struct {
	store store
	deps  Deps
	queue *jobs.Queue
	now   func() time.Time
}

// NewService returns a service, which draws entries as jobs of deps.Jobs.
func NewService(deps Deps) *Service {
	s := &Service{store: store{deps.DB}, deps: deps, now: time.Now}
	s.queue = deps.Jobs.Handle("batch entry", jobs.Work{
		Do: s.draw, Fail: s.fail, AtOnce: max(1, deps.AtOnce), Time: drawTime, Attempts: maxTries,
		Pause: jobs.Pauses(10*time.Second, time.Minute),
	})
	return s
}

// Create accepts a batch of the caller, whose images are drawn in the background. FORBIDDEN for a project that the key
// can't use, TIER_LOCKED if more entries would wait than the plan allows; then none is accepted.
func (s *Service) Create(ctx context.Context, caller identity.Caller, entries []New) (Batch, error) {
	if caller.ResourceID != "" { // an earlier attempt at the same request may have created it
		made, err := s.store.get(ctx, caller.UserID, caller.ResourceID)
		if apperr.CodeOf(err) != apperr.NotFound {
			return made, err
		}
	}
	project, err := s.allowed(ctx, caller, entries)
	if err != nil {
		return Batch{}, err
	}
	plan, err := s.deps.Plans.PlanOf(ctx, caller.UserID)
	if err != nil {
		return Batch{}, err
	}
	made := Batch{
		ID: caller.ResourceID, ProjectID: project, Total: len(entries), Waiting: len(entries), CreatedAt: db.Moment(s.now()),
	}
	if made.ID == "" {
		made.ID = db.NewID()
	}
	err = s.deps.DB.InTx(ctx, func(tx *db.Tx) error { return s.accept(ctx, tx, caller, plan, made, entries) })
	if db.IsForeignKey(err) {
		return Batch{}, apperr.Wrap(apperr.Forbidden, "The account or the project was deleted meanwhile.", err)
	}
	return made, err
}

// allowed returns the one project of all entries, or "" if there are several; FORBIDDEN if the caller can't use one.
func (s *Service) allowed(ctx context.Context, caller identity.Caller, entries []New) (project string, err error) {
	known := map[string]bool{}
	for i, e := range entries {
		if known[e.ProjectID] {
			continue
		}
		known[e.ProjectID] = true
		_, err := s.deps.Projects.Recent(ctx, caller, e.ProjectID)
		if apperr.CodeOf(err) == apperr.NotFound || caller.KeyProjectID != "" && caller.KeyProjectID != e.ProjectID {
			return "", forbidden(i)
		}
		if err != nil {
			return "", err
		}
	}
	if len(known) == 1 {
		return entries[0].ProjectID, nil
	}
	return "", nil
}

func forbidden(index int) error {
	e := apperr.New(apperr.Forbidden, fmt.Sprintf("This key may not use the project of request %d. projectId must be "+
		"the id of a project of the key's account and, for a key of one project, of that project.", index))
	e.Fields = []apperr.Field{{Pointer: fmt.Sprintf("/requests/%d/projectId", index), Detail: "This key may not use it."}}
	return e
}

// accept stores a batch with its entries and enqueues their jobs, unless too many entries of the account wait.
func (s *Service) accept(
	ctx context.Context, tx *db.Tx, caller identity.Caller, plan billing.Plan, b Batch, entries []New,
) error {
	if err := tx.Lock(ctx, "batches of "+caller.UserID); err != nil {
		return err
	}
	waiting, err := countWaiting(ctx, tx, caller.UserID)
	if err != nil {
		return err
	}
	if waiting+len(entries) > plan.BatchRequests {
		return apperr.New(apperr.TierLocked, fmt.Sprintf("The plan %s allows %d waiting requests of batches, and %s. "+
			"Send fewer, wait until some are done, or change the plan.", humanize.Capital(plan.Name), plan.BatchRequests,
			waitingWords(waiting)))
	}
	if err := insert(ctx, tx, caller, b, entries); err != nil {
		return err
	}
	if err := keepLatest(ctx, tx, caller.UserID, maxKept); err != nil {
		return err
	}
	keys := make([]string, len(entries))
	for i := range entries {
		keys[i] = keyOf(b.ID, i)
	}
	return s.queue.EnqueueAll(ctx, tx, caller.UserID, keys)
}

func waitingWords(waiting int) string {
	switch waiting {
	case 0:
		return "none is waiting"
	case 1:
		return "one is waiting already"
	}
	return fmt.Sprintf("%d are waiting already", waiting)
}

// Get returns a batch of the caller and a page of its entries in their order, with the cursor of the next page. A key
// of one project finds only batches whose entries are all for it.
func (s *Service) Get(
	ctx context.Context, caller identity.Caller, id string, p cursor.Page,
) (b Batch, page []Entry, next string, err error) {
	b, err = s.store.get(ctx, caller.UserID, id)
	if err == nil && caller.KeyProjectID != "" && caller.KeyProjectID != b.ProjectID {
		err = apperr.New(apperr.NotFound, noBatch)
	}
	if err != nil {
		return Batch{}, nil, "", err
	}
	page, next, err = cursor.Forward(p, func(e Entry) int64 { return int64(e.Index) },
		func(first int64, limit int) ([]Entry, error) { return s.store.entries(ctx, id, first, limit) })
	return b, page, next, err
}

// Sweep deletes batches 7 days after they are done.
func (s *Service) Sweep(ctx context.Context) error {
	return s.store.sweep(ctx, s.now().Add(-keptFor))
}

// keyOf is the key of the job of an entry.
func keyOf(batchID string, index int) string { return fmt.Sprintf("%s/%d", batchID, index) }

// entryOf reads a key of keyOf.
func entryOf(key string) (batchID string, index int, err error) {
	const idLength = 36
	if len(key) <= idLength || key[idLength] != '/' {
		return "", 0, errors.New("no entry has the key " + key)
	}
	_, err = fmt.Sscanf(key[idLength+1:], "%d", &index)
	return key[:idLength], index, err
}

// resourceOf is the UUID of what an entry makes, the same at each attempt: an AI picture costs one unit.
func resourceOf(batchID string, index int) string {
	return uuid.NewSHA1(uuid.MustParse(batchID), []byte(fmt.Sprint(index))).String()
}
