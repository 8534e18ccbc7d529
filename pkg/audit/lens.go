package audit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/cleantext"
	"masthead/pkg/fetch"
	"masthead/pkg/page"
	"masthead/pkg/platform"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
)

// Lens is a page as crawlers receive it: those of previews and of AI agents.
type Lens struct {
	// URL is the final address of the page as we read it by our own name, Status its status.
	URL    string `json:"url"`
	Status int    `json:"status"`
	// Derived means that the page wasn't read by the names of crawlers: the views say what follows from one request.
	Derived bool       `json:"derived,omitempty"`
	Views   []LensView `json:"views"`
}

// Access is how a crawler fares.
type Access string

// The kinds of access. MayDiffer means that the site refused a request with the crawler's name, but checks addresses,
// so that the real crawler may be let in, or that the crawler may not obey the robots.txt that excludes it.
const (
	Received  Access = "received"
	Differs   Access = "differs"
	MayDiffer Access = "may differ"
	Refused   Access = "blocked"
)

// LensView is what one crawler receives. Its texts have values of the page, cut and without control characters.
type LensView struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Agent bool   `json:"agent,omitempty"` // of an AI, not of a preview
	// Access is the verdict, Why its reasons in sentences, Fix what to change; none if the page was received as by us.
	Access Access   `json:"access"`
	Why    []string `json:"why,omitempty"`
	Fix    string   `json:"fix,omitempty"`
	// Status is that of the response, 0 without one. Title and Image are what the crawler finds.
	Status int    `json:"status,omitempty"`
	Title  string `json:"title,omitempty"`
	Image  string `json:"image,omitempty"`
}

// lensName follows the product token of a crawler in our User-Agent, so that blocking by name takes effect and nobody
// is deceived.
const lensName = "masthead-lens"

// LookOptions are the options of [Look].
type LookOptions struct {
	// Owner is the ID of the user whose work this is, or ""; see fetch.Job.
	Owner string
	// Contact is the address in our User-Agent, or "".
	Contact string
	// Each, if not nil, is called after each crawler with what was seen so far, and may end everything with an error.
	Each func(*Lens) error
}

// Look reads the page at u by our own name and by that of each crawler, one after the other at the pace of its host,
// and says what each one receives. Crawlers that robots.txt excludes aren't imitated.
func Look(ctx context.Context, client *fetch.Client, u weburl.URL, o LookOptions) (*Lens, error) {
	by := &looker{client: client, owner: o.Owner, u: u}
	own, robots, err := by.once(ctx)
	if err != nil {
		return nil, err
	}
	if wallOf(own.response.Status, own.response.Header, own.response.Body) != nil ||
		own.response.Status >= http.StatusBadRequest {
		own.page = nil // nothing to compare with
	}
	l := &Lens{URL: cleantext.Clean(own.response.URL.String(), 2048), Status: own.response.Status}
	path := pathOf(own.response.URL)
	for _, v := range platform.Visitors() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		view := LensView{ID: v.ID, Name: v.Name, Agent: v.Agent, Access: Received}
		if !excluded(&view, v, &robots, path) {
			compare(&view, v, own, by.patiently(ctx, lensAgent(v, o.Contact)))
		}
		l.Views = append(l.Views, view)
		if o.Each != nil {
			if err := o.Each(l); err != nil {
				return nil, err
			}
		}
	}
	return l, ctx.Err()
}

// pathOf returns the path of an address, with its query, as robots.txt names it.
func pathOf(u weburl.URL) string {
	at := u.URL()
	path := cmp.Or(at.EscapedPath(), "/")
	if at.RawQuery != "" {
		path += "?" + at.RawQuery
	}
	return path
}

// excluded reports whether robots.txt excludes a crawler from a path, and fills in its view if so.
func excluded(view *LensView, v platform.Visitor, robots *page.Robots, path string) bool {
	if v.Token == "" {
		return false
	}
	allowed, by := robots.Allows(v.Token, path)
	if allowed {
		return false
	}
	view.Access = Refused
	view.Why = []string{fmt.Sprintf("robots.txt blocks %s by line %d: “%s”.", v.Token, by.Line, shown(by.String()))}
	if v.IgnoresRobots != "" {
		view.Access = MayDiffer
		view.Why = append(view.Why, v.IgnoresRobots)
	}
	view.Fix = fmt.Sprintf("Add to robots.txt, or remove line %d: “User-agent: %s”, “Allow: %s”.", by.Line, v.Token,
		shown(path))
	return true
}

