package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"masthead/pkg/web/ui"
)

// newPage reads the named page of pages/: its template, and after the ui sheets its own sheet there, if any.
func newPage(name, own string, sheets []string) *ui.View {
	return ui.NewView(pageFiles, name, own, sheets)
}

// shared serves the fonts and scripts of the pages, cacheable forever: an address contains the digest of the file.
func shared(e *echo.Echo) {
	add := func(path, contentType string, files map[string][]byte) {
		for name, data := range files {
			e.GET(path+name, func(c echo.Context) error {
				c.Response().Header().Set("Cache-Control", "public, max-age=31536000, immutable")
				c.Response().Header().Set("X-Content-Type-Options", "nosniff")
				return c.Blob(http.StatusOK, contentType, data)
			})
		}
	}
	add(ui.FacePath, "font/woff2", ui.Faces())
	add(ui.ScriptPath, "text/javascript; charset=utf-8", ui.Scripts())
}
