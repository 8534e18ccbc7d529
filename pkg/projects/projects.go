// Package projects owns the projects: what images belong to, the public ids under which meta tags name them, and the domains whose
// pages the public endpoint may draw.
package projects

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"masthead/pkg/apperr"
	"masthead/pkg/base62"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
)

const (
	maxNameRunes   = 100
	publicIDLength = 12

	// defaultPage and maxPage are how many projects a page of the list holds.
	defaultPage = 20
	maxPage     = 100
)

// Project is what images belong to.
type Project struct {
	ID       string
	PublicID string // 12 base62 characters; it stands in HTML and is no secret
	OwnerID  string
	Name     string // not unique
	// Domains are host names in ASCII and IP addresses, normalised; a name covers its subdomains. With none the public endpoint draws no
	// page.
	Domains []string
	// PublicAI says whether the public endpoint may draw AI pictures.
	PublicAI             bool
	CreatedAt, UpdatedAt time.Time
}

// NewProject is a project to be made.
type NewProject struct {
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
	store    store
	now      func() time.Time
	onDelete func(ctx context.Context, projectID string) (deleted func())
}

// New returns the service of the projects in d.
func New(d *db.DB) *Service {
	return &Service{store: store{d}, now: time.Now, onDelete: func(context.Context, string) func() { return func() {} }}
}

// OnDelete has hook called before a project is deleted, to note what its rows name, and the function that it returns afterwards, with
// the rows gone. It is set once, before the service is used; what it does must be done by somebody else too, since a project also
// goes with its owner.
func (s *Service) OnDelete(hook func(ctx context.Context, projectID string) (deleted func())) {
	s.onDelete = hook
}

// Create makes a project of an account.
func (s *Service) Create(ctx context.Context, ownerID string, n NewProject) (Project, error) {
	name, err := cleanName(n.Name)
	if err != nil {
		return Project{}, err
	}
	domains, err := normalDomains(n.Domains)
	if err != nil {
		return Project{}, err
	}
	now := s.now().UTC().Truncate(time.Millisecond) // as it will be read back
	p := Project{
		ID: uuid.Must(uuid.NewV7()).String(), PublicID: base62.Random(publicIDLength), OwnerID: ownerID, Name: name, Domains: domains, PublicAI: n.PublicAI,
		CreatedAt: now, UpdatedAt: now,
	}
	err = s.store.insert(ctx, p)
	if db.IsForeignKey(err) {
		return Project{}, apperr.Wrap(apperr.Unauthorized, "The account is gone. Sign in again.", err)
	}
	return p, err
}

// Get returns a project of an account; NotFound when there is none, or it is somebody else's.
func (s *Service) Get(ctx context.Context, ownerID, id string) (Project, error) {
	return s.store.get(ctx, ownerID, id)
}

// ByName returns the oldest project of an account with this name; NotFound when there is none.
func (s *Service) ByName(ctx context.Context, ownerID, name string) (Project, error) {
	name, err := cleanName(name)
	if err != nil {
		return Project{}, err
	}
	return s.store.byName(ctx, ownerID, name)
}

// List returns a page of an account's projects, newest first, and the cursor of the next one; "" on the last page. limit 0 is 20.
func (s *Service) List(ctx context.Context, ownerID, mark string, limit int) (page []Project, next string, err error) {
	before, err := cursor.Decode(mark)
	if err != nil {
		return nil, "", err
	}
	if limit == 0 {
		limit = defaultPage
	}
	if limit < 1 || limit > maxPage {
		return nil, "", apperr.Invalid("query.limit", fmt.Sprintf("A page holds 1 to %d items.", maxPage))
	}
	page, err = s.store.list(ctx, ownerID, before, limit+1) // the one too many tells whether there is a next page
	if err != nil {
		return nil, "", err
	}
	page, next = cursor.Page(page, limit, func(p Project) string { return p.ID })
	return page, next, nil
}

// Update changes a project of an account; NotFound when there is none. Its images stay as they are.
func (s *Service) Update(ctx context.Context, ownerID, id string, u Update) (Project, error) {
	if u.Name != nil {
		name, err := cleanName(*u.Name)
		if err != nil {
			return Project{}, err
		}
		u.Name = &name
	}
	if u.Domains != nil {
		domains, err := normalDomains(*u.Domains)
		if err != nil {
			return Project{}, err
		}
		u.Domains = &domains
	}
	return s.store.update(ctx, ownerID, id, u, s.now())
}

// Delete removes a project of an account with its images and keys; NotFound when there is none.
func (s *Service) Delete(ctx context.Context, ownerID, id string) error {
	if _, err := s.Get(ctx, ownerID, id); err != nil {
		return err
	}
	deleted := s.onDelete(ctx, id)
	if err := s.store.delete(ctx, ownerID, id); err != nil {
		return err
	}
	deleted()
	return nil
}

// cleanName returns a name without space around it.
func cleanName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if name == "" || utf8.RuneCountInString(name) > maxNameRunes || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return "", apperr.Invalid("/name", fmt.Sprintf("A name has 1 to %d characters and no control characters.", maxNameRunes))
	}
	return name, nil
}
