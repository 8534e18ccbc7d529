// Package designs manages designs of users: HTML documents that the facts of a page are filled into. A design belongs
// to a project, where its slug is a template of requests. Each change of its document is a new version; versions never
// change.
//
//   - designs.go: the [Service]: list, get, create, change, delete, versions
//   - active.go: [Service.Active], the compiled design of a slug, as images draw it
//   - preview.go: [Service.Preview], a picture that isn't stored; check.go: [Service.Check], what is wrong with it
//   - undo.go: deleting a design in a way that can be taken back
//   - draft.go: what people have changed and not published
//   - http.go: the operations; store.go: the SQL
package designs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"regexp"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/assets"
	"masthead/pkg/billing"
	"masthead/pkg/card"
	"masthead/pkg/cleantext"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
	"masthead/pkg/picture/svg"
	"masthead/pkg/projects"
	"masthead/pkg/scrape"
	"masthead/pkg/undo"
	"masthead/pkg/worker"
	"masthead/render"
	"masthead/render/design"
)

const (
	// MaxVersions is how many versions of a design are kept, besides the active one.
	MaxVersions = 50
	maxSlug     = 64
)

// Design is a design of a project, without its document.
type Design struct {
	ID, ProjectID string
	Slug          string
	Name          string
	// Version is the active version, from 1; Digest and SizeBytes are those of its document.
	Version   int
	Digest    string
	SizeBytes int64
	// Sizes are those in pixels that the document lists: see [design.SizesName].
	Sizes []image.Point
	// Images is how many stored images are drawn with it, and Outdated how many of them are still to be redrawn; only in
	// lists.
	Images, Outdated     int
	CreatedAt, UpdatedAt time.Time
}

// Document is a design with the document of one version, whose number, digest and size the Design has.
type Document struct {
	Design
	HTML string
	// Warnings are what isn't drawn as in a browser, with the facts of a sample page, after a change; otherwise nil.
	Warnings []design.Warning
}

// Version is a version of a design.
type Version struct {
	Number    int
	Digest    string
	SizeBytes int64
	Sizes     []image.Point // as in [Design]
	Active    bool
	// KeyID is the API key that added it, or "".
	KeyID     string
	CreatedAt time.Time
}

// NewDesign describes a design to create.
type NewDesign struct{ ProjectID, Slug, Name, HTML string }

// Update is a change of a design; nil fields stay unchanged.
type Update struct {
	Name, HTML *string
	// BaseVersion is the version that must be the active one, or 0 for any.
	BaseVersion int
}

// ActivationHook is called in the transaction in which another version of a design becomes the active one.
type ActivationHook func(ctx context.Context, tx *db.Tx, designID string) error

// Deps are what the service is built on.
type Deps struct {
	DB       *db.DB
	Projects *projects.Service
	Plans    *billing.Service
	Assets   *assets.Service
	Scraper  *scrape.Scraper
	SVG      *svg.Engine
	// Drawing are the workers that draw previews.
	Drawing *worker.Pool
	// Activated are called in the transaction in which another version of a design becomes the active one.
	Activated []ActivationHook
	// Events are told of changes: [events.DesignChanged].
	Events *events.Bus
	// Jobs delete designs whose deletion could be taken back.
	Jobs *jobs.Worker
}

// Service manages designs. It is safe for concurrent use.
type Service struct {
	store     store
	projects  *projects.Service
	plans     *billing.Service
	assets    *assets.Service
	svg       *svg.Engine
	maker     *card.Maker
	active    *active
	activated []ActivationHook
	events    *events.Bus
	deletions *undo.Deletions
	now       func() time.Time
}

// New returns a service.
func New(deps Deps) *Service {
	s := &Service{
		store: store{deps.DB}, projects: deps.Projects, plans: deps.Plans, assets: deps.Assets, svg: deps.SVG,
		active: newActive(), activated: deps.Activated, events: deps.Events, now: time.Now,
	}
	s.maker = card.NewMaker(deps.Scraper, deps.Drawing, nil).KeepPages(func() time.Time { return s.now() })
	s.deletions = s.newDeletions(deps.Jobs)
	return s
}

// slugForm is the form of a slug. Source: openapi.yaml.
var slugForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// checkSlug returns an error for a slug that a design can't have.
func checkSlug(slug string) error {
	if len(slug) > maxSlug || !slugForm.MatchString(slug) {
		return apperr.Invalid("/slug", fmt.Sprintf(
			"slug must have lower-case letters and digits, with single hyphens between them, and at most %d of them.", maxSlug))
	}
	if _, ok := render.Lookup(slug, ""); ok || slug == card.AutoTemplate {
		return apperr.Invalid("/slug", "This slug is that of a template of the service. Choose another one.")
	}
	return nil
}

