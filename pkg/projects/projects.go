// Package projects manages projects, which own images. Each has a public ID that meta tags contain, and a list of
// domains whose pages the public endpoint may draw.
package projects

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/base62"
	"masthead/pkg/cleantext"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/identity"
	"masthead/render"
)

// MaxProjects is the maximum number of projects per account.
const MaxProjects = 100

// PublicIDLength is the length of a project's public ID in base62 characters.
const PublicIDLength = 12

// Project is a container for images.
type Project struct {
	ID       string
	PublicID string // 12 base62 characters; appears in HTML and isn't secret
	OwnerID  string
	Name     string // not unique
	// Domains are normalized ASCII host names and IP addresses; a name includes its subdomains. If empty, the public
	// endpoint draws no page.
	Domains []string
	// PublicAI reports whether the public endpoint may generate AI pictures.
	PublicAI bool
	Brand    Brand
	// BrandVersion is how often the brand has changed.
	BrandVersion int64
	// RequireSignature reports whether addresses on /og need a signature of one of SigningKeys: the current key, and the
	// one before its rotation, as far as there are any.
	RequireSignature bool
	SigningKeys      []string
	// Closed reports whether the owner's account is disabled or deleted; set by [Service.Public] alone. Then the public
	// endpoint draws no page.
	Closed               bool
	CreatedAt, UpdatedAt time.Time
}

// Brand is how a project's pictures look by default.
type Brand struct {
	// Template is that of requests without one: a slug, "auto", or "" for the service's default. It applies to the kinds
	// of pictures that it draws.
	Template string
	// Accent is "#rrggbb", or "".
	Accent string
	// LogoID is the id of an asset, or "", and LogoFile its file: digest and name with a slash between them; "" if it was
	// deleted. LogoPosition is that of style.logo.
	LogoID, LogoFile, LogoPosition string
	// HeadingFont and TextFont are families of the project's fonts, or values of style.font; "" for none.
	HeadingFont, TextFont string
}

// NewProject describes a project to create.
type NewProject struct {
	// ID is a UUID, or "" to generate one. If the caller already has a project with this ID, an earlier attempt at
	// the same request created it, and Create returns it.
	ID string
	// PublicID is "" to generate one. The demo's public ID is fixed in openapi.yaml.
	PublicID string
	Name     string
	Domains  []string
	PublicAI bool
}

// Update is a change of a project; nil fields stay unchanged.
type Update struct {
	Name     *string
	Domains  *[]string
	PublicAI *bool
	// The following are those of the brand: see [Brand]. "" removes them.
	Template, Accent, LogoID, LogoPosition, HeadingFont, TextFont *string
	// RequireSignature is Conflict for a project without a signing key.
	RequireSignature *bool
}

// BrandHook is called in the transaction in which the brand of a project changes.
type BrandHook func(ctx context.Context, tx *db.Tx, projectID string, was, is Brand) error

// Service manages projects. It is safe for concurrent use.
type Service struct {
	store    store
	public   *projectCache // by public id
	owned    *projectCache // by owner and id: see ownedKey
	auditlog *auditlog.Log
	events   *events.Bus
	now      func() time.Time
}

// New returns a service for the projects in d, which publishes [events.ProjectChanged], [events.ProjectDeleted] and
// [events.AIDisabled], and calls rebranded.
func New(d *db.DB, l *auditlog.Log, b *events.Bus, rebranded ...BrandHook) *Service {
	s := &Service{
		store: store{d, rebranded}, public: newProjectCache(true), owned: newProjectCache(false), auditlog: l, events: b,
		now: time.Now,
	}
	s.subscribe(b)
	return s
}

// SetNow replaces the clock, for tests.
func (s *Service) SetNow(now func() time.Time) { s.now = now }

// Create creates a project of the caller. It returns Conflict if the account has the maximum number of projects.
func (s *Service) Create(ctx context.Context, caller identity.Caller, n NewProject) (Project, error) {
	name, nameErr := cleantext.Name(n.Name)
	domains, domainsErr := NormalDomains(n.Domains)
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
	err = s.store.insert(ctx, p, MaxProjects, s.publishing(ctx, events.ProjectChanged))
	switch {
	case db.IsForeignKey(err):
		return Project{}, identity.Gone(err)
	case db.IsUnique(err), apperr.CodeOf(err) == apperr.Conflict: // the project of an earlier attempt may have reached the limit
		if made, missing := s.store.get(ctx, caller.UserID, n.ID); missing == nil {
			return made, nil
		}
	}
	return p, err
}

