package snippets_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	htmltemplate "html/template"
	"maps"
	"net/url"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"golang.org/x/net/html"

	"masthead/pkg/card"
	"masthead/pkg/web/snippets"
)

// hostile ends strings, tags, scripts, comments and front matter in one language or another.
const hostile = "\"'`\\\n$(id)${id}{{1}}{%x%}{id}#{id}--><!--</script></style><script>x()</script>" +
	"<?php ?>---%}}}\n---\n*/\u2028&\x00"

// values returns values with a text in each place that a page, a person or an operator can fill.
func values(kind card.Kind, text string) snippets.Values {
	return snippets.Values{
		Base: "https://cards.example/" + url.PathEscape(text), PublicID: "6qL7" + text, ID: "0199e0a6" + text,
		Request: card.Request{
			URL: "https://northlane.dev/blog/" + url.PathEscape(text) + "?a='b'&c=$(d)#" + url.PathEscape(text), Kind: kind,
			Template: "mesh" + text,
			Style: card.Style{
				Accent: "#0f766e", Font: "space-grotesk", AspectRatio: "16:10",
				Logo: &card.Logo{URL: "https://northlane.dev/logo.svg?" + text, Position: "top-right"},
			},
			Content: card.Content{
				Title: "T" + text, Description: "D" + text, SiteName: "S" + text, Eyebrow: "E" + text, Author: "A" + text,
				Date: "2026-03-12",
			},
			AI: &card.AI{Model: "pro" + text, Prompt: "P" + text},
		},
	}
}

// plain are values as they usually are.
func plain(kind card.Kind) snippets.Values {
	return snippets.Values{
		Base: "https://cards.example", PublicID: "6qL7YFTF0kpR", ID: "0199e0a6-5f5e-7cc1-9a51-3f0d8f2b7c11",
		Request: card.Request{
			URL: "https://northlane.dev/blog/render-queue", Kind: kind, Template: "editorial",
			Style: card.Style{Dark: true, Font: "inter"},
		},
	}
}

// TestAll_parse parses each snippet with a parser of its language, and reads the addresses and requests in it back:
// they are exactly those of the values, whatever these contain.
func TestAll_parse(t *testing.T) {
	t.Parallel()
	for _, kind := range []card.Kind{card.OG, card.BlogHero} {
		for name, v := range map[string]snippets.Values{
			"plain": plain(kind), "chosen": values(kind, ""), "hostile": values(kind, hostile),
		} {
			all, err := snippets.All(v)
			if err != nil {
				t.Fatal(err)
			}
			if len(all) != 15 {
				t.Errorf("%d snippets", len(all))
			}
			for _, s := range all {
				t.Run(strings.Join([]string{string(kind), name, s.ID}, "/"), func(t *testing.T) {
					t.Parallel()
					check := checks[s.ID]
					if check == nil {
						t.Fatal("nothing checks this snippet")
					}
					check(t, s, v)
					if strings.TrimSpace(s.Code)+"\n" != s.Code || s.Program != (s.File == "") || s.Name == "" {
						t.Errorf("its form: %+v", s)
					}
				})
			}
		}
	}
}

// check parses a snippet.
type check func(t *testing.T, s snippets.Snippet, v snippets.Values)

// page is the address that a framework builds.
const page = "https://northlane.dev/blog/a b/ü?x=1&y"

