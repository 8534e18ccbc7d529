package designs

import (
	"context"
	"errors"
	"image"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/card"
	"masthead/pkg/identity"
	"masthead/pkg/picture/svg"
	"masthead/pkg/projects"
	"masthead/render/design"
)

// PreviewRequest describes a picture to draw without storing it.
type PreviewRequest struct {
	// Request has what is shown and how. Without an address and a title, it is the sample page.
	card.Request
	ProjectID string
	// Text is the ID of one of [card.TestTexts] in place of the page's own, or "".
	Text string
	// HTML is the document; DesignID is a stored design in its place, with a version or 0 for the active one.
	HTML     string
	DesignID string
	Version  int
}

// Preview draws a design. Faults of the document are BAD_REQUEST, with their line and column.
func (s *Service) Preview(ctx context.Context, caller identity.Caller, p PreviewRequest) (card.Result, error) {
	project, err := s.projects.Get(ctx, caller, p.ProjectID)
	if err != nil {
		return card.Result{}, err
	}
	if (p.HTML == "") == (p.DesignID == "") {
		return card.Result{}, apperr.Invalid("/html", "Send html or designId, one of the two.")
	}
	if p.DesignID != "" {
		stored, err := s.store.get(ctx, caller, p.DesignID, p.Version)
		if err == nil && stored.ProjectID != project.ID {
			err = apperr.New(apperr.NotFound, noDesign)
		}
		if err != nil {
			return card.Result{}, err
		}
		p.HTML = stored.HTML
	}
	r, err := s.requestOf(ctx, caller, project, p)
	if err != nil {
		return card.Result{}, faultOf(err)
	}
	drawn, err := s.maker.Make(ctx, r)
	return drawn, faultOf(err)
}

// requestOf returns the request for a preview of p.HTML. Faults of the document are a *[design.Error].
func (s *Service) requestOf(
	ctx context.Context, caller identity.Caller, project projects.Project, p PreviewRequest,
) (r card.Request, err error) {
	r = p.Request
	compiled, err := compile(p.HTML)
	if err != nil {
		return r, err
	}
	r.Design = &card.Design{ID: p.DesignID, Design: compiled}
	brand, err := s.BrandOf(ctx, project)
	if err != nil {
		return r, err
	}
	r = r.WithBrand(brand)
	if r.Style.Fonts, err = s.FontsOf(ctx, project.ID, r.Design); err != nil {
		return r, err
	}
	if r.Own.Fonts, err = s.LoadFonts(ctx, project.ID, r.Style.Fonts); err != nil {
		return r, err
	}
	r.Template = "preview"
	if r.Size == (image.Point{}) {
		r.Kind, r.Size = card.Custom, r.Design.MainSize()
	}
	r.Own.Owner, r.Own.Asset, r.Own.SVG = caller.UserID, s.assetsOf(project.ID), s.DrawSVG
	if text, ok := card.FindTestText(p.Text); ok {
		r.Content, r.Own.Lang = text.On(r.Content), text.Lang
	}
	if r.URL == "" && (r.Content.Title == "" || p.Text != "") {
		r.Content, r.Own.NoPage = card.SampleContent(r.Content), true
	}
	return r, nil
}

// check compiles a document and draws it once with the facts of the sample page, as large as a share image. It returns
// what isn't drawn as in a browser, and BAD_REQUEST for what can't be drawn within the limits.
func (s *Service) check(ctx context.Context, html string) ([]design.Warning, error) {
	compiled, err := compile(html)
	if err != nil {
		return nil, faultOf(err)
	}
	r := card.Request{Template: "check", Style: card.Style{Dark: true}, Design: &card.Design{Design: compiled}}
	r.Content, r.Own.SVG = card.SampleContent(card.Content{}), s.DrawSVG
	r.Own.Asset = func(context.Context, string) ([]byte, error) { return nil, errNotRead }
	drawn, err := s.maker.Make(ctx, r)
	return drawn.Unlike, faultOf(err)
}

// errNotRead says that the pictures of a document aren't read when it is checked.
var errNotRead = errors.New("pictures aren't read to check a document")

// assetsOf returns the function that reads the assets of a project for a document: see [card.Own].
func (s *Service) assetsOf(projectID string) func(context.Context, string) ([]byte, error) {
	return func(ctx context.Context, address string) ([]byte, error) { return s.Asset(ctx, projectID, address) }
}

// Asset returns the file of an asset of a project, by its address, or by its name as a document has it; nil for an
// address that is no asset's.
func (s *Service) Asset(ctx context.Context, projectID, address string) ([]byte, error) {
	if n, ok := s.assets.Named(address); ok {
		return s.assets.Read(ctx, projectID, n)
	}
	if strings.Contains(address, "://") {
		return nil, nil
	}
	return s.assets.ByName(ctx, projectID, strings.TrimPrefix(address, "./"))
}

// svgPatience is how long an inline drawing waits for the engine.
const svgPatience = 2 * time.Second

// DrawSVG draws an inline drawing of a document.
func (s *Service) DrawSVG(ctx context.Context, document string, w, h int) (*image.NRGBA, error) {
	clean, err := svg.Clean([]byte(document))
	if err != nil {
		return nil, err
	}
	if err := s.svg.Await(ctx, svgPatience); err != nil {
		return nil, err
	}
	return s.svg.Draw(ctx, clean, w, h)
}