// Get returns a project of the caller, or NotFound. A key scoped to one project finds only that project.
func (s *Service) Get(ctx context.Context, caller identity.Caller, id string) (Project, error) {
	if caller.KeyProjectID != "" && caller.KeyProjectID != id {
		return Project{}, apperr.New(apperr.NotFound, noProject)
	}
	return s.store.get(ctx, caller.UserID, id)
}

// ByName returns the caller's oldest project with this name, or NotFound.
func (s *Service) ByName(ctx context.Context, caller identity.Caller, name string) (Project, error) {
	name, err := cleantext.Name(name)
	if err != nil {
		return Project{}, err
	}
	return s.store.byName(ctx, caller.UserID, name)
}

// PublicOwner returns the ID and the owner of the project with a public ID, or NotFound. It checks no caller, so its
// result must not leave the program.
func (s *Service) PublicOwner(ctx context.Context, publicID string) (id, ownerID string, err error) {
	return s.store.publicOwner(ctx, publicID)
}

// List returns a page of the caller's projects, newest first, and the cursor of the next page, or "" on the last
// page.
func (s *Service) List(
	ctx context.Context, caller identity.Caller, p cursor.Page,
) (page []Project, next string, err error) {
	return cursor.List(p, func(p Project) string { return p.ID }, func(before string, limit int) ([]Project, error) {
		return s.store.list(ctx, caller.UserID, before, limit)
	})
}

// checkTemplate returns an error for the slug of a template that doesn't exist.
func checkTemplate(slug string) error {
	if _, ok := render.Lookup(slug, ""); ok || slug == autoTemplate {
		return nil
	}
	return apperr.Invalid("/brand/template", "There is no template with this slug. Use auto or one of GET /templates.")
}

// autoTemplate is the template of a request that leaves the choice to the page.
const autoTemplate = "auto"

// Update changes a project of the caller, or returns NotFound. Another brand makes images outdated that it applies to.
func (s *Service) Update(ctx context.Context, caller identity.Caller, id string, u Update) (Project, error) {
	var nameErr, domainsErr, templateErr error
	if u.Template != nil {
		templateErr = checkTemplate(*u.Template)
	}
	if u.Accent != nil {
		lower := strings.ToLower(*u.Accent)
		u.Accent = &lower
	}
	if u.Name != nil {
		var name string
		name, nameErr = cleantext.Name(*u.Name)
		u.Name = &name
	}
	if u.Domains != nil {
		var domains []string
		domains, domainsErr = NormalDomains(*u.Domains)
		u.Domains = &domains
	}
	if err := apperr.JoinInvalid(nameErr, domainsErr, templateErr); err != nil {
		return Project{}, err
	}
	return s.store.update(ctx, caller.UserID, id, u, s.now(), s.publishing(ctx, events.ProjectChanged))
}

// Delete deletes a project of the caller with its images and keys, or returns NotFound.
func (s *Service) Delete(ctx context.Context, caller identity.Caller, id string) error {
	return s.store.delete(ctx, caller.UserID, id, s.publishing(ctx, events.ProjectDeleted))
}

// signingKeyLength is how many random base62 characters a signing key has after its prefix.
const signingKeyLength = 43

// RotateSigningKey gives a project of the caller a new key for signing addresses. The one before it stays valid until
// the next rotation.
func (s *Service) RotateSigningKey(ctx context.Context, caller identity.Caller, id string) (Project, error) {
	changed := s.publishing(ctx, events.ProjectChanged)
	return s.store.rotateSigningKey(ctx, caller.UserID, id, "ogs_"+base62.Random(signingKeyLength), s.now(),
		func(tx *db.Tx, p Project) error {
			return errors.Join(changed(tx, p), s.auditlog.RecordIn(ctx, tx, auditlog.SigningKeyCreated, caller.UserID, p.ID))
		})
}
