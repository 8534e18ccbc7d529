package dashboard

import (
	"bytes"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strconv"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/humanize"
	"masthead/pkg/server"
	"masthead/pkg/web/ui"
)

// This file is the part of a project's page that has the uploaded pictures.

// maxUpload is the maximum size of an uploaded picture, as in openapi.yaml.
const maxUpload = 2 << 20

// acceptedPictures are the files that can be chosen.
const acceptedPictures = ".png,.jpg,.jpeg,.gif,.webp,.ico,.svg"

func pictureForm() *ui.Form {
	return ui.NewForm(ui.Input{
		Name: "file", Label: "Add a picture", Type: "file", Accept: acceptedPictures,
		Hint: "PNG, JPEG, GIF, WebP, ICO or SVG, up to 2 MB.",
	})
}

// isUpload reports whether a form has a file.
func isUpload(c echo.Context) bool {
	kind, _, err := mime.ParseMediaType(c.Request().Header.Get(echo.HeaderContentType))
	return err == nil && kind == echo.MIMEMultipartForm
}

// pictureRow is an uploaded picture. URL is its public address, Local the same at this server. Asked means that its
// deletion is to be confirmed.
type pictureRow struct {
	ID, Name, URL, Local, Facts string
	Width, Height               int
	Asked                       bool
}

// pictures reads the newest uploaded pictures of a project.
func (p *project) pictures(c echo.Context, id string) ([]pictureRow, error) {
	var list gen.ProjectAssetPage
	in := server.Input{Path: map[string]string{"projectId": id}, Query: url.Values{"limit": {perPage}}}
	if err := read(c, p.assets, in, &list); err != nil {
		return nil, err
	}
	rows := make([]pictureRow, len(list.Items))
	for i, a := range list.Items {
		rows[i] = pictureRow{
			ID: a.Id.String(), Name: a.Name, URL: a.Url, Local: local(a.Url), Width: a.Width, Height: a.Height,
			Facts: strconv.Itoa(a.Width) + "×" + strconv.Itoa(a.Height) + ", " + humanize.Bytes(int64(a.SizeBytes)),
			Asked: c.QueryParam("discard") == a.Id.String(),
		}
	}
	return rows, nil
}

// uploads handles the form with a picture.
func (p *project) uploads(c echo.Context, found gen.Project, forms projectForms) error {
	form := forms.picture
	file, err := form.ReadUpload(c, "file", maxUpload)
	switch {
	case errors.Is(err, ui.ErrTooLarge):
		form.Fault("file", "This file is too large. The limit is 2 MB.")
	case err != nil:
		return err
	case len(file.Data) == 0:
		form.Fault("file", "Choose a file.")
	}
	if form.Input("file").Error != "" {
		return p.page(c, found, forms, form)
	}
	in := server.Input{
		Path: map[string]string{"projectId": found.Id.String()}, Body: bytes.NewReader(file.Data),
		Header: http.Header{echo.HeaderContentType: {echo.MIMEOctetStream}},
	}
	if file.Name != "" {
		in.Query = url.Values{"name": {file.Name}}
	}
	if _, err := p.upload.Form(c, in); err != nil {
		form.Refuse(c, err)
		switch apperr.CodeOf(err) {
		case apperr.BadRequest, apperr.UnsupportedMediaType, apperr.TierLocked:
			form.Fault("file", form.Error)
			form.Error = ""
		}
		return p.page(c, found, forms, form)
	}
	return done(c, projectPath(found.Id.String()), "uploaded")
}

// discards deletes an uploaded picture.
func (p *project) discards(c echo.Context, found gen.Project, forms projectForms, sent *ui.Form) error {
	id := found.Id.String()
	in := server.Input{Path: map[string]string{"projectId": id, "assetId": sent.Typed("which")}}
	if _, err := p.discard.Form(c, in); err != nil {
		sent.Refuse(c, err)
		return p.page(c, found, forms, sent)
	}
	return done(c, projectPath(id), "discarded")
}
