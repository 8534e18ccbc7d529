package web

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"masthead/pkg/apperr"
	"masthead/pkg/audit"
	"masthead/pkg/audit/format"
	"masthead/pkg/etag"
	"masthead/pkg/identity"
	"masthead/pkg/web/report"
	"masthead/pkg/web/ui"
	"masthead/render"
)

// Names under a report's address of the pictures that are drawn here.
const (
	ourCard     = "masthead-card"
	verdictCard = "card.png"
	opinionPart = "opinion"
	// markdownPart is the report as a Markdown document.
	markdownPart = "report.md"
)

// exampleReport shows the report of the example.
func (p *Pages) exampleReport(c echo.Context) error {
	r, err := p.example.get(c.Request().Context())
	if err != nil {
		return err
	}
	return p.report(c, http.StatusOK, &report.Source{Report: r, Example: true})
}

// auditReport serves GET /audit/{id}: the page of a report, for everyone who has its ID.
func (p *Pages) auditReport(c echo.Context) error {
	s, err := p.source(c)
	if err != nil {
		return p.orMissing(c, err)
	}
	return p.report(c, http.StatusOK, s)
}

// auditOpinion serves only the section of the analysis, to a page that waits for it.
func (p *Pages) auditOpinion(c echo.Context) error {
	s, err := p.source(c)
	if err != nil {
		return err
	}
	var body bytes.Buffer
	if err := report.WriteOpinion(&body, s); err != nil {
		return err
	}
	c.Response().Header().Set("X-Robots-Tag", "noindex")
	return c.Blob(http.StatusOK, echo.MIMETextHTMLCharsetUTF8, body.Bytes())
}

// auditCard serves the cards drawn for a report.
func (p *Pages) auditCard(c echo.Context) error {
	record, err := p.audits.Get(c.Request().Context(), identity.Caller{}, c.Param("id"))
	if err != nil {
		return err
	}
	name := c.Path()[strings.LastIndexByte(c.Path(), '/')+1:]
	return p.card(c, record.Report, name)
}

// auditMarkdown serves the report as a Markdown document.
func (p *Pages) auditMarkdown(c echo.Context) error {
	record, err := p.audits.Get(c.Request().Context(), identity.Caller{}, c.Param("id"))
	if err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set("X-Robots-Tag", "noindex")
	h.Set("X-Content-Type-Options", "nosniff")
	return c.Blob(http.StatusOK, "text/markdown; charset=utf-8", []byte(format.Markdown(record.Report)))
}

// source returns the content for the page of the request's report, as the caller may see it.
func (p *Pages) source(c echo.Context) (*report.Source, error) {
	ctx, id := c.Request().Context(), c.Param("id")
	record, err := p.audits.Get(ctx, identity.CallerOf(ctx), id)
	if err != nil {
		return nil, err
	}
	path := "/audit/" + record.ID
	s := &report.Source{Report: record.Report, Opinion: record.AI, Own: report.Addresses{
		JSON: "/api/audits/" + record.ID, Markdown: path + "/" + markdownPart,
		Opinion: path + "/" + opinionPart,
	}}
	if record.AI != nil && record.AI.Status == audit.Skipped && !p.writes {
		s.Opinion = nil // there is nothing to ask for
	}
	s.Age = &record.Age
	owner := record.OwnerID != "" && record.OwnerID == identity.CallerOf(ctx).UserID
	if s.Crawlers, err = p.crawlersOf(c, record.ID, owner); err != nil {
		return nil, err
	}
	if record.OwnerID == "" {
		s.Deleted = record.FetchedAt.AddDate(0, 0, p.audits.KeptDays())
	}
	return s, nil
}

var missingPage = sync.OnceValue(func() *ui.View { return newPage("missing", "", barSheets) })

// orMissing responds that there is no such report, or returns other errors unchanged.
func (p *Pages) orMissing(c echo.Context, err error) error {
	if apperr.CodeOf(err) != apperr.NotFound {
		return err
	}
	return p.missing(c, "Report not found", fmt.Sprintf("No report has this address. Reports made without an account "+
		"are deleted after %d days; you can audit the page again.", p.audits.KeptDays()))
}

// missing responds that an address doesn't exist: what is missing, and why.
func (p *Pages) missing(c echo.Context, title, why string) error {
	where := []rune(strings.ToValidUTF8(c.Request().URL.Path, "�"))
	if len(where) > maxWhere {
		where = append(where[:maxWhere], '…')
	}
	return p.site.Render(c, http.StatusNotFound, missingPage(), map[string]any{
		"Head":  ui.Head{Title: title + " · " + ownName, NoIndex: true},
		"Field": ui.Field{}, "Where": string(where), "Title": title, "Why": why,
	})
}

