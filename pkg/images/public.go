package images

import (
	"context"
	"errors"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/card"
	"masthead/pkg/db"
	"masthead/pkg/fetch"
	"masthead/pkg/identity"
	"masthead/pkg/imagecache"
	"masthead/pkg/images/address"
	"masthead/pkg/images/task"
	"masthead/pkg/projects"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
	"masthead/pkg/worker"
)

// publicTime is how long GET /og waits for a new picture before it sends a card made of the address; the picture is
// finished all the same. Crawlers wait for some ten seconds, and an AI picture alone may take eight.
const publicTime = 12 * time.Second

// errLeft says that a page or its logo sent us off the domains of its project.
var errLeft = errors.New("redirected off the domains of the project")

// publicJob is what GET /og adds to a job.
type publicJob struct {
	project projects.Project
	// address is where the request came from, as one client: the limits of strangers are theirs, not the owner's.
	address string
	robot   bool // a crawler that has nothing drawn
}

// left says whether the page or the logo was got from elsewhere than the domains of the project.
func (p *publicJob) left(site *scrape.Result) bool {
	if page := site.Page.Value; site.Page.Got() && !p.covers(page.Redirects, page.URL) {
		return true
	}
	for _, logo := range site.Pictures {
		if of := logo.Value; logo.Got() && !of.URL.IsZero() && !p.covers(of.Redirects, of.URL) {
			return true
		}
	}
	return false
}

// covers says whether every hop of a redirect stayed within the domains of the project.
func (p *publicJob) covers(hops []fetch.Redirect, last weburl.URL) bool {
	for _, hop := range hops {
		if !p.project.Covers(hop.URL.Host()) {
			return false
		}
	}
	return p.project.Covers(last.Host())
}

// OfPage returns the picture of a page for the project that publicID names: the one that is kept, else a new one. When
// the page cannot be read it is the last one, or a card made of the page's address, and says so. caller is who asks,
// for the limits of strangers; the picture is the project's owner's. query is what it was read from, as it was sent:
// from then on the index knows the address, if its picture is to stay.
//
// Errors: BAD_REQUEST for what is wrong with the request or must not be fetched, FORBIDDEN for a page or a logo that is
// not of the project's domains, and for an address that has expired or whose signature is missing or not valid,
// NOT_FOUND for a project, RATE_LIMITED for an address that asks for too many new pictures.
func (s *Service) OfPage(
	ctx context.Context, caller identity.Caller, publicID, query string, asked card.Request, ifNoneMatch string,
) (Response, error) {
	state := s.memory.index.State()
	project, err := s.projects.Public(ctx, publicID)
	if err != nil {
		return Response{}, err
	}
	until, err := address.Check(project, query, s.now())
	if err != nil {
		return Response{}, err
	}
	if asked.URL == "" {
		return Response{}, apperr.Invalid("query.url",
			"url is missing: the address of the page, as in ?url=https://example.com/.")
	}
	j := &job{
		caller:  identity.Caller{UserID: project.OwnerID},
		request: Request{Request: asked, ProjectID: project.ID}, began: s.now(),
		public: &publicJob{project: project, address: caller.Network(), robot: s.robots.OnlyStored(caller.Agent)},
	}
	p, err := s.ofPage(ctx, j, imagecache.Address{Project: publicID, Query: query}, until, state, ifNoneMatch)
	p.Until = until
	return p, err
}

// ofPage is OfPage for a job. at is its address, which is valid until a time, for the index as it was in the given
// state.
func (s *Service) ofPage(
	ctx context.Context, j *job, at imagecache.Address, until int64, state uint64, ifNoneMatch string,
) (Response, error) {
	project := j.public.project
	var err error
	if j.request, err = s.withBrand(ctx, j.request, project); err != nil {
		return Response{}, inQuery(err)
	}
	if err := s.normalise(ctx, j); err != nil {
		return Response{}, inQuery(err)
	}
	if err := s.onDomains(project, j.request.Request); err != nil {
		return Response{}, err
	}
	if j.public.robot {
		return s.stored(ctx, j, ifNoneMatch)
	}
	look := stage{name: "look up", run: s.lookUp, bound: databaseTime}
	if err := s.step(ctx, look, j); err != nil {
		return Response{}, err
	}
	if !j.done {
		if project.Closed { // what is kept is served
			return Response{}, apperr.New(apperr.NotFound, "There is no project or image with this public id.")
		}
		if card, known, err := s.memory.cards.find(j.key); known || err != nil {
			return card.picture(ifNoneMatch), err
		}
		waiting, cancel := context.WithTimeout(ctx, publicTime)
		defer cancel()
		var err error
		if j.record, err = s.drawPublic(waiting, j); err != nil {
			return s.withoutPage(ctx, j, err, ifNoneMatch)
		}
	} else {
		s.evictions.Served(j.record.PublicID)
	}
	p, err := s.pictureOf(ctx, j.record, ifNoneMatch)
	if errors.Is(err, errNoFile) { // it is damaged, and could not be made again just now
		return s.fallback(ctx, j, fallbackUpstream, ifNoneMatch)
	}
	if err == nil && j.record.lasts {
		if _, err := s.shownImage(ctx, j.record.PublicID); err == nil { // else the next one does without the index
			s.memory.index.PutAt(at, j.record.PublicID, until, state)
		}
	}
	return p, err
}