// derive says what follows from robots.txt, the bytes of the page and the one time that we read it for each crawler.
// Whether a site refuses a name, that can't show.
func derive(site *scrape.Result, shared *platform.Page) *Lens {
	document := &site.Page.Value
	l := &Lens{URL: shared.URL, Status: document.Status, Derived: true}
	path := pathOf(document.URL)
	wall := wallOf(document.Status, document.Header, nil)
	for _, v := range platform.Visitors() {
		view := LensView{ID: v.ID, Name: v.Name, Agent: v.Agent, Access: Received}
		name := cmp.Or(v.Token, v.Name)
		switch {
		case site.Robots.State == scrape.Got && excluded(&view, v, &site.Robots.Value, path):
		case wall != nil:
			view.Access, view.Status = MayDiffer, document.Status
			view.behind(wall, name)
		case document.Status >= http.StatusMultipleChoices:
			view.Access, view.Status = MayDiffer, document.Status
			view.Why = []string{fmt.Sprintf("The page answered our request with status %d.", document.Status)}
			view.Fix = "Return status 200 for this address."
		case scripted(document.Page):
			view.Access, view.Why, view.Fix = Differs, []string{noContent}, onServer
		case v.ReadBytes > 0 && slices.ContainsFunc(shared.Tags, func(t platform.Tag) bool { return t.End > v.ReadBytes }):
			view.Access, view.Why, view.Fix = Differs, []string{tooLate(v)}, earlier
		}
		l.Views = append(l.Views, view)
	}
	return l
}

// lensAgent returns the User-Agent with which we read a page as a crawler.
func lensAgent(v platform.Visitor, contact string) string {
	name := v.Token
	if name == "" { // Messages borrows the names of others
		name = "facebookexternalhit/1.1 Facebot Twitterbot/1.0"
	}
	if contact != "" {
		contact = " (+" + contact + ")"
	}
	return name + " " + lensName + contact
}

// fetchResult is a response, or why there is none, and the document in it, if there is one.
type fetchResult struct {
	response *fetch.Response
	err      error
	page     *page.Page
}

// looker reads a page by names.
type looker struct {
	client *fetch.Client
	owner  string
	u      weburl.URL
}

// once reads the page by our own name, and the robots.txt of its host; an unusable one excludes nobody.
func (l *looker) once(ctx context.Context) (fetchResult, page.Robots, error) {
	own := l.patiently(ctx, "")
	if own.err != nil {
		return own, page.Robots{}, own.err
	}
	var robots page.Robots
	if at, err := own.response.URL.Resolve("/robots.txt"); err == nil {
		job, done := l.client.NewJob(ctx)
		defer done()
		job.Owner = l.owner
		if response, err := job.Get(ctx, at, fetch.Robots); err == nil && response.Status == http.StatusOK {
			robots = page.ParseRobots(response.Body)
		}
	}
	return own, robots, nil
}

const (
	// lookTries is how often a page is read by a name if its host, or our limits, want a pause of at most longestPause.
	lookTries    = 3
	longestPause = 30 * time.Second
)

// patiently reads the page with a User-Agent, "" for our own, and waits if a short pause is wanted.
func (l *looker) patiently(ctx context.Context, agent string) fetchResult {
	for try := 1; ; try++ {
		s := l.as(ctx, agent)
		var pause *apperr.Error
		if !errors.As(s.err, &pause) || pause.RetryAfter == 0 || pause.RetryAfter > longestPause || try == lookTries {
			return s
		}
		select {
		case <-ctx.Done():
			return s
		case <-time.After(pause.RetryAfter):
		}
	}
}

// as reads the page with a User-Agent, "" for our own.
func (l *looker) as(ctx context.Context, agent string) fetchResult {
	job, done := l.client.NewJob(ctx)
	defer done()
	job.UserAgent, job.Owner = agent, l.owner
	response, err := job.Get(ctx, l.u, fetch.Page)
	s := fetchResult{response: response, err: err}
	if err == nil && page.ClassOf(response.ContentType) == page.PageContent {
		s.page = page.Parse(response.Body, response.ContentType, response.URL.URL())
	}
	return s
}

