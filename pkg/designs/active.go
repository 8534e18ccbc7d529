package designs

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/sync/singleflight"

	"masthead/pkg/apperr"
	"masthead/pkg/card"
	"masthead/pkg/db"
	"masthead/render"
	"masthead/render/cache"
	"masthead/render/design"
)

const (
	// fresh is how long the designs of a project are cached; changes on other nodes take effect after that.
	fresh = 2 * time.Second
	// maxProjects bounds the projects whose designs are cached.
	maxProjects = 10_000
	// maxCompiled bounds the memory of compiled designs in bytes.
	maxCompiled = 64 << 20
)

// active caches the active designs of projects, and compiled designs. It is safe for concurrent use.
type active struct {
	known   simplelru.LRUCache[string, snapshot] // by project
	changes atomic.Int64                         // on this node; what was read before one isn't cached
	flight  singleflight.Group

	mu       sync.Mutex
	compiled *cache.Cache[string, compiledDesign] // by digest
}

// snapshot has the designs of a project as of a point in time.
type snapshot struct {
	bySlug map[string]Design
	at     time.Time
}

// compiledDesign is a compiled design with the memory that it took when it was used last.
type compiledDesign struct {
	*design.Design
	bytes int
}

func newActive() *active {
	known, err := lru.New[string, snapshot](maxProjects)
	if err != nil {
		panic(err) // it fails only for an invalid size
	}
	return &active{known: known, compiled: cache.New(maxCompiled, func(_ string, d compiledDesign) int {
		return d.bytes + 1<<10
	})}
}

// forget drops what is cached of a project, since this node has changed it.
func (a *active) forget(projectID string) {
	a.changes.Add(1)
	a.known.Remove(projectID)
}

// Active returns the design of a slug in a project, compiled, or nil if there is none.
func (s *Service) Active(ctx context.Context, projectID, slug string) (*card.Design, error) {
	list, err := s.snapshot(ctx, projectID)
	if err != nil {
		return nil, err
	}
	found, ok := list.bySlug[slug]
	if !ok {
		return nil, nil //nolint:nilnil // no error, and no design
	}
	return s.compiledOf(ctx, found)
}

// ByID is Active for the design with an id, of any owner.
func (s *Service) ByID(ctx context.Context, projectID, id string) (slug string, d *card.Design, err error) {
	list, err := s.snapshot(ctx, projectID)
	if err != nil {
		return "", nil, err
	}
	for _, found := range list.bySlug {
		if found.ID == id {
			d, err := s.compiledOf(ctx, found)
			return found.Slug, d, err
		}
	}
	return "", nil, apperr.New(apperr.NotFound, noDesign)
}

// snapshot returns the designs of a project, at most 2 s old.
func (s *Service) snapshot(ctx context.Context, projectID string) (snapshot, error) {
	if l, ok := s.active.known.Get(projectID); ok && s.now().Sub(l.at).Abs() < fresh {
		return l, nil
	}
	result := s.active.flight.DoChan("project "+projectID, func() (any, error) {
		began, changes := s.now(), s.active.changes.Load()
		ctx, cancel := context.WithTimeout(db.Detached(ctx), fresh)
		defer cancel()
		all, err := s.store.ofProject(ctx, projectID)
		if err != nil {
			return snapshot{}, err
		}
		l := snapshot{map[string]Design{}, began}
		for _, d := range all {
			l.bySlug[d.Slug] = d
		}
		if s.active.changes.Load() == changes {
			s.active.known.Add(projectID, l)
		}
		return l, nil
	})
	select {
	case <-ctx.Done():
		return snapshot{}, ctx.Err()
	case r := <-result:
		l, _ := r.Val.(snapshot)
		return l, r.Err
	}
}

// compiledOf returns a design compiled, once for each version as long as it is cached.
func (s *Service) compiledOf(ctx context.Context, d Design) (*card.Design, error) {
	s.active.mu.Lock()
	found, ok := s.active.compiled.Get(d.Digest)
	if ok {
		if now := found.Size(); now != found.bytes { // it keeps other documents than before
			found.bytes = now
			s.active.compiled.Put(d.Digest, found)
		}
	}
	s.active.mu.Unlock()
	if ok {
		return &card.Design{ID: d.ID, Design: found.Design}, nil
	}
	result := s.active.flight.DoChan("design "+d.Digest, func() (any, error) {
		ctx, cancel := context.WithTimeout(db.Detached(ctx), fresh)
		defer cancel()
		source, err := s.store.source(ctx, d.ID, d.Version)
		if err != nil {
			return nil, err
		}
		compiled, err := compile(source)
		if err != nil {
			return nil, err
		}
		s.active.mu.Lock()
		defer s.active.mu.Unlock()
		s.active.compiled.Put(d.Digest, compiledDesign{compiled, compiled.Size()})
		return compiled, nil
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-result:
		if r.Err != nil {
			return nil, faultOf(r.Err)
		}
		compiled, _ := r.Val.(*design.Design)
		return &card.Design{ID: d.ID, Design: compiled}, nil
	}
}

// compile compiles a document, with the facts of the sample page to try it with.
func compile(source string) (*design.Design, error) { return design.Compile(source, sampleFacts()) }

// sampleFacts are the facts of the sample page, all of them known.
var sampleFacts = sync.OnceValue(func() map[string]any {
	r, _ := render.Sample(render.DefaultTemplate)
	facts := r.Facts()
	for name, address := range map[string]string{
		"icon": render.IconAddress, "image": render.ImageAddress, "portrait": render.PortraitAddress,
		"logo": render.LogoAddress, "url": "https://northlane.dev/blog/render-queue",
	} {
		facts[name] = address
	}
	return facts
})
