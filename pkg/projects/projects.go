// Package projects owns the projects: what images belong to, the public ids under which meta tags name them, and the domains whose
// pages the public endpoint may draw.
package projects

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"masthead/pkg/apperr"
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
	onDelete func(ctx context.Context, projectID string)
}

// New returns the service of the projects in d.
func New(d *db.DB) *Service {
	return &Service{store: store{d}, now: time.Now, onDelete: func(context.Context, string) {}}
}

// OnDelete has hook called after a project was deleted, with its rows gone. It is set once, before the service is used; what it does
// must be done by somebody else too, since a project also goes with its owner.
func (s *Service) OnDelete(hook func(ctx context.Context, projectID string)) { s.onDelete = hook }

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
		ID: uuid.Must(uuid.NewV7()).String(), PublicID: newPublicID(), OwnerID: ownerID, Name: name, Domains: domains, PublicAI: n.PublicAI,
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
func (s *Service) List(ctx context.Context, ownerID, cursor string, limit int) (page []Project, next string, err error) {
	before, err := idOfCursor(cursor)
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
	if err != nil || len(page) <= limit {
		return page, "", err
	}
	return page[:limit], cursorOf(page[limit-1].ID), nil
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
	if err := s.store.delete(ctx, ownerID, id); err != nil {
		return err
	}
	s.onDelete(ctx, id)
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

// newPublicID returns random base62 characters, each equally likely.
func newPublicID() string {
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	id, random := make([]byte, 0, publicIDLength), make([]byte, 2*publicIDLength)
	for {
		rand.Read(random) // never fails: it ends the program rather than return an error
		for _, b := range random {
			// Bytes from 248 on would make the first characters of the alphabet more likely.
			if b < 4*62 {
				if id = append(id, alphabet[b%62]); len(id) == publicIDLength {
					return string(id)
				}
			}
		}
	}
}

// cursorOf returns the cursor of the page after the project with this id.
func cursorOf(id string) string {
	u := uuid.MustParse(id)
	return base64.RawURLEncoding.EncodeToString(u[:])
}

// idOfCursor returns the id that a cursor stands for; for none, an id that is after all others.
func idOfCursor(cursor string) (string, error) {
	if cursor == "" {
		return uuid.Max.String(), nil
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err == nil {
		var id uuid.UUID
		if id, err = uuid.FromBytes(raw); err == nil {
			return id.String(), nil
		}
	}
	return "", apperr.Invalid("query.cursor", "This is not a nextCursor of an earlier answer.")
}
