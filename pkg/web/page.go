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

// faces serves the fonts of the pages, cacheable forever: the address contains the digest of the file.
func faces(e *echo.Echo) {
	for name, data := range ui.Faces() {
		e.GET(ui.FacePath+name, func(c echo.Context) error {
			c.Response().Header().Set("Cache-Control", "public, max-age=31536000, immutable")
			return c.Blob(http.StatusOK, "font/woff2", data)
		})
	}
}
