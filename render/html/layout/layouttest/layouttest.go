// Package layouttest lays out small documents for tests of the ways of laying boxes out.
package layouttest

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"masthead/render/html/css"
	"masthead/render/html/css/media"
	"masthead/render/html/layout"
	"masthead/render/html/layout/fragment"
	"masthead/render/text"
)

// Laid lays out a document without margins on a card of 400 by 300 px, and returns the border boxes of its <i>, which
// are items of its <main>.
func Laid(t *testing.T, main, items string) (list []fragment.Rect) {
	t.Helper()
	source := "<!doctype html><html><body><main style='" + main + "'>" + items + "</main>"
	doc, err := html.Parse(strings.NewReader(source))
	if err != nil {
		t.Fatal(err)
	}
	sheet := css.NewSheet()
	sheet.Parse("body{margin:0}", 1, 1)
	styled, _, err := css.NewDocument(doc.LastChild, sheet, func(*html.Node) (line, column int) { return 1, 1 }).Style(
		t.Context(), css.Options{View: media.Viewport{Width: 400, Height: 300}})
	if err != nil {
		t.Fatal(err)
	}
	e := text.Get()
	defer text.Put(e)
	root, _, err := layout.Layout(t.Context(), layout.Input{Root: styled, Width: 400, Height: 300, Engine: e})
	if err != nil {
		t.Fatal(err)
	}
	var walk func(f *fragment.Fragment)
	walk = func(f *fragment.Fragment) {
		if f.Node != nil && f.Node.Tag == "i" {
			list = append(list, f.Border)
		}
		for _, c := range f.Children {
			walk(c)
		}
	}
	walk(root)
	return list
}
