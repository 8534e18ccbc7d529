package dashboard

import (
	"archive/zip"
	"bytes"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/iconset"
	"masthead/pkg/server"
)

// This file shows an icon set where people will see it. The record lists its six icons; those that launchers change are
// only in its archive.

// maxIcon is the maximum size of an icon of an archive in bytes.
const maxIcon = 1 << 20

// extras returns the icons in the archive of a set, by name.
func (p *image) extras(c echo.Context, id string) (map[string][]byte, error) {
	out, err := p.archive.Read(c, server.Input{
		Path: map[string]string{"imageId": id}, Query: url.Values{"extras": {"true"}},
	})
	if err != nil {
		return nil, err
	}
	archive, err := zip.NewReader(bytes.NewReader(out.Body), int64(len(out.Body)))
	if err != nil {
		return nil, err
	}
	icons := map[string][]byte{}
	for _, f := range archive.File {
		if !strings.HasSuffix(f.Name, ".png") {
			continue
		}
		file, err := f.Open()
		if err != nil {
			return nil, err
		}
		icons[f.Name], err = io.ReadAll(io.LimitReader(file, maxIcon))
		if err != nil {
			return nil, err
		}
	}
	return icons, nil
}

// icon serves GET /dashboard/images/{id}/icons/{name}.
func (p *image) icon(c echo.Context) error {
	icons, err := p.extras(c, c.Param("id"))
	if err != nil {
		return err
	}
	data := icons[c.Param("name")]
	if data == nil {
		return apperr.New(apperr.NotFound, "The set has no such icon.")
	}
	c.Response().Header().Set("Cache-Control", "private, max-age=60")
	return c.Blob(http.StatusOK, "image/png", data)
}

// places returns the elements that show an icon set, or "" for another image, and for one whose files can't be read
// now.
func (p *image) places(c echo.Context, of gen.Image) (template.HTML, error) {
	if of.Kind != gen.ImageKindIconSet || of.Assets == nil {
		return "", nil
	}
	icons, err := p.extras(c, of.Id.String())
	if err != nil {
		return "", nil //nolint:nilerr // the rest of the page is as good without them
	}
	site := iconset.Site{Host: siteOf(of.Url), Background: of.Source.Palette.Background}
	if of.Source.SiteName != nil {
		site.Name = *of.Source.SiteName
	}
	return iconset.Places(site, func(name string) string {
		assets := *of.Assets
		if i := slices.IndexFunc(assets, func(a gen.Asset) bool { return a.Name == name }); i >= 0 {
			return local(assets[i].Url)
		}
		if icons[name] == nil {
			return ""
		}
		return imagePath(of.Id.String()) + "/icons/" + name
	})
}