var checks = map[string]check{
	"html": func(t *testing.T, s snippets.Snippet, v snippets.Values) {
		wantAddress(t, v, v.Request.URL, pictureOf(t, s.Code, v))
	},
	"hugo": func(t *testing.T, s snippets.Snippet, v snippets.Values) {
		querify := func(name, value string) string { return url.Values{name: {value}}.Encode() }
		hugo, err := htmltemplate.New("").Funcs(htmltemplate.FuncMap{"querify": querify}).Parse(s.Code)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := hugo.Execute(&out, map[string]string{"Permalink": page}); err != nil {
			t.Fatal(err)
		}
		wantAddress(t, v, page, pictureOf(t, out.String(), v))
	},
	"eleventy":   liquid(`{% set card = `, ` \+ \(address \| urlencode\) %}`),
	"jekyll":     liquid(`{% assign card = address \| prepend: `, ` %}`),
	"next":       script(api.LoaderTSX, false),
	"docusaurus": script(api.LoaderJSX, false),
	"vitepress":  script(api.LoaderTS, true),
	"nuxt":       component,
	"sveltekit":  component,
	"astro": func(t *testing.T, s snippets.Snippet, v snippets.Values) {
		parts := strings.Split(s.Code, "---\n")
		if len(parts) != 3 || parts[0] != "" {
			t.Fatalf("no front matter: %q", s.Code)
		}
		if got := pictureOf(t, parts[2], v); got != "{card}" {
			t.Errorf("the picture is %q", got)
		}
		wantScript(t, v, api.LoaderTS, parts[1])
	},
	"wordpress": func(t *testing.T, s snippets.Snippet, v snippets.Values) {
		// Without its strings, in single quotes, the code is always the same.
		literal := regexp.MustCompile(`(?s)'((?:[^'\\]|\\.)*)'`)
		if rest := literal.ReplaceAllString(s.Code, ""); strings.ContainsAny(rest, "'\"`#\\?") ||
			strings.Count(rest, "{") != strings.Count(rest, "}") || strings.Count(rest, "(") != strings.Count(rest, ")") {
			t.Errorf("its code: %s", rest)
		}
		m := regexp.MustCompile(`(?s)\$card = '((?:[^'\\]|\\.)*)' \. rawurlencode\( get_permalink\(\) \);`).
			FindStringSubmatch(s.Code)
		if m == nil {
			t.Fatalf("no address: %s", s.Code)
		}
		wantAddress(t, v, page, strings.NewReplacer(`\\`, `\`, `\'`, `'`).Replace(m[1])+url.QueryEscape(page))
	},
	"curl": func(t *testing.T, s snippets.Snippet, v snippets.Values) {
		args := shell(t, s.Code)
		want := []string{
			"curl", "-s", generate(v), "-H", "Authorization: Bearer a key", "-H", "Content-Type: application/json", "-d",
		}
		if len(args) != len(want)+1 || !slices.Equal(args[:len(want)], want) {
			t.Fatalf("got %q, want %q and the body", args, want)
		}
		wantBody(t, v, args[len(want)])
	},
	"cli": func(t *testing.T, s snippets.Snippet, v snippets.Values) {
		args, r := shell(t, s.Code), v.Request
		want := []string{"masthead", "card", r.URL}
		if r.Kind == card.BlogHero {
			want = append(want, "--kind=blog_hero")
		}
		if r.Template != "editorial" {
			want = append(want, "--template="+r.Template, "--accent=0f766e", "--light", "--font=space-grotesk")
			if r.Kind == card.BlogHero {
				want = append(want, "--aspect-ratio=16:10")
			}
			c := r.Content
			want = append(want, "--logo="+r.Style.Logo.URL, "--logo-position=top-right", "--title="+c.Title,
				"--description="+c.Description, "--site-name="+c.SiteName, "--eyebrow="+c.Eyebrow, "--author="+c.Author,
				"--date=2026-03-12")
		}
		file := "card.png"
		if r.Kind == card.BlogHero {
			file = "hero.png"
		}
		want = append(want, "-o", file)
		for i := range want { // a shell can't pass this character
			want[i] = strings.ReplaceAll(want[i], "\x00", "")
		}
		if !slices.Equal(args, want) {
			t.Errorf("got %q, want %q", args, want)
		}
	},
	"typescript": func(t *testing.T, s snippets.Snippet, v snippets.Values) {
		parse(t, api.LoaderTS, s.Code)
		wantBody(t, v, between(t, s.Code, "JSON.stringify(", "),\n})"))
		if got := unquoteJS(t, between(t, s.Code, "fetch(", ", {\n")); got != generate(v) {
			t.Errorf("it fetches %q, want %q", got, generate(v))
		}
	},
	"go": func(t *testing.T, s snippets.Snippet, v snippets.Values) {
		file, err := parser.ParseFile(token.NewFileSet(), "main.go", s.Code, parser.AllErrors)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Error(err)
				}
				texts = append(texts, text)
			}
			return true
		})
		if !slices.Contains(texts, generate(v)) || len(texts) != 14 {
			t.Errorf("its texts: %q", texts)
		}
		wantBody(t, v, texts[slices.IndexFunc(texts, func(s string) bool { return strings.HasPrefix(s, "{") })])
	},
}

// liquid checks a template with the string of its address between two patterns. Nothing can be escaped there.
func liquid(before, after string) check {
	prefix := regexp.MustCompile(before + `"((?:[^"{}%]|%[0-9A-F]{2})*)"` + after)
	return func(t *testing.T, s snippets.Snippet, v snippets.Values) {
		m := prefix.FindStringSubmatch(s.Code)
		if m == nil {
			t.Fatalf("no address: %s", s.Code)
		}
		if n := strings.Count(s.Code, "{%"); n != 2 || strings.Count(s.Code, "%}") != n ||
			strings.Count(s.Code, "{{") != 1 {
			t.Errorf("its tags: %s", s.Code)
		}
		_, elements, _ := strings.Cut(s.Code[strings.LastIndex(s.Code, "%}"):], "\n")
		if got := pictureOf(t, elements, v); !regexp.MustCompile(`^{{ card( \| escape)? }}$`).MatchString(got) {
			t.Errorf("the picture is %q", got)
		}
		wantAddress(t, v, page, m[1]+url.QueryEscape(page))
	}
}

