// Package snippets has the code that puts an image into a site: one snippet for each of eleven frameworks, whose pages
// are drawn when their address is first requested, and for four programs, which draw the image of one page.
//
// Files: snippets.go makes snippets of values, quote.go escapes values for each language, use.go is the part of a page
// that shows them; code/ID.tmpl is each snippet, a text/template with [[ ]].
//
// To add one: its file in code/, its line in all, and the check of its syntax in snippets_test.go. If its framework can
// be installed, add a project of it to .ci/tools/snippets too.
package snippets

import (
	"embed"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/template"

	"masthead/pkg/card"
	"masthead/render"
)

// Values are what snippets are made of.
type Values struct {
	// Base is the public address of the service, without a trailing slash.
	Base string
	// PublicID and ID are those of a project, or "": the snippets then have [PublicID] and [ID] in their places.
	PublicID, ID string
	// Request is the image: the address of its page and its look. Its texts and its AI prompt aren't in the snippets of
	// frameworks, since each page has its own.
	Request card.Request
}

// Placeholders for the IDs of a project.
const (
	PublicID = "YOUR_PUBLIC_ID"
	ID       = "YOUR_PROJECT_ID"
)

// defaultCorner is that of logos.
const defaultCorner = "top-left"

// Snippet is code to paste.
type Snippet struct {
	ID, Name string
	// Program means that it draws the image of one page, from anywhere. Other snippets belong into a framework's File.
	Program bool
	File    string
	Code    string
	// Note is what else there is to do, or "".
	Note string
}

// kind is a snippet without values. Hero images belong into heroFile, if not "". og means that its note is only about
// share images.
type kind struct {
	id, name       string
	program, og    bool
	file, heroFile string
	note           string
}

// all are the snippets in the order of their list.
var all = []kind{
	{id: "html", name: "HTML", file: "Into <head>", heroFile: "At the top of the post",
		note: "Each page has its own address after url=, percent-encoded."},
	{id: "next", name: "Next.js", file: "app/blog/[slug]/page.tsx",
		note: "Put the path of your own folder in place of /blog/."},
	{id: "astro", name: "Astro", file: "src/layouts/Post.astro",
		note: "Set site in astro.config.mjs: addresses begin with it."},
	{id: "nuxt", name: "Nuxt", file: "app/app.vue", heroFile: "app/components/PostHero.vue"},
	{id: "sveltekit", name: "SvelteKit", file: "src/routes/+layout.svelte", heroFile: "src/lib/PostHero.svelte"},
	{id: "eleventy", name: "Eleventy", file: "_includes/layout.njk"},
	{id: "vitepress", name: "VitePress", file: ".vitepress/config.mts", heroFile: ".vitepress/theme/PostHero.vue",
		note: `With cleanUrls, put "" in place of ".html".`},
	{id: "docusaurus", name: "Docusaurus", og: true, file: "src/theme/Root.js", heroFile: "src/components/PostHero.js",
		note: "Take image out of themeConfig, or pages name two images."},
	{id: "hugo", name: "Hugo", file: "layouts/partials/head.html", heroFile: "layouts/_default/single.html",
		note: "Set baseURL in the configuration: addresses begin with it."},
	{id: "jekyll", name: "Jekyll", file: "_includes/head.html", heroFile: "_layouts/post.html",
		note: "Set url in _config.yml: addresses begin with it."},
	{id: "wordpress", name: "WordPress", og: true, file: "functions.php of your theme",
		note: "If an SEO plugin names share images, turn that off, or pages name two."},
	{id: "curl", name: "curl", program: true, note: "MASTHEAD_KEY is an API key of the project."},
	{id: "typescript", name: "TypeScript", program: true,
		note: "MASTHEAD_KEY is an API key of the project. Runs in Node.js."},
	{id: "go", name: "Go", program: true, note: "MASTHEAD_KEY is an API key of the project."},
	{id: "cli", name: "Command line", program: true,
		note: "Draws into a file on your machine. It needs no project, key or server."},
}

//go:embed code/*.tmpl
var files embed.FS

var parsed = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Delims("[[", "]]").Funcs(quotes).ParseFS(files, "code/*.tmpl"))
})

// Find returns a snippet for values, or that for HTML if there is none with the ID.
func Find(id string, v Values) (Snippet, error) {
	found := all[0]
	for _, k := range kindsFor(v.Request) {
		if k.id == id {
			found = k
		}
	}
	return found.of(v)
}