// compare fills in what a crawler receives, compared with what we do.
func compare(view *LensView, v platform.Visitor, own, got fetchResult) {
	name := cmp.Or(v.Token, v.Name)
	if pause := (*apperr.Error)(nil); errors.As(got.err, &pause) && pause.RetryAfter > 0 {
		view.Access = MayDiffer
		view.Why = []string{"The host asked for a pause before the turn of " + name + ", so it wasn’t read by that name."}
		view.Fix = "Try again later, or let the crawlers in whose requests come first here."
		return
	}
	if got.err != nil {
		view.Access = Refused
		view.Why = []string{"The request by the name of " + name + " gets no response, ours does."}
		view.Fix = byName(name)
		return
	}
	view.Status = got.response.Status
	if w := wallOf(got.response.Status, got.response.Header, got.response.Body); w != nil {
		view.Access = Refused
		if w.addresses {
			view.Access = MayDiffer
		}
		view.behind(w, name)
		return
	}
	switch n := got.response.Status; {
	case n >= 300 && own.response.Status < 300:
		view.Access = Refused
		view.Why = []string{fmt.Sprintf("The page answers %s with status %d, us with %d.", name, n, own.response.Status)}
		view.Fix = byName(name)
		return
	case n >= 300:
		view.Access = Refused
		view.Why = []string{fmt.Sprintf("The page answers everyone with status %d.", n)}
		view.Fix = "Return status 200 for this address."
		return
	case got.page == nil:
		view.Access = Refused
		view.Why = []string{"The response is no HTML: " + shown(cmp.Or(got.response.ContentType, "no Content-Type")) + "."}
		view.Fix = "Send the page as text/html to every reader."
		return
	}
	content(view, v, own, got)
}

// behind says that a wall answers in place of the site.
func (view *LensView) behind(w *wall, name string) {
	view.Why = []string{fmt.Sprintf("%s answers with %s (status %d) instead of the page.", w.vendor, w.what, view.Status)}
	if w.addresses {
		view.Why = append(view.Why, w.vendor+" knows crawlers by their addresses, too: the real one may be let in.")
	}
	view.Fix = strings.ReplaceAll(w.fix, "NAME", name)
}

// content compares what the page says to the crawler with what it says to us.
func content(view *LensView, v platform.Visitor, own, got fetchResult) {
	mine, theirs := readUpTo(own, 0), readUpTo(got, v.ReadBytes)
	view.Title, view.Image = shown(theirs.Title), shown(theirs.Image)
	differs := func(format string, args ...any) {
		view.Access = Differs
		view.Why = append(view.Why, fmt.Sprintf(format, args...))
	}
	if a, b := own.response.URL, got.response.URL; a != b {
		differs("It is sent to %s, we to %s.", shown(b.String()), shown(a.String()))
		view.Fix = "Redirect crawlers as you redirect readers: not to a login, a consent or a mobile page."
		return
	}
	whole := readUpTo(got, 0)
	if v.ReadBytes > 0 && (whole.Title != theirs.Title || whole.Image != theirs.Image) {
		differs("%s", tooLate(v))
		view.Fix = earlier
	}
	if own.page == nil {
		return
	}
	for _, part := range [...]struct{ what, mine, theirs string }{
		{"title", mine.Title, whole.Title}, {"picture", mine.Image, whole.Image},
		{"description", mine.Description, whole.Description},
	} {
		switch {
		case part.mine == part.theirs:
		case part.theirs == "":
			differs("It receives no %s; we receive “%s”.", part.what, shown(part.mine))
		default:
			differs("Its %s is “%s”; ours is “%s”.", part.what, shown(part.theirs), shown(cmp.Or(part.mine, "none")))
		}
	}
	if scripted(got.page) {
		differs("%s", noContent)
		view.Fix = onServer
	}
	if view.Access == Differs && view.Fix == "" {
		view.Fix = "Send crawlers the same page as readers; a cache must not mix variants of it (Vary)."
	}
}

// What is said of a page as such, however it was read.
const (
	earlier   = "Move the meta elements to the beginning of the head, before inline styles and scripts."
	noContent = "The HTML has neither text nor tags: a script adds them, which crawlers don't run."
	onServer  = "Render the tags, and for AI agents the content, on the server."
)

func tooLate(v platform.Visitor) string {
	return fmt.Sprintf("It reads only the first %d KB of the HTML, and tags come after them.", v.ReadBytes/1000)
}

// scripted reports whether a page has no content without its scripts.
func scripted(p *page.Page) bool {
	const fewChars = 50
	return p.TextChars < fewChars && p.Meta.Get("og:title") == "" && p.Meta.Get("description") == ""
}

