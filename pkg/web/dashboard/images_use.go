package dashboard

import (
	"cmp"
	"net/url"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/server"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/snippets"
	"masthead/pkg/wire"
)

// use returns how to use an image, or nil for icon sets, whose elements are all there is to it.
func (p *image) use(c echo.Context, of gen.Image) (*snippets.Use, error) {
	if of.Kind == gen.ImageKindIconSet {
		return nil, nil //nolint:nilnil // there is none
	}
	var project gen.Project
	in := server.Input{Path: map[string]string{"projectId": of.ProjectId.String()}}
	if err := frame.Read(c, p.project, in, &project); err != nil {
		return nil, err
	}
	page, err := url.Parse(of.Url)
	if err != nil {
		return nil, err
	}
	me, err := p.User(c)
	if err != nil {
		return nil, err
	}
	query := url.Values{snippets.Param: {cmp.Or(c.QueryParam(snippets.Param), wire.Value(me.Snippet))}}
	use, err := snippets.NewUse(snippets.Values{Base: p.Base, Request: requestOf(of)},
		snippets.ProjectOf(project, page.Hostname()), imagePath(of.Id.String()), query)
	use.SignedIn = true
	return &use, err
}
