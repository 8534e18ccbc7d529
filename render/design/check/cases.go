package check

import (
	"fmt"
	"image"
	"image/color"
	"maps"
	"slices"
	"strings"
	"sync"

	"masthead/render"
	"masthead/render/design"
	"masthead/render/html"
	"masthead/render/palette"
	"masthead/render/specimen"
)

// testCase is a page, and how it is drawn.
type testCase struct {
	name       string
	facts      map[string]any
	properties map[string]string
	pictures   map[string]design.Image
	// title is what the card must show, or "". short says that it must be complete.
	title string
	short bool
}

// shortTitle is the length up to which a title must not be cut, in characters.
const shortTitle = 70

// look is how a page is drawn.
type look struct {
	accent color.NRGBA
	dark   bool
	photo  string // one of package specimen, or "" for none
}

func (l look) String() string {
	mode := "light"
	if l.dark {
		mode = "dark"
	}
	name := mode + " " + strings.TrimPrefix(palette.Hex(l.accent), "#")
	if l.photo != "" {
		name += " on " + l.photo
	}
	return name
}

// lengths are those of titles in characters, about.
var lengths = []int{3, 20, 40, 70, 120, 200}

// casesFor returns the cases of a design; all of them, or a selection that finds what depends on one thing only.
func casesFor(d *design.Design, all bool) (cases []testCase) {
	looks := looksFor(d)
	add := func(name string, p specimen.Page, l look, without ...string) {
		cases = append(cases, newCase(d, name, p, l, without))
	}
	scripts := specimen.Scripts()
	if all {
		for _, p := range scripts {
			for _, n := range lengths {
				for _, l := range looks {
					add(placeName(p.Name, n, l), resized(p, n), l)
				}
			}
		}
		return cases
	}
	for i, p := range scripts {
		add(p.Name, p, looks[i%len(looks)])
	}
	for i, n := range lengths {
		for j := range 2 {
			p := scripts[0]
			if j == 1 { // the next script with words of another width
				p = scripts[3+2*i]
			}
			add(placeName(p.Name, n), resized(p, n), looks[(3*i+j)%len(looks)])
		}
	}
	add("one long word", specimen.Find("token"), looks[0])
	usual := specimen.Find("60")
	for _, l := range looks {
		add(l.String(), usual, l)
	}
	for i, name := range slices.Sorted(maps.Keys(d.Names())) {
		if _, known := everything().facts[name]; known && name != "title" {
			add("without "+name, usual, looks[i%len(looks)], name)
		}
	}
	add("only a title", usual, looks[1], slices.Collect(maps.Keys(everything().facts))...)
	return cases
}

// looksFor returns the accents, dark and light, and for a design with a picture also hard pictures.
func looksFor(d *design.Design) (all []look) {
	for i, accent := range specimen.Accents() {
		all = append(all, look{accent, i%2 == 0, ""}, look{accent, i%2 == 1, ""})
	}
	if d.Uses("image") {
		for i, picture := range specimen.HardPictures() {
			all = append(all, look{specimen.Accents()[i%len(specimen.Accents())], i%2 == 0, picture})
		}
		all = append(all, look{specimen.Accents()[0], false, specimen.Pictures()[0]})
	}
	return all
}

// resized returns a page with a title of about n characters, made of its own words.
func resized(p specimen.Page, n int) specimen.Page {
	words := strings.Fields(p.Title + " " + p.Description)
	if len(words) < 3 { // of a script without spaces
		letters := []rune(p.Title + p.Description)
		for len(letters) < n {
			letters = append(letters, letters...)
		}
		p.Title = string(letters[:n])
		return p
	}
	var title []string
	for size := 0; ; {
		word := words[len(title)%len(words)]
		if size += len([]rune(word)) + 1; size > n+1 && len(title) > 0 {
			break
		}
		title = append(title, word)
	}
	p.Title = strings.Join(title, " ")
	return p
}