// maxWhere is how many characters of an address a page repeats.
const maxWhere = 100

// NotFound responds to a browser that a page doesn't exist, or leads it to the address without a slash at its end.
func (p *Pages) NotFound(c echo.Context) error {
	if path := c.Request().URL.Path; len(path) > 1 && strings.HasSuffix(path, "/") {
		// One slash in front, since two would be followed by a host.
		to := url.URL{Path: "/" + strings.Trim(path, "/"), RawQuery: c.Request().URL.RawQuery}
		return c.Redirect(http.StatusMovedPermanently, to.String())
	}
	return p.missing(c, "Page not found", "Check the address, or go to the front page. "+
		"To see how a page looks when it is shared, enter its address.")
}

// report responds with the page of a report.
func (p *Pages) report(c echo.Context, status int, s *report.Source) error {
	ctx, path := c.Request().Context(), "/audit/"+s.Report.ID
	s.Own.Page, s.Own.Rules, s.Own.Platforms = p.base+path, rulesPath, platformsPath
	s.Picture = func(name string) string { return path + "/" + name }
	card, err := p.ours(ctx, s.Report)
	if err != nil {
		return err
	}
	s.Card = &report.Card{
		URL: path + "/" + ourCard, Format: strings.TrimPrefix(card.ContentType, "image/"),
		Width: card.Width, Height: card.Height, Bytes: int64(len(card.Bytes)),
		Alt: "A card drawn by Masthead: " + card.Title,
	}
	head := ui.Head{Nonce: ui.NewNonce(), SignedIn: ui.SignedIn(c), Card: &ui.Card{
		URL: p.base + path + "/" + verdictCard, ContentType: "image/png", Width: report.CardWidth, Height: report.CardHeight,
		Alt: report.VerdictAlt(s.Report),
	}}
	if fixed, ok := p.fixed.Get(s.Report.ID); ok {
		s.Fixed = fixed
	} else {
		if s.Fixed, err = report.FixedOf(s); err != nil {
			return err
		}
		p.fixed.Add(s.Report.ID, s.Fixed)
	}
	return ui.Buffered(func(w io.Writer) error { return report.Write(w, s, head) }, func(body []byte) error {
		h := c.Response().Header()
		h.Set("X-Robots-Tag", "noindex")
		h.Set("Cache-Control", "no-store") // the content depends on the session
		return p.site.HTML(c, status, ui.Strict(head.Nonce), body)
	})
}

// ours returns our own card for the page of a report.
func (p *Pages) ours(ctx context.Context, r *audit.Report) (render.Card, error) {
	return p.cards.of(ctx, r, func() []byte {
		icon := r.Picture(audit.Favicon)
		switch {
		case icon == nil || icon.Shown == nil || icon.Shown.ContentType != "image/png":
			return nil
		case icon.Shown.Data != nil:
			return icon.Shown.Data
		}
		data, _, err := p.audits.ShownFile(ctx, r.ID, icon.Shown.Name)
		if err != nil {
			return nil // the card is drawn without it
		}
		return data
	})
}

// card serves one of the cards drawn for a report.
func (p *Pages) card(c echo.Context, r *audit.Report, name string) error {
	draw := p.ours
	if name == verdictCard {
		draw = p.cards.verdict
	}
	card, err := draw(c.Request().Context(), r)
	if err != nil {
		return err
	}
	return servePicture(c, card.ContentType, card.Bytes)
}

// examplePicture serves a picture of the example.
func (p *Pages) examplePicture(c echo.Context) error {
	r, err := p.example.get(c.Request().Context())
	if err != nil {
		return err
	}
	name := c.Param("picture")
	if name == ourCard || name == verdictCard {
		return p.card(c, r, name)
	}
	for i := range r.Pictures {
		if shown := r.Pictures[i].Shown; shown != nil && shown.Name == name {
			return servePicture(c, shown.ContentType, shown.Data)
		}
	}
	return echo.ErrNotFound
}

// servePicture responds with a picture of a report, excluded from search engines.
func servePicture(c echo.Context, contentType string, data []byte) error {
	h := c.Response().Header()
	h.Set("X-Robots-Tag", "noindex")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	return serve(c, contentType, "public, max-age=86400", etag.Of(data), data)
}