// All returns all snippets for values.
func All(v Values) ([]Snippet, error) {
	kinds := kindsFor(v.Request)
	made := make([]Snippet, len(kinds))
	for i, k := range kinds {
		var err error
		if made[i], err = k.of(v); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// kindsFor returns the snippets that a request has: the command line knows no designs of a project.
func kindsFor(r card.Request) []kind {
	const slug = "abcdefghijklmnopqrstuvwxyz0123456789-"
	_, ours := render.Lookup(r.Template, "")
	if ours || r.Template == "" || r.Template == card.AutoTemplate || strings.Trim(r.Template, slug) != "" {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(k kind) bool { return k.id == "cli" })
}

// of returns the snippet for values.
func (k kind) of(v Values) (Snippet, error) {
	d, err := dataOf(v)
	if err != nil {
		return Snippet{}, err
	}
	var code strings.Builder
	if err := parsed().ExecuteTemplate(&code, k.id+".tmpl", d); err != nil {
		return Snippet{}, fmt.Errorf("make the snippet %s: %w", k.id, err)
	}
	s := Snippet{
		ID: k.id, Name: k.name, Program: k.program, File: k.file, Note: k.note, Code: strings.TrimSpace(code.String()) + "\n",
	}
	if d.Hero && !k.program {
		if k.heroFile != "" {
			s.File = k.heroFile
		}
		if k.og {
			s.Note = ""
		}
	}
	return s, nil
}

// data is what the templates get.
type data struct {
	// Address is the public URL of the page's image. Prefix is its beginning, up to and including "url=", Before without
	// that. Origin is that of the page, "https://example.com". URL is the page's address.
	Address, Prefix, Before, Origin, URL string
	// Generate is the address of the operation that draws, and Body its request as indented JSON.
	Generate, Body string
	// Flags are those of the command line, quoted.
	Flags []string
	// Hero means that the image is shown in the page, instead of where the page is shared.
	Hero          bool
	Width, Height int // of the image, in pixels
}

// dataOf returns the data for values.
func dataOf(v Values) (data, error) {
	page, err := url.Parse(v.Request.URL)
	if err != nil || page.Host == "" {
		return data{}, fmt.Errorf("snippets for an address that isn't one: %q", v.Request.URL)
	}
	r := v.Request
	if v.PublicID == "" {
		v.PublicID = PublicID
	}
	if v.ID == "" {
		v.ID = ID
	}
	before := plainURL(v.Base) + "/og/" + url.PathEscape(v.PublicID) + "?"
	if q := look(r).Encode(); q != "" {
		before += q + "&"
	}
	d := data{
		Before: before, Prefix: before + "url=", Address: before + "url=" + url.QueryEscape(r.URL),
		Origin: plainURL(page.Scheme + "://" + page.Host), URL: r.URL,
		Generate: plainURL(v.Base) + "/images/generate", Body: body(r, v.ID), Flags: flags(r),
		Hero: r.Kind == card.BlogHero, Width: 1200, Height: 630,
	}
	if d.Hero {
		d.Width, d.Height = 1600, 900
		if r.Style.AspectRatio == "16:10" {
			d.Height = 1000
		}
	}
	if r.Kind == card.Custom {
		d.Width, d.Height = r.Size.X, r.Size.Y
	}
	return d, nil
}

// look returns the parameters of the public URL, without those that are the default.
func look(r card.Request) url.Values {
	q := url.Values{}
	set := func(name, value, usual string) {
		if value != "" && value != usual {
			q.Set(name, value)
		}
	}
	set("kind", string(r.Kind), string(card.OG))
	if r.Kind == card.Custom {
		set("size", fmt.Sprintf("%dx%d", r.Size.X, r.Size.Y), "")
	}
	set("template", r.Template, "") // a project may have a default of its own
	set("accent", strings.TrimPrefix(r.Style.Accent, "#"), "")
	set("dark", strconv.FormatBool(r.Style.Dark), "true")
	set("font", r.Style.Font, render.DefaultFont)
	if r.Kind == card.BlogHero {
		set("aspectRatio", r.Style.AspectRatio, render.DefaultAspectRatio)
	}
	if logo := r.Style.Logo; logo != nil {
		set("logoUrl", logo.URL, "")
		set("logoPosition", logo.Position, defaultCorner)
	}
	if r.AI != nil {
		q.Set("ai", "true")
		set("aiModel", r.AI.Model, "standard")
	}
	return q
}

// Tags returns the elements for the address in value, which is quoted as the framework wants it. end is " /" where
// elements are closed, and binds the prefix of an attribute whose value is an expression.
func (d data) Tags(value, end, binds string) string {
	if d.Hero {
		return fmt.Sprintf(`<img %ssrc=%s width="%d" height="%d" alt=""%s>`, binds, value, d.Width, d.Height, end)
	}
	return fmt.Sprintf(`<meta property="og:image" content=%s%s>
<meta property="og:image:width" content="%d"%[2]s>
<meta property="og:image:height" content="%[4]d"%[2]s>
<meta name="twitter:card" content="summary_large_image"%[2]s>`, value, end, d.Width, d.Height)
}