// newCase returns a case without some of the facts.
func newCase(d *design.Design, name string, p specimen.Page, l look, without []string) testCase {
	slug := "editorial"
	switch {
	case d.Uses("quote"):
		slug = "quote"
	case d.Uses("repository"):
		slug = "repo"
	}
	r := p.Request(slug, render.OG)
	facts := maps.Clone(everything().facts)
	for name := range facts { // of the page, and what it can't have from the samples
		if name != "product" && name != "price" && name != "event" && name != "episode" && name != "code" &&
			name != "session" && name != "icon" && name != "logo" && name != "portrait" && name != "version" {
			delete(facts, name)
		}
	}
	maps.Copy(facts, r.Facts())
	facts["url"] = "https://northlane.dev/blog/render-queue"
	delete(facts, "image")
	pictures := maps.Clone(everything().pictures)
	if l.photo != "" {
		facts["image"], pictures[render.ImageAddress] = render.ImageAddress, photo(l.photo)
	}
	for _, name := range without {
		if name != "title" {
			delete(facts, name)
		}
	}
	secondary := palette.Choose([]palette.Candidate{{Color: l.accent, Weight: 1}}, l.dark).Secondary
	c := testCase{
		name: name, facts: facts, pictures: pictures,
		properties: design.Properties(palette.New(l.accent, l.dark), secondary),
	}
	if d.Uses("title") && !d.Uses("quote") && !d.Uses("repository") {
		c.title, _ = facts["title"].(string)
	}
	c.short = len([]rune(c.title)) <= shortTitle && p.Name != "token"
	if !d.Uses("title") && slug == "editorial" { // then nothing has it
		c.title, _ = facts["title"].(string)
	}
	return c
}

var photo = func() func(name string) design.Image {
	var mu sync.Mutex
	known := map[string]design.Image{}
	return func(name string) design.Image {
		mu.Lock()
		defer mu.Unlock()
		if known[name] == nil {
			known[name] = html.Raster(specimen.Picture(name))
		}
		return known[name]
	}
}()

// factSet has facts with their pictures.
type factSet struct {
	facts    map[string]any
	pictures map[string]design.Image
}

// everything returns all facts that a page can have, of samples.
var everything = sync.OnceValue(func() factSet {
	k := factSet{map[string]any{}, map[string]design.Image{}}
	for _, t := range render.Templates() {
		if r, ok := render.Sample(t.Slug); ok {
			for name, value := range r.Facts() {
				if k.facts[name] == nil {
					k.facts[name] = value
				}
			}
		}
	}
	picture := func(name, address string, img image.Image) {
		if of, ok := img.(*image.NRGBA); ok {
			k.facts[name], k.pictures[address] = address, html.Raster(of)
		}
	}
	picture("icon", render.IconAddress, specimen.Logo("square"))
	picture("logo", render.LogoAddress, specimen.Logo("wordmark"))
	sample, _ := render.Sample("byline")
	picture("portrait", render.PortraitAddress, sample.Portrait)
	k.facts["image"], k.facts["url"] = render.ImageAddress, "https://northlane.dev/blog/render-queue"
	for _, name := range []string{"dir", "lang"} {
		if k.facts[name] == nil {
			k.facts[name] = ""
		}
	}
	return k
})

// UnknownTag is a tag that no fact fills in. Like is the known name that is most like it, or "".
type UnknownTag struct{ Name, Like string }

// Tags returns the tags of a design that no fact fills in.
func Tags(d *design.Design) (unfilled []UnknownTag) {
	names := map[string]bool{"data": true, ".": true}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, of := range v {
				names[name] = true
				walk(of)
			}
		case []any:
			for _, of := range v {
				walk(of)
			}
		}
	}
	walk(everything().facts)
	if d.Uses("data") { // its members may have any name
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(d.Names())) {
		if !names[strings.Split(name, ".")[0]] {
			unfilled = append(unfilled, UnknownTag{name, like(name, names)})
		}
	}
	return unfilled
}

// Message is a sentence about the tag.
func (u UnknownTag) Message() string {
	if u.Like == "" {
		return fmt.Sprintf("There is no fact {{%s}}.", u.Name)
	}
	return fmt.Sprintf("There is no fact {{%s}}: did you mean {{%s}}?", u.Name, u.Like)
}

// unknown reports the tags that no fact fills in.
func unknown(d *design.Design, r *reporter) {
	for _, u := range Tags(d) {
		r.add(Finding{Code: Unknown, Message: u.Message(), Case: "compile"}, nil)
	}
}

// like suggests the known name that is most like another one.
func like(name string, names map[string]bool) string {
	for _, known := range slices.Sorted(maps.Keys(names)) {
		if len(known) > 2 && (strings.EqualFold(known, name) || similar(known, name)) {
			return known
		}
	}
	return ""
}

// similar reports whether two names have the same letters, but for one.
func similar(a, b string) bool {
	if d := len(a) - len(b); d < -1 || d > 1 {
		return false
	}
	i, j := 0, 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	for j < min(len(a), len(b))-i && a[len(a)-1-j] == b[len(b)-1-j] {
		j++
	}
	return max(len(a), len(b))-i-j <= 2
}