// onDomains says whether page and logo are on the project's domains. An asset needs none.
func (s *Service) onDomains(project projects.Project, r card.Request) error {
	if !project.Covers(r.Page().Host()) {
		return apperr.New(apperr.Forbidden,
			"The page is not on one of the project's domains. Add "+r.Page().Hostname()+
				" to them, or use POST /images/generate.")
	}
	if r.LogoURL().IsZero() || project.Covers(r.LogoURL().Host()) {
		return nil
	}
	if _, ok := s.uploads.Named(r.LogoURL().String()); !ok {
		return apperr.New(apperr.Forbidden, "The logo is not on one of the project's domains.")
	}
	return nil
}

// withoutPage answers a request whose picture could not be made just now.
func (s *Service) withoutPage(ctx context.Context, j *job, cause error, ifNoneMatch string) (Response, error) {
	switch {
	case ctx.Err() != nil: // the client has left
		return Response{}, cause
	case errors.Is(cause, task.ErrFull), apperr.CodeOf(cause) == apperr.Forbidden:
		return Response{}, cause // there is no place for a card either; the project was deleted meanwhile
	case errors.Is(cause, fetch.ErrRefused):
		refused := inQuery(cause)
		s.memory.cards.refuse(j.key, refused)
		return Response{}, refused
	case isDesignFault(cause):
		return s.lastOr(ctx, j, fallbackDesign, ifNoneMatch)
	case errors.Is(cause, worker.ErrHung):
		return s.lastOr(ctx, j, fallbackHung, ifNoneMatch)
	case apperr.CodeOf(cause) == apperr.Unavailable, errors.Is(cause, errProjectBusy):
		return s.lastOr(ctx, j, fallbackBusy, ifNoneMatch)
	case errors.Is(cause, errLeft), errors.Is(cause, context.DeadlineExceeded) && !db.IsUnavailable(cause),
		apperr.CodeOf(cause) == apperr.UpstreamFailed:
		return s.lastOr(ctx, j, fallbackUpstream, ifNoneMatch)
	}
	return Response{}, cause
}

// lastOr returns the last picture under the key, else a card made of the address.
func (s *Service) lastOr(ctx context.Context, j *job, reason, ifNoneMatch string) (Response, error) {
	bounded, cancel := context.WithTimeout(ctx, databaseTime)
	defer cancel()
	if kept, whole, err := s.find(bounded, j.key, s.seemsWhole); err == nil && whole {
		p, err := s.pictureOf(ctx, s.cached(kept), ifNoneMatch)
		p.Fallback, p.Short = reason, true
		return p, err
	}
	return s.fallback(ctx, j, reason, ifNoneMatch)
}

// pictureOf returns the picture of a record.
func (s *Service) pictureOf(ctx context.Context, r Record, ifNoneMatch string) (Response, error) {
	p, err := s.File(ctx, r.Files[0].BlobName(), ifNoneMatch)
	p.Short = p.Short || r.willBeBetter
	return p, err
}

// queryOf names the parameters of GET /og by the fields of a request that they fill.
var queryOf = map[string]string{
	"/url": "query.url", "/kind": "query.kind", "/template": "query.template", "/style/logo/url": "query.logoUrl",
	"/style/accent": "query.accent", "/size": "query.size",
}

// inQuery returns an error about a request's body as one about the query that it was read from. A template that there
// is not is a bad parameter here, since the address names no template.
func inQuery(err error) error {
	var fault *apperr.Error
	if !errors.As(err, &fault) || fault.Code != apperr.BadRequest && fault.Code != apperr.NotFound {
		return err
	}
	said := apperr.Wrap(apperr.BadRequest, fault.Detail, err)
	for _, f := range fault.Fields {
		if name := queryOf[f.Pointer]; name != "" {
			f.Pointer = name
		}
		said.Fields = append(said.Fields, f)
	}
	return said
}