// script checks a file of JavaScript; hero means that the snippet for hero images is a component.
func script(loader api.Loader, hero bool) check {
	return func(t *testing.T, s snippets.Snippet, v snippets.Values) {
		if hero && v.Request.Kind == card.BlogHero {
			component(t, s, v)
			return
		}
		wantScript(t, v, loader, s.Code)
	}
}

// component checks a file of markup with one script.
func component(t *testing.T, s snippets.Snippet, v snippets.Values) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(s.Code))
	if err != nil {
		t.Fatal(err)
	}
	var scripts []string
	var picture string
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "script":
			scripts = append(scripts, n.FirstChild.Data)
		case "img":
			picture = attribute(n, "src") + attribute(n, ":src")
		case "meta":
			if attribute(n, "property") == "og:image" {
				picture = attribute(n, "content")
			}
		}
	}
	if s.ID == "nuxt" && v.Request.Kind == card.OG {
		picture = "card" // it has no markup
	}
	if len(scripts) != 1 || strings.Trim(picture, "{}") != "card" {
		t.Fatalf("scripts: %q, picture: %q", scripts, picture)
	}
	wantScript(t, v, api.LoaderTS, scripts[0])
}

// wantScript checks a script, and the address that it builds.
func wantScript(t *testing.T, v snippets.Values, loader api.Loader, code string) {
	t.Helper()
	parse(t, loader, code)
	if !strings.Contains(code, "encodeURIComponent(") {
		t.Error("the address isn't encoded")
	}
	literals := regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"`).FindAllString(code, -1)
	for _, l := range literals {
		text := unquoteJS(t, l)
		if strings.Contains(text, "/og/") {
			wantAddress(t, v, page, text+url.QueryEscape(page))
			return
		}
	}
	t.Errorf("no address among %q", literals)
}

// parse parses code with esbuild, which checks its syntax.
func parse(t *testing.T, loader api.Loader, code string) {
	t.Helper()
	// The runes of Svelte and the imports are only names here.
	result := api.Transform(code, api.TransformOptions{Loader: loader, JSX: api.JSXAutomatic, Format: api.FormatESModule})
	for _, e := range append(result.Errors, result.Warnings...) {
		t.Errorf("%s in\n%s", e.Text, code)
	}
}

// unquoteJS returns the text of a string of JavaScript that is one of JSON, too.
func unquoteJS(t *testing.T, literal string) (text string) {
	t.Helper()
	if err := json.Unmarshal([]byte(literal), &text); err != nil {
		t.Errorf("%s: %v", literal, err)
	}
	if strings.Contains(literal, "</") || strings.Contains(literal, "---") {
		t.Errorf("%s ends its script", literal)
	}
	return text
}

// pictureOf returns the address of the picture in elements, and checks the others.
func pictureOf(t *testing.T, elements string, v snippets.Values) (address string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(elements))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for n := range root.Descendants() {
		switch {
		case n.Type != html.ElementNode, n.Data == "html", n.Data == "head", n.Data == "body":
			if text := strings.TrimSpace(n.Data); n.Type == html.TextNode && text != "" {
				t.Errorf("text between the elements: %q", text)
			}
		case n.Data == "meta":
			got[attribute(n, "property")+attribute(n, "name")] = attribute(n, "content")
		case n.Data == "img":
			got["src"], got["size"] = attribute(n, "src"), attribute(n, "width")+"x"+attribute(n, "height")
		default:
			t.Errorf("there is a <%s>", n.Data)
		}
	}
	want := map[string]string{"og:image:width": "1200", "og:image:height": "630", "twitter:card": "summary_large_image"}
	name := "og:image"
	if v.Request.Kind == card.BlogHero {
		name, want = "src", map[string]string{"size": "1600x900"}
		if v.Request.Style.AspectRatio == "16:10" {
			want["size"] = "1600x1000"
		}
	}
	want[name] = got[name]
	if !maps.Equal(got, want) {
		t.Errorf("the elements say %v, want %v", got, want)
	}
	return got[name]
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// wantAddress checks the address of the picture of a page.
func wantAddress(t *testing.T, v snippets.Values, page, address string) {
	t.Helper()
	got, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	r := v.Request
	want := url.Values{"url": {page}, "template": {r.Template}}
	if r.Kind == card.BlogHero {
		want.Set("kind", "blog_hero")
	}
	if r.Template != "editorial" {
		for name, value := range map[string]string{
			"accent": "0f766e", "dark": "false", "font": "space-grotesk", "logoUrl": r.Style.Logo.URL,
			"logoPosition": "top-right", "ai": "true", "aiModel": r.AI.Model,
		} {
			want.Set(name, value)
		}
		if r.Kind == card.BlogHero {
			want.Set("aspectRatio", "16:10")
		}
	}
	if !reflect.DeepEqual(got.Query(), want) {
		t.Errorf("the address has %v, want %v", got.Query(), want)
	}
	base, err := url.Parse(v.Base)
	if err != nil {
		t.Fatal(err)
	}
	if got.Scheme != "https" || got.Host != "cards.example" || got.Fragment != "" ||
		got.Path != base.Path+"/og/"+v.PublicID {
		t.Errorf("the address is %s", address)
	}
}

