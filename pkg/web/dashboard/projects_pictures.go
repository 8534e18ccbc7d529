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
	"masthead/pkg/web/frame"
	"masthead/pkg/web/ui"
)

// This file is the part of a project's page that has the uploaded pictures and fonts.

// maxUpload is the maximum size of an uploaded font, as in openapi.yaml; a picture can have less.
const maxUpload = 5 << 20

// accepted are the files that can be chosen.
const accepted = ".png,.jpg,.jpeg,.gif,.webp,.ico,.svg,.ttf,.otf,.woff,.woff2"

const tooLarge = "This file is too large. The limit is 2 MB for a picture, and 5 MB for a font."

func pictureForm() *ui.Form {
	return ui.NewForm(ui.Input{
		Name: "file", Label: "Add a picture or font", Type: "file", Accept: accepted,
		Hint: "PNG, JPEG, GIF, WebP, ICO or SVG, up to 2 MB. TTF, OTF, WOFF or WOFF2, up to 5 MB.",
	})
}

// isUpload reports whether a form has a file.
func isUpload(c echo.Context) bool {
	kind, _, err := mime.ParseMediaType(c.Request().Header.Get(echo.HeaderContentType))
	return err == nil && kind == echo.MIMEMultipartForm
}

// pictureRow is an uploaded picture or font. URL is its public address, Local the same at this server. Asked means that
// its deletion is to be confirmed.
type pictureRow struct {
	ID, Name, URL, Local, Facts string
	Width, Height               int
	Font, Asked                 bool
}

// files reads the newest uploaded pictures and fonts of a project.
func (p *project) files(c echo.Context, id string) ([]gen.ProjectAsset, error) {
	var list gen.ProjectAssetPage
	in := server.Input{Path: map[string]string{"projectId": id}, Query: url.Values{"limit": {"100"}}}
	err := frame.Read(c, p.assets, in, &list)
	return list.Items, err
}

// rowsOf returns the rows of the list of files.
func rowsOf(c echo.Context, files []gen.ProjectAsset) []pictureRow {
	rows := make([]pictureRow, len(files))
	for i, a := range files {
		rows[i] = pictureRow{
			ID: a.Id.String(), Name: a.Name, URL: a.Url, Local: local(a.Url), Width: a.Width, Height: a.Height,
			Facts: strconv.Itoa(a.Width) + "×" + strconv.Itoa(a.Height) + ", " + humanize.Bytes(int64(a.SizeBytes)),
			Asked: c.QueryParam("discard") == a.Id.String(),
		}
		if a.Font != nil {
			rows[i].Font, rows[i].Name = true, a.Font.Family
			rows[i].Facts = weights(*a.Font) + ", " + humanize.Bytes(int64(a.SizeBytes))
		}
	}
	return rows
}

// uploads handles the form with a picture.
func (p *project) uploads(c echo.Context, found gen.Project, forms projectForms) error {
	form := forms.picture
	file, err := form.ReadUpload(c, "file", maxUpload)
	switch {
	case errors.Is(err, ui.ErrTooLarge):
		form.Fault("file", tooLarge)
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
		case apperr.BadRequest, apperr.UnsupportedMediaType, apperr.TierLocked, apperr.Conflict:
			form.Fault("file", form.Error)
			form.Error = ""
		case apperr.PayloadTooLarge:
			form.Fault("file", tooLarge)
			form.Error = ""
		}
		return p.page(c, found, forms, form)
	}
	return frame.Done(c, frame.ProjectPath(found.Id.String()), "uploaded")
}

// discards deletes an uploaded picture.
func (p *project) discards(c echo.Context, found gen.Project, forms projectForms, sent *ui.Form) error {
	id := found.Id.String()
	in := server.Input{Path: map[string]string{"projectId": id, "assetId": sent.Typed("which")}}
	if _, err := p.discard.Form(c, in); err != nil {
		sent.Refuse(c, err)
		return p.page(c, found, forms, sent)
	}
	return frame.Done(c, frame.ProjectPath(id), "discarded")
}
