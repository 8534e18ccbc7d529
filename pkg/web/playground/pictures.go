package playground

import (
	"context"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"masthead/pkg/apperr"
	"masthead/pkg/card"
	"masthead/pkg/humanize"
	"masthead/pkg/iconset"
	"masthead/pkg/identity"
	"masthead/pkg/tickets"
)

// proofPath is the path of a proof: every choice is in it, so it can be cached.
func proofPath(id, design string, width int, q url.Values) string {
	full := url.Values{"w": {strconv.Itoa(width)}}
	for name, values := range q {
		full[name] = values
	}
	return "/try/" + id + "/" + design + ".png?" + full.Encode()
}

// proof serves GET /try/{ticket}/{design}.png: the page in a design, drawn now. The response has the type of what is
// drawn, which is a JPEG where that is smaller, as for every card. With download in the query it is a file to save.
func (p *Pages) proof(c echo.Context) error {
	ctx := c.Request().Context()
	caller := identity.CallerOf(ctx)
	design, ok := strings.CutSuffix(c.Param("design"), ".png")
	if !ok {
		return echo.ErrNotFound
	}
	q := c.QueryParams()
	choices, err := tickets.ParseChoices(q)
	if err == nil {
		choices, err = choices.ParseSize(design, q.Get("size"))
	}
	if err != nil {
		return p.remark(c, err)
	}
	width, _ := sizeOf(choices)
	small := false
	switch q.Get("w") {
	case strconv.Itoa(tickets.SmallWidth):
		small = true
	case "", strconv.Itoa(width):
	default:
		return p.remark(c, apperr.New(apperr.BadRequest,
			fmt.Sprintf("w must be %d or %d.", tickets.SmallWidth, width)))
	}
	if choices.Kind == card.IconSet {
		return echo.ErrNotFound
	}
	t, err := p.tickets.Find(ctx, caller, c.Param("ticket"))
	if err == nil {
		t, err = p.tickets.WithLogo(ctx, t, choices)
	}
	if err != nil {
		return p.remark(c, err)
	}
	if t.State == tickets.Reading || t.State == tickets.Failed && choices.Content.Title == "" {
		return p.remark(c, apperr.New(apperr.NotFound, "There is nothing to draw yet."))
	}
	drawn, err := p.tickets.Proof(ctx, caller, t, choices, design, small)
	if err != nil {
		return p.remark(c, err)
	}
	name := ""
	if q.Has("download") {
		if choices.Size != (image.Point{}) {
			design += "-" + card.SizeName(choices.Size)
		}
		name = fileName(t, design, drawn.Ext)
	}
	return sendPicture(c, drawn.ContentType, name, drawn.Bytes)
}

// sendPicture responds with a picture that only this visitor may cache. name, if not "", has it saved as a file.
func sendPicture(c echo.Context, contentType, name string, data []byte) error {
	pictureHeaders(c.Response().Header())
	c.Response().Header().Set("Cache-Control", "private, max-age=3600, immutable")
	if name != "" {
		c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="`+name+`"`)
	}
	return c.Blob(http.StatusOK, contentType, data)
}

func pictureHeaders(h http.Header) {
	h.Set("X-Robots-Tag", "noindex")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// remark responds with a picture that says why there is no proof, since a broken picture says nothing.
func (p *Pages) remark(c echo.Context, err error) error {
	code := apperr.CodeOf(err)
	says := "This design couldn’t be drawn"
	switch code {
	case apperr.RateLimited:
		says = "Too many drawings. Try again soon"
	case apperr.Unavailable:
		says = "Waiting: the server is busy"
	case apperr.NotFound:
		says = "Read the page again"
	case apperr.BadRequest:
		says = "This choice doesn’t exist"
	case apperr.Internal:
		if c.Request().Context().Err() != nil {
			return err // nobody waits for it
		}
		slog.ErrorContext(c.Request().Context(), "a proof wasn't drawn", "err", err)
	}
	if fault := (*apperr.Error)(nil); errors.As(err, &fault) && fault.RetryAfter > 0 {
		retryAfter(c, fault)
	}
	pictureHeaders(c.Response().Header())
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.Blob(code.Meaning().Status, "image/svg+xml", []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="480" `+
		`height="252" viewBox="0 0 480 252"><path fill="#f4f5f3" d="M0 0h480v252H0z"/><text x="240" y="132" `+
		`text-anchor="middle" font-family="system-ui,sans-serif" font-size="20" fill="#4c5357">`+says+`</text></svg>`))
}

var notInNames = regexp.MustCompile(`[^a-z0-9.]+`)

// fileName is the name of a saved picture: the page's host and the design.
func fileName(t *tickets.Ticket, design, ext string) string {
	host := notInNames.ReplaceAllString(strings.TrimPrefix(t.Page.Hostname(), "www."), "-")
	return strings.Trim(host, "-.") + "-" + design + ext
}