// readUpTo returns the preview of the page in the first bytes of a response; 0 means all of them.
func readUpTo(s fetchResult, most int) page.Metadata {
	if s.page == nil {
		return page.Metadata{}
	}
	p := s.page
	if most > 0 && len(s.response.Body) > most {
		p = page.Parse(s.response.Body[:most], s.response.ContentType, s.response.URL.URL())
	}
	return p.Metadata
}

// byName is the advice for a server that refuses a crawler by its name.
func byName(name string) string {
	return fmt.Sprintf("Let %[1]s in where requests are refused by name. nginx: take it out of the map or the if on "+
		"$http_user_agent. Cloudflare: a custom rule “User Agent contains %[1]s”, action Skip. Vercel: a firewall rule "+
		"“User Agent contains %[1]s”, action Bypass.", name)
}

// wall is a product that keeps requests away from a site.
type wall struct {
	vendor, what string
	// addresses means that it recognizes crawlers by their addresses, so that ours tells little.
	addresses bool
	fix       string
	// header and value, in lower case, or text, in the body, show it. statuses limits it, if not empty.
	header, value, text string
	refusal             bool // only with a status of 400 or above
}

const (
	cloudflareFix = "Cloudflare: add a WAF custom rule “User Agent contains NAME”, action Skip (all remaining rules and " +
		"Super Bot Fight Mode), and set Verified Bots to Allow."
	vercelFix = "Vercel: add a firewall rule “User Agent contains NAME”, action Bypass, set Bot Protection to Log, and " +
		"turn Attack Challenge Mode off."
)

// walls are known products, the more specific signs first. Their signs are as observed.
var walls = []wall{
	{vendor: "Cloudflare", what: "a challenge", addresses: true, fix: cloudflareFix, header: "Cf-Mitigated",
		value: "challenge"},
	{vendor: "Cloudflare", what: "a challenge", addresses: true, fix: cloudflareFix, text: "/cdn-cgi/challenge-platform/",
		refusal: true},
	{vendor: "Cloudflare", what: "a refusal", addresses: true, fix: cloudflareFix, header: "Server", value: "cloudflare",
		refusal: true},
	{vendor: "Vercel", what: "a challenge", addresses: true, fix: vercelFix, header: "X-Vercel-Mitigated", value: "challenge"},
	{vendor: "Vercel", what: "a refusal", addresses: true, fix: vercelFix, header: "X-Vercel-Mitigated", value: ""},
	{vendor: "Anubis", what: "proof of work", fix: "Anubis: allow the user agent NAME in the bot policies.",
		text: "/.within.website/x/cmd/anubis/"},
	{vendor: "AWS WAF", what: "a challenge", addresses: true, header: "X-Amzn-Waf-Action", value: "",
		fix: "AWS WAF: allow requests with the label bot:verified before the rule group Bot Control."},
	{vendor: "DataDome", what: "a challenge", addresses: true, header: "X-Datadome", value: "", refusal: true,
		fix: "DataDome: allow NAME among the verified bots of the dashboard."},
	{vendor: "Imperva", what: "a refusal", addresses: true, text: "Incapsula incident ID",
		fix: "Imperva: allow NAME in the bot access control."},
	{vendor: "Akamai", what: "a refusal", addresses: true, header: "Server", value: "akamaighost", refusal: true,
		fix: "Akamai: allow NAME in Bot Manager, among the known bots."},
	{vendor: "HUMAN", what: "a captcha", addresses: true, text: "px-captcha", refusal: true,
		fix: "HUMAN: allow NAME among the known bots."},
	{vendor: "Sucuri", what: "a refusal", addresses: true, header: "X-Sucuri-Id", value: "", refusal: true,
		fix: "Sucuri: allow NAME in the access control of the firewall."},
}

// wallBytes is how much of a body is searched for the signs of a wall.
const wallBytes = 64 << 10

// wallOf returns the product that answered instead of the site, or nil.
func wallOf(status int, header http.Header, body []byte) *wall {
	body = body[:min(len(body), wallBytes)]
	for i := range walls {
		w := &walls[i]
		if w.refusal && status < http.StatusBadRequest {
			continue
		}
		if values, ok := header[w.header]; ok && strings.Contains(strings.ToLower(strings.Join(values, ",")), w.value) {
			return w
		}
		if w.text != "" && bytes.Contains(body, []byte(w.text)) {
			return w
		}
	}
	return nil
}

// shown returns a value of a page for a text, cut.
func shown(s string) string {
	const most = 120
	return cleantext.Clean(s, most)
}
