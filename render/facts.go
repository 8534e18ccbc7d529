package render

import (
	"masthead/render/template/kit"
	"masthead/render/text"
)

// Names of the pictures in [Request.Facts], which designs of users show by these addresses.
const (
	IconAddress     = "page:icon"
	ImageAddress    = "page:image"
	PortraitAddress = "page:portrait"
	LogoAddress     = "page:logo"
)

// Facts returns what a design of a user can show of a request, by the names of its tags, as docs/html.md lists them.
// What is unknown is left out. Texts are in the typography and the language of the page, as our own designs set them;
// pictures are the addresses above.
func (r *Request) Facts() map[string]any {
	lang := bounded(r.Lang, maxLang)
	t := displayTexts(r.Texts, lang)
	day, month := r.dayAndMonth(lang)
	f := facts{}
	f.texts(map[string]string{
		"title": t.Title, "description": t.Description, "siteName": t.SiteName, "host": t.Host, "section": t.Eyebrow,
		"author": t.Author, "date": r.date(lang), "day": day, "month": month, "readingTime": r.readingTime(lang),
		"version": t.Version, "path": t.Path, "lang": lang, "dir": r.Dir,
	})
	if words, stops := kit.WithoutStop(t.Title); stops && words == t.Title {
		f["titleStop"] = "yes"
	}
	if letter := text.Initial(t.SiteName, lang); letter != 0 {
		f["initial"] = string(letter)
	}
	f.list("crumb", t.Crumb)
	f.list("items", t.Items)
	f.list("session", t.Session)
	f.object("quote", facts{}.texts(map[string]string{"text": t.Quote, "author": t.QuoteAuthor}), t.Quote != "")
	f.object("repository", facts{}.texts(map[string]string{
		"owner": t.Owner, "name": t.Repo, "language": t.Project.Language, "stars": t.Project.StarsShort(lang),
		"license": t.Project.License,
	}), t.Owner != "" && t.Repo != "")
	f.list("sections", t.Sections)
	code := facts{}.texts(map[string]string{"language": t.Code.Language})
	code.list("lines", t.Code.Lines)
	f.object("code", code, len(t.Code.Lines) > 0)
	goods := r.Product.goods(lang)
	f.product(goods, r.Product)
	leaf := r.Event.leaf(lang)
	f.object("event", facts{}.texts(map[string]string{
		"day": leaf.Day, "month": leaf.Month, "weekday": leaf.Weekday, "time": leaf.Time, "place": leaf.Place,
		"note": leaf.Note,
	}), leaf.Day != "")
	f.episode(r.Episode.play(lang))
	f.texts(map[string]string{
		"icon":     addressIf(r.Icon != nil, IconAddress),
		"image":    addressIf(r.Photo != nil || r.Background != nil, ImageAddress),
		"portrait": addressIf(r.Portrait != nil, PortraitAddress), "logo": addressIf(r.Logo != nil, LogoAddress),
	})
	return f
}

// facts are values by their names.
type facts map[string]any

// texts adds the texts that aren't empty.
func (f facts) texts(all map[string]string) facts {
	for name, text := range all {
		if text != "" {
			f[name] = text
		}
	}
	return f
}

// list adds a list that isn't empty.
func (f facts) list(name string, all []string) {
	items := make([]any, len(all))
	for i, text := range all {
		items[i] = text
	}
	if len(items) > 0 {
		f[name] = items
	}
}

// object adds an object that is known.
func (f facts) object(name string, of facts, known bool) {
	if known {
		f[name] = map[string]any(of)
	}
}

// product adds what is known of a product, a recipe or a work, and its price.
func (f facts) product(g kit.Goods, p Product) {
	if p.Price != "" && !g.Name && g.Headline != "" {
		f["price"] = g.Headline
	}
	of := facts{}.texts(map[string]string{"headline": g.Headline, "oldPrice": g.Old})
	if g.Gone {
		of["soldOut"] = true
	}
	if g.Rating > 0 {
		of["rating"] = g.Rating
	}
	of.list("facts", g.Facts)
	f.object("product", of, g.Headline != "" || g.Rating > 0)
}

// episode adds what is known of an episode or a video.
func (f facts) episode(p kit.Play) {
	of := facts{}.texts(map[string]string{"show": p.Show, "guest": p.Guest, "number": p.Number, "length": p.Length})
	if p.Video {
		of["video"] = true
	}
	of.list("facts", p.Facts)
	f.object("episode", of, p.Known)
}

// addressIf returns the address of a picture that is known.
func addressIf(known bool, address string) string {
	if known {
		return address
	}
	return ""
}
