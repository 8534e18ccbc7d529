package frame

import (
	"embed"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"masthead/pkg/web/ui"
)

// Home is the path of the first page.
const Home = "/dashboard"

//go:embed pages/*.html pages/*.css
var allPages embed.FS

var sheets = []string{"tokens", "type", "controls", "code", "chrome", "forms"}

// both are the files of a package's pages, and after them those of this one.
type both struct{ own, shared fs.FS }

// Open implements [fs.FS].
func (b both) Open(name string) (fs.File, error) {
	f, err := b.own.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return b.shared.Open(name)
	}
	return f, err //nolint:wrapcheck // an error of the file system, as its callers expect
}

// Views returns what reads the template of a page among the files of a package, in its folder pages: the page's name,
// and what only some pages need: sheets of package ui by their names, and sheets and templates of either package with
// their ending. A hyphen before a name leaves that sheet out.
func Views(files fs.FS) func(name string, more ...string) func() *ui.View {
	own, _ := fs.Sub(files, "pages") // fails only for an invalid path
	shared, _ := fs.Sub(allPages, "pages")
	return func(name string, more ...string) func() *ui.View {
		return view(both{own, shared}, name, more)
	}
}

func view(files fs.FS, name string, more []string) func() *ui.View {
	own, of, parts := "frame.css", slices.Clone(sheets), []string{"frame.html", "parts.html"}
	for _, file := range more {
		left, without := strings.CutPrefix(file, "-")
		switch {
		case without:
			of = slices.DeleteFunc(of, func(s string) bool { return s == left })
		case strings.HasSuffix(file, ".css"):
			own += " " + file
		case strings.HasSuffix(file, ".html"):
			parts = append(parts, file)
		default:
			of = append(of, file)
		}
	}
	return sync.OnceValue(func() *ui.View { return ui.NewView(files, name, own, of, parts...) })
}
