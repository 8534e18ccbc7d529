// Package projects owns the projects: what images belong to, the public ids under which meta tags name them, and the
// domains whose pages the public endpoint may draw.
package projects

import (
	"cmp"
	"context"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/base62"
	"masthead/pkg/cleantext"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/identity"
)

// maxProjects is how many projects an account has at most.
const maxProjects = 100

// PublicIDLength is how many base62 characters the public id of a project has.
const PublicIDLength = 12

// Project is what images belong to.
type Project struct {
	ID       string
	PublicID string // 12 base62 characters; it stands in HTML and is no secret
	OwnerID  string
	Name     string // not unique
	// Domains are host names in ASCII and IP addresses, normalised; a name covers its subdomains. With none the public
	// endpoint draws no page.
	Domains []string
	// PublicAI says whether the public endpoint may draw AI pictures.
	PublicAI             bool
	CreatedAt, UpdatedAt time.Time
}

// NewProject is a project to be made.
type NewProject struct {
	// ID is a UUID; "" for a fresh one. The caller's project that has it already is the one that was asked for: it was
	// made by an attempt at the same request.
	ID string
	// PublicID is "" for a fresh one; the demo's stands in the document.
	PublicID string
	Name     string
	Domains  []string
	PublicAI bool
}

// Update is a change of a project; nil leaves a field as it is.
type Update struct {
	Name     *string
	Domains  *[]string
	PublicAI *bool
}

// Service keeps the projects. It is safe for concurrent use.
type Service struct {
	store  store
	public *recent // by public id
	owned  *recent // by owner and id: see ownedKey
	now    func() time.Time

	// Deleted, which is set before the service is used, is told of every project that was deleted, by its id.
	Deleted func(projectID string)
	// Changed, likewise, is told of every project that was changed or deleted, by its public id.
	Changed func(publicID string)
}

// New returns the service of the projects in d.
func New(d *db.DB) *Service {
	return &Service{
		store: store{d}, public: newRecent(true), owned: newRecent(false), now: time.Now,
		Deleted: func(string) {}, Changed: func(string) {},
	}
}

// Create makes a project of the caller; Conflict when there are as many as there may be.
func (s *Service) Create(ctx context.Context, caller identity.Caller, n NewProject) (Project, error) {
	name, nameErr := cleantext.Name(n.Name)
	domains, domainsErr := normalDomains(n.Domains)
	err := apperr.JoinInvalid(nameErr, domainsErr)
	if err != nil {
		return Project{}, err
	}
	now := db.Moment(s.now())
	if n.ID == "" {
		n.ID = db.NewID()
	}
	p := Project{
		ID: n.ID, PublicID: cmp.Or(n.PublicID, base62.Random(PublicIDLength)), OwnerID: caller.UserID, Name: name,
		Domains: domains, PublicAI: n.PublicAI, CreatedAt: now, UpdatedAt: now,
	}
	err = s.store.insert(ctx, p, maxProjects)
	switch {
	case db.IsForeignKey(err):
		return Project{}, identity.Gone(err)
	case db.IsUnique(err), apperr.CodeOf(err) == apperr.Conflict: // the one made before may be the last of the cap
		if made, missing := s.store.get(ctx, caller.UserID, n.ID); missing == nil {
			return made, nil
		}
	}
	return p, err
}

// Get returns a project of the caller, with a scoped key that of its scope; NotFound for any other.
func (s *Service) Get(ctx context.Context, caller identity.Caller, id string) (Project, error) {
	if caller.KeyProjectID != "" && caller.KeyProjectID != id {
		return Project{}, apperr.New(apperr.NotFound, noProject)
	}
	return s.store.get(ctx, caller.UserID, id)
}

// ByName returns the caller's oldest project of this name; NotFound when there is none.
func (s *Service) ByName(ctx context.Context, caller identity.Caller, name string) (Project, error) {
	name, err := cleantext.Name(name)
	if err != nil {
		return Project{}, err
	}
	return s.store.byName(ctx, caller.UserID, name)
}

// PublicOwner returns the project of a public id and its owner; NotFound when there is none. It asks nobody who he is:
// what comes of it stays inside the program.
func (s *Service) PublicOwner(ctx context.Context, publicID string) (id, ownerID string, err error) {
	return s.store.publicOwner(ctx, publicID)
}

// List returns a page of the caller's projects, newest first, and the cursor of the next one; "" on the last page.
func (s *Service) List(
	ctx context.Context, caller identity.Caller, p cursor.Page,
) (page []Project, next string, err error) {
	return cursor.List(p, func(p Project) string { return p.ID }, func(before string, limit int) ([]Project, error) {
		return s.store.list(ctx, caller.UserID, before, limit)
	})
}

// Update changes a project of the caller; NotFound when there is none. Its images stay as they are.
func (s *Service) Update(ctx context.Context, caller identity.Caller, id string, u Update) (Project, error) {
	var nameErr, domainsErr error
	if u.Name != nil {
		var name string
		name, nameErr = cleantext.Name(*u.Name)
		u.Name = &name
	}
	if u.Domains != nil {
		var domains []string
		domains, domainsErr = normalDomains(*u.Domains)
		u.Domains = &domains
	}
	if err := apperr.JoinInvalid(nameErr, domainsErr); err != nil {
		return Project{}, err
	}
	changed, err := s.store.update(ctx, caller.UserID, id, u, s.now())
	if err == nil {
		s.changed(changed)
	}
	return changed, err
}

// Delete removes a project of the caller with its images and keys; NotFound when there is none.
func (s *Service) Delete(ctx context.Context, caller identity.Caller, id string) error {
	publicID, err := s.store.delete(ctx, caller.UserID, id)
	if err != nil {
		return err
	}
	s.changed(Project{ID: id, PublicID: publicID, OwnerID: caller.UserID})
	s.Deleted(id)
	return nil
}