// Create creates a design in a project of the caller. It returns BAD_REQUEST for a faulty document, with its line and
// column, TIER_LOCKED if the plan has no room, and CONFLICT if the project has a design with this slug.
func (s *Service) Create(ctx context.Context, caller identity.Caller, n NewDesign) (Document, error) {
	name, nameErr := cleantext.Name(cmp.Or(n.Name, n.Slug))
	slugErr := checkSlug(n.Slug)
	if slugErr != nil && n.Name == "" {
		nameErr = nil
	}
	if err := apperr.JoinInvalid(slugErr, nameErr); err != nil {
		return Document{}, err
	}
	project, err := s.projects.Get(ctx, caller, n.ProjectID)
	if err != nil {
		return Document{}, err
	}
	plan, err := s.plans.PlanOf(ctx, caller.UserID)
	if err != nil {
		return Document{}, err
	}
	warnings, err := s.check(ctx, n.HTML)
	if err != nil {
		return Document{}, err
	}
	sizes, err := design.SizesOf(n.HTML)
	if err != nil {
		return Document{}, faultOf(err)
	}
	now := db.Moment(s.now())
	d := Document{Design: Design{
		ID: db.NewID(), ProjectID: project.ID, Slug: n.Slug, Name: name, Version: 1, Digest: design.Digest(n.HTML),
		SizeBytes: int64(len(n.HTML)), Sizes: sizes, CreatedAt: now, UpdatedAt: now,
	}, HTML: n.HTML, Warnings: warnings}
	err = s.store.insert(ctx, caller, d, plan)
	s.changed(project.ID, project.PublicID)
	switch {
	case db.IsForeignKey(err):
		return Document{}, apperr.Wrap(apperr.NotFound, "The project was deleted meanwhile.", err)
	case db.IsUnique(err):
		return Document{}, apperr.Wrap(apperr.Conflict, "The project has a design with this slug, or had one "+
			"that was deleted in the last minute.", err)
	}
	return d, err
}

// Get returns a design of the caller with the document of a version, 0 for the active one.
func (s *Service) Get(ctx context.Context, caller identity.Caller, id string, version int) (Document, error) {
	return s.store.get(ctx, caller, id, version)
}

// List returns a page of the caller's designs, newest first, and the cursor of the next page, or "" on the last page;
// of one project unless projectID is "".
func (s *Service) List(
	ctx context.Context, caller identity.Caller, projectID string, p cursor.Page,
) (page []Design, next string, err error) {
	return cursor.List(p, func(d Design) string { return d.ID }, func(before string, limit int) ([]Design, error) {
		return s.store.list(ctx, caller, projectID, before, limit)
	})
}

// Versions returns the versions of a design that are kept, newest first.
func (s *Service) Versions(ctx context.Context, caller identity.Caller, id string) ([]Version, error) {
	if _, err := s.store.get(ctx, caller, id, 0); err != nil {
		return nil, err
	}
	return s.store.versions(ctx, id)
}

// Update changes a design. Another document becomes its next version. It returns CONFLICT if another version than
// u.BaseVersion is the active one.
func (s *Service) Update(ctx context.Context, caller identity.Caller, id string, u Update) (Document, error) {
	if u.Name != nil {
		name, err := cleantext.Name(*u.Name)
		if err != nil {
			return Document{}, err
		}
		u.Name = &name
	}
	before, err := s.store.get(ctx, caller, id, 0)
	if err != nil {
		return Document{}, err
	}
	var warnings []design.Warning
	if u.HTML != nil {
		if warnings, err = s.check(ctx, *u.HTML); err != nil {
			return Document{}, err
		}
	}
	changed, err := s.store.update(ctx, caller, id, u, db.Moment(s.now()), s.activate)
	s.changedOf(ctx, caller, before.ProjectID)
	changed.Warnings = warnings
	return changed, err
}

// Restore makes a version of a design the active one.
func (s *Service) Restore(ctx context.Context, caller identity.Caller, id string, version int) (Document, error) {
	before, err := s.store.get(ctx, caller, id, version)
	if err != nil {
		return Document{}, err
	}
	restored, err := s.store.restore(ctx, caller, id, version, db.Moment(s.now()), s.activate)
	s.changedOf(ctx, caller, before.ProjectID)
	return restored, err
}

// activate calls what follows the activation of a version.
func (s *Service) activate(ctx context.Context, tx *db.Tx, designID string) error {
	for _, call := range s.activated {
		if err := call(ctx, tx, designID); err != nil {
			return err
		}
	}
	return nil
}

// changed forgets what is cached of a project whose designs were changed, and says so.
func (s *Service) changed(projectID, publicID string) {
	s.active.forget(projectID)
	events.DesignChanged.Noticed(s.events, "", events.Project{ProjectId: projectID, PublicId: publicID})
}

// changedOf is changed for a project of the caller.
func (s *Service) changedOf(ctx context.Context, caller identity.Caller, projectID string) {
	project, err := s.projects.Recent(ctx, caller, projectID)
	if err != nil { // then it was deleted meanwhile, or its cached designs expire
		project.PublicID = ""
	}
	s.changed(projectID, project.PublicID)
}

// Delete deletes a design with its versions. Images that were drawn with it stay.
func (s *Service) Delete(ctx context.Context, caller identity.Caller, id string) error {
	before, err := s.store.get(ctx, caller, id, 0)
	if err != nil {
		return err
	}
	err = s.store.delete(ctx, caller, id)
	s.changedOf(ctx, caller, before.ProjectID)
	return err
}

// faultOf returns an error of a document as one about the html of a request.
func faultOf(err error) error {
	var fault *design.Error
	if errors.As(err, &fault) {
		return apperr.Invalid("/html", fault.Error())
	}
	return err
}