// zipName is the name of the archive of an icon set.
const zipName = "icons.zip"

// icon serves GET /try/{ticket}/icons/{name}: a file of the icon set, or all of them as icons.zip.
func (p *Pages) icon(c echo.Context) error {
	ctx := c.Request().Context()
	caller := identity.CallerOf(ctx)
	t, err := p.tickets.Find(ctx, caller, c.Param("ticket"))
	if err == nil && t.State != tickets.Ready {
		err = apperr.New(apperr.NotFound, "There is nothing to draw yet.")
	}
	if err != nil {
		return p.remark(c, err)
	}
	set, err := p.tickets.Icons(ctx, caller, t)
	if err != nil {
		return p.remark(c, err)
	}
	all, err := set.IconSet(true)
	if err != nil {
		return err
	}
	name := c.Param("name")
	if name == zipName {
		archive, err := iconset.Zip(all)
		if err != nil {
			return err
		}
		return sendPicture(c, "application/zip", fileName(t, "icons", ".zip"), archive)
	}
	for _, f := range all {
		if f.Name == name && strings.HasSuffix(name, ".png") {
			return sendPicture(c, "image/png", "", f.Data)
		}
	}
	return echo.ErrNotFound
}

// addIcons adds the icon set to a page.
func (p *Pages) addIcons(ctx context.Context, v *view, caller identity.Caller, t *tickets.Ticket) error {
	set, err := p.tickets.Icons(ctx, caller, t)
	switch apperr.CodeOf(err) {
	case apperr.Unavailable, apperr.RateLimited:
		v.Icons, err = &icons{Notes: []string{"The icons couldn’t be drawn now. Reload the page in a few seconds."}}, nil
		return err
	}
	if err != nil {
		return err
	}
	all, err := set.IconSet(true)
	if err != nil {
		return err
	}
	at := func(name string) string { return v.Ticket + "/icons/" + name }
	i := &icons{
		Zip: at(zipName), Links: iconset.Links("/", set.Site(), all), Treatment: treatments[string(set.Treatment)],
	}
	i.Places, err = iconset.Places(set.Site(), func(name string) string {
		if slices.ContainsFunc(all, func(f iconset.File) bool { return f.Name == name }) {
			return at(name)
		}
		return ""
	})
	if err != nil {
		return err
	}
	for _, f := range all {
		i.Files = append(i.Files, iconFile{Name: f.Name, Size: humanize.Bytes(int64(len(f.Data)))})
	}
	for _, size := range []struct {
		name  string
		side  int
		label string
	}{
		{"apple-touch-icon.png", 180, "180, iOS"}, {"icon-512.png", 128, "512"}, {"icon-192.png", 96, "192"},
		{"favicon-48.png", 48, "48"}, {"favicon-32.png", 32, "32"}, {"favicon-16.png", 16, "16"},
	} {
		i.Sizes = append(i.Sizes, iconFile{Name: size.label, Src: at(size.name), Side: size.side})
	}
	if len(t.Facts.Icons) > 0 {
		i.Source = shortAddress(t.Facts.Icons[0].Link)
	}
	for _, source := range t.Facts.Sources {
		i.Sources = append(i.Sources, iconSourceOf(source, t.Facts.Icons))
	}
	for _, w := range set.Warnings {
		i.Notes = append(i.Notes, w.Detail)
	}
	v.Icons = i
	return nil
}

// iconSource is an icon that was found: Severity and Says are what became of it.
type iconSource struct{ Name, Facts, Severity, Says string }

func iconSourceOf(s tickets.SourceFact, used []tickets.IconFact) iconSource {
	row := iconSource{Name: shortAddress(s.Link), Severity: "info", Says: "Not needed"}
	if row.Name == "" {
		row.Name = "In the page itself"
	}
	if s.Format != "" {
		row.Facts = strings.ToUpper(s.Format)
		if s.Width > 0 && s.Height > 0 {
			row.Facts += fmt.Sprintf(", %d×%d", s.Width, s.Height)
		}
	}
	switch {
	case s.Fault != "":
		row.Severity, row.Says = "error", s.Fault
	case slices.ContainsFunc(used, func(f tickets.IconFact) bool { return f.Link == s.Link }):
		row.Severity, row.Says = "pass", "Used"
	}
	return row
}

// treatments say how the icons were drawn.
var treatments = map[string]string{
	"vector": "Drawn from an SVG at each size", "raster": "Reduced from the largest icon",
	"tile": "A small icon, on the site’s color where it would blur", "pixel": "Pixel art, enlarged by whole factors",
	"monogram": "The site has no usable icon: its initial on its color",
}