// generate is the address of the operation, in which a few more characters are encoded.
func generate(v snippets.Values) string {
	return strings.NewReplacer("$", "%24", "(", "%28", ")", "%29").Replace(v.Base) + "/images/generate"
}

// wantBody checks the request in a program.
func wantBody(t *testing.T, v snippets.Values, body string) {
	t.Helper()
	r := v.Request
	want := map[string]any{"url": r.URL, "projectId": v.ID, "template": r.Template}
	if r.Kind == card.BlogHero {
		want["kind"] = "blog_hero"
	}
	if r.Template != "editorial" {
		c := r.Content
		style := map[string]any{
			"accent": "#0f766e", "dark": false, "font": "space-grotesk",
			"logo": map[string]any{"url": r.Style.Logo.URL, "position": "top-right"},
		}
		if r.Kind == card.BlogHero {
			style["aspectRatio"] = "16:10"
		}
		want["style"], want["ai"] = style, true
		if r.AI.Model == "pro" {
			want["ai"] = map[string]any{"model": "pro"}
		}
		want["content"] = map[string]any{
			"title": c.Title, "description": c.Description, "siteName": c.SiteName, "eyebrow": c.Eyebrow, "author": c.Author,
			"date": c.Date,
		}
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the body is %v, want %v", got, want)
	}
}

// shell runs code in a shell that has only functions in place of programs, and returns the name and arguments of the
// one that it ran.
func shell(t *testing.T, code string) []string {
	t.Helper()
	stub := `show() { for arg; do printf '%s\000' "$arg"; done; }
curl() { show curl "$@"; }
masthead() { show masthead "$@"; }
`
	code = strings.ReplaceAll(code, "\x00", "") // which no argument of a program can have
	cmd := exec.CommandContext(t.Context(), "sh", "-euc", stub+code)
	cmd.Env = []string{"MASTHEAD_KEY=a key", "PATH=/nowhere"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

// between returns the text between two others.
func between(t *testing.T, text, from, to string) string {
	t.Helper()
	_, after, ok := strings.Cut(text, from)
	between, _, end := strings.Cut(after, to)
	if !ok || !end {
		t.Fatalf("nothing is between %q and %q in %s", from, to, text)
	}
	return between
}

// TestNewUse_links leads to each snippet, and keeps the other parameters of the page.
func TestNewUse_links(t *testing.T) {
	t.Parallel()
	query := url.Values{"for": {"hugo"}, "title": {hostile}, "accent": {"0f766e"}}
	u, err := snippets.NewUse(plain(card.OG), nil, "/try/x", query)
	if err != nil {
		t.Fatal(err)
	}
	if u.Chosen.ID != "hugo" || u.Placeholder == "" || !strings.Contains(u.Chosen.Code, "/og/6qL7YFTF0kpR?") {
		t.Errorf("chosen: %+v", u)
	}
	if len(u.Hidden) != 2 || u.Hidden[0].Name != "accent" || u.Hidden[1].Value != hostile {
		t.Errorf("hidden: %+v", u.Hidden)
	}
	n := 0
	for _, g := range u.Groups {
		for _, l := range g.Links {
			n++
			to, err := url.Parse(l.URL)
			if err != nil || to.Path != "/try/x" || to.Fragment != "use" || to.Query().Get("for") != l.ID ||
				to.Query().Get("title") != hostile || l.Chosen != (l.ID == "hugo") {
				t.Errorf("%+v: %v", l, err)
			}
		}
	}
	if n != 15 {
		t.Errorf("%d links", n)
	}
	project := snippets.Project{Name: "Northlane", PublicID: "DemoProject1", ID: "an ID"}
	if u, err = snippets.NewUse(plain(card.OG), &project, "/try/x", url.Values{"for": {"no such"}}); err != nil {
		t.Fatal(err)
	}
	if u.Chosen.ID != "html" || u.Placeholder != "" ||
		!strings.Contains(u.Chosen.Code, "/og/DemoProject1?template=editorial&amp;url=") {
		t.Errorf("with a project: %+v", u)
	}
}
