// Package frame has the frame around the pages of people who are signed in: the bar, the sections, the head and the
// account menu; what keeps these pages out of caches and asks for a session; and what several of them need, such as
// times in words and deletions that can be taken back. The pages are those of packages dashboard, designs and admin.
//
// Files: frame.go the frame, and what happens if a page can't be shown; view.go templates and sheets; common.go lists
// and projects; words.go times as words; undo.go deletions. pages/frame.html is the frame, pages/parts.html what
// several pages show, pages/frame.css the style of all pages; what only some need is in a sheet of its own, since a
// page has 24 KB.
package frame

import (
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/identity"
	"masthead/pkg/server"
	"masthead/pkg/web/ui"
)

// rank is the place of a section in the row. Sections that aren't in it, such as Settings, are in the account menu, and
// have the rank after the last one.
func rank(name string) int {
	if i := slices.IndexFunc(ui.Sections, func(l ui.Link) bool { return l.Text == name }); i >= 0 {
		return i
	}
	return len(ui.Sections)
}

// Config says what an installation has.
type Config struct {
	// Base is the public address, without a trailing slash.
	Base string
	// SendsMail reports whether the service sends email.
	SendsMail bool
	// Draws reports whether AI images can be made, and Writes whether AI analyses can.
	Draws, Writes bool
}

// Shell is what all pages have in common.
type Shell struct {
	Config

	site ui.Responder
	me   *server.Operation
	// contents counts what the account has, and inbox lists notifications.
	contents, inbox *server.Operation
	// fromHere returns an error for forms of other sites.
	fromHere func(echo.Context) error
	sections []section
}

// New returns the frame of the pages of a service, and what adds their routes to e, which belongs to s.
func New(cfg Config, e *echo.Echo, s *server.Server) (*Shell, *Router) {
	sh := &Shell{
		Config: cfg, site: ui.ResponderOf(cfg.Base), me: s.Operation("getMe"), contents: s.Operation("getContents"),
		inbox: s.Operation("listNotifications"), fromHere: s.FromHere,
	}
	return sh, &Router{Server: s, echo: e, shell: sh}
}

// Sub is a link below the head. Count is the number in its label, or "".
type Sub struct {
	ui.Link

	Count string
}

// section is a part of the dashboard, with at least one page.
type section struct {
	Name, Path string
	Subs       []Sub
}

// Router adds the routes of pages.
type Router struct {
	*server.Server
	echo  *echo.Echo
	shell *Shell
}

// Place puts a page into a section, after the pages that are already there. name is its name in the row of links below
// the head, which has at least two. The section leads to its first page.
func (r *Router) Place(in, name, path string) {
	i := slices.IndexFunc(r.shell.sections, func(s section) bool { return s.Name == in })
	if i < 0 {
		i = len(r.shell.sections)
		r.shell.sections = append(r.shell.sections, section{Name: in, Path: path})
	}
	s := &r.shell.sections[i]
	s.Subs = append(s.Subs, Sub{Link: ui.Link{URL: path, Text: name}})
}

// Get adds a page, and Post its forms. Both need a session, and are never cached.
func (r *Router) Get(path string, h echo.HandlerFunc) { r.echo.GET(path, h, r.Session, r.shell.page) }

// Post adds the forms of a page, see Get.
func (r *Router) Post(path string, h echo.HandlerFunc) {
	r.echo.POST(path, h, r.Session, r.shell.page)
}

// page is the middleware of all pages: it keeps them out of caches, asks for a session, and shows errors as pages.
func (sh *Shell) page(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Set("Cache-Control", "no-store")
		var err error
		if identity.CallerOf(c.Request().Context()).Anonymous() {
			err = sh.signedOut(c)
		} else {
			err = next(c)
		}
		if err == nil || c.Response().Committed {
			return err
		}
		if apperr.CodeOf(err) == apperr.Unauthorized { // the session has just ended
			return sh.signedOut(c)
		}
		return sh.failed(c, err)
	}
}

// Sort puts the sections into their order.
func (sh *Shell) Sort() {
	slices.SortStableFunc(sh.sections, func(a, b section) int { return rank(a.Name) - rank(b.Name) })
}

// row returns the sections of the row.
func (sh *Shell) row() []section {
	return slices.DeleteFunc(slices.Clone(sh.sections), func(s section) bool { return rank(s.Name) == len(ui.Sections) })
}

// menu returns the sections of the account menu.
func (sh *Shell) menu(me gen.User) []section {
	return slices.DeleteFunc(slices.Clone(sh.sections), func(s section) bool {
		return rank(s.Name) < len(ui.Sections) || s.Name == "Administration" && me.Role != gen.RoleNameAdmin
	})
}

// Head is the head of a page, and its place.
type Head struct {
	// Title is the h1, Deck the line below it. Name is the page's name in the title of the document, Title if empty.
	Title, Deck, Name string
	// Section and Sub are the names of its place, as [Router.Place] has them.
	Section, Sub string
	// Crumb leads to the list that the page's thing is in, or is nil. Subs are the links below the head in place of those
	// of the section.
	Crumb *ui.Link
	Subs  []Sub
	// Action is the one primary action, or nil.
	Action *ui.Link
	// Lead means that the page has its h1 and deck itself. FormsTo are the other origins that its forms lead to, with
	// spaces between them.
	Lead    bool
	FormsTo string
	// Audit puts a field for the address of a page to audit into the head.
	Audit bool
	// Done is what has just been done, in a sentence, or "".
	Done string
}

// UnreadKept is where a page leaves the number of unread notifications if it has read it.
const UnreadKept = "dashboard unread"

// Render responds with a page.
func (sh *Shell) Render(c echo.Context, status int, view *ui.View, of Head, values map[string]any) error {
	me, err := sh.User(c)
	if err != nil {
		return err
	}
	if err := sh.subs(c, &of); err != nil {
		return err
	}
	name := of.Name
	if name == "" {
		name = of.Title
	}
	values["Head"] = ui.Head{Title: name + ": Masthead", NoIndex: true, FormsTo: of.FormsTo}
	values["Page"], values["Sections"], values["Menu"] = of, sh.row(), sh.menu(me)
	unread, counted := c.Get(UnreadKept).(int)
	if !counted {
		if unread, err = sh.unread(c); err != nil {
			return err
		}
	}
	values["Me"], values["Unread"] = me, unread
	values["MyName"] = me.Name
	if strings.TrimSpace(me.Name) == "" {
		values["MyName"], _, _ = strings.Cut(me.Email, "@")
	}
	return sh.site.Render(c, status, view, values)
}

// subs adds the links below the head, with counts in their labels.
func (sh *Shell) subs(c echo.Context, of *Head) error {
	if of.Subs != nil {
		return nil
	}
	i := slices.IndexFunc(sh.sections, func(s section) bool { return s.Name == of.Section })
	if i < 0 || len(sh.sections[i].Subs) < 2 {
		return nil
	}
	of.Subs = sh.sections[i].Subs
	only := map[string][]gen.ContentsKind{
		"API": {gen.ContentsKindKeys, gen.ContentsKindWebhooks},
		"Audits": {
			gen.ContentsKindWatches, gen.ContentsKindSitemaps, gen.ContentsKindReports, gen.ContentsKindSites,
		},
	}[of.Section]
	if only == nil {
		return nil
	}
	has, err := sh.Has(c, "", only...)
	if err != nil {
		return err
	}
	counts := map[string]int{
		"Keys": has.Keys, "Webhooks": has.Webhooks, "Watched": has.Watches, "Sitemaps": has.Sitemaps,
		"All reports": has.Reports, "Sites": has.Sites,
	}
	of.Subs = slices.Clone(of.Subs)
	for i := range of.Subs {
		of.Subs[i].Count = CountText(counts[of.Subs[i].Text])
	}
	return nil
}

// MaxCounted is where the counts of pages end: to count 10 000 images takes longer than all the rest of a page.
const MaxCounted = 1000

// CountText is a count for a label; "" for none.
func CountText(n int) string {
	switch {
	case n == 0:
		return ""
	case n >= MaxCounted:
		return ui.Number(n) + "+"
	}
	return ui.Number(n)
}

// Has returns what is stored in the account, or in a project: only of these kinds, up to [MaxCounted], or exactly how
// much of all.
func (sh *Shell) Has(c echo.Context, projectID string, only ...gen.ContentsKind) (gen.Contents, error) {
	query := url.Values{}
	if projectID != "" {
		query.Set("projectId", projectID)
	}
	if len(only) > 0 {
		query.Set("max", strconv.Itoa(MaxCounted))
		names := make([]string, len(only))
		for i, kind := range only {
			names[i] = string(kind)
		}
		query.Set("only", strings.Join(names, ","))
	}
	var has gen.Contents
	err := Read(c, sh.contents, server.Input{Query: query}, &has)
	return has, err
}

// User returns the account that is signed in.
func (sh *Shell) User(c echo.Context) (gen.User, error) {
	const kept = "dashboard user"
	if me, ok := c.Get(kept).(gen.User); ok {
		return me, nil
	}
	var me gen.User
	if err := Read(c, sh.me, server.Input{}, &me); err != nil {
		return me, err
	}
	c.Set(kept, me)
	return me, nil
}

// unread returns how many notifications of the account are unread.
func (sh *Shell) unread(c echo.Context) (int, error) {
	var page gen.NotificationPage
	err := Read(c, sh.inbox, server.Input{Query: url.Values{"limit": {"1"}}}, &page)
	return page.Unread, err
}

// Read runs a GET operation for a page. The response must not be changed: see [server.Operation.Value].
func Read(c echo.Context, of *server.Operation, in server.Input, into any) error {
	return of.Value(c, in, into)
}

// Done leads to a page after a form was handled. path may have a query. what is a key of the page's sentences, see
// [Said].
func Done(c echo.Context, path, what string) error {
	if what != "" {
		separator := "?"
		if strings.Contains(path, "?") {
			separator = "&"
		}
		path += separator + url.Values{"done": {what}}.Encode()
	}
	return c.Redirect(http.StatusSeeOther, path)
}

// Said returns the sentence for what was done, from the query. Other texts than ours are never shown.
func Said(c echo.Context, sentences map[string]string) string { return sentences[c.QueryParam("done")] }

var (
	ownView                   = Views(allPages)
	failedPage, signedOutPage = ownView("failed"), ownView("signed-out")
)

// failed responds with a page for an error.
func (sh *Shell) failed(c echo.Context, err error) error {
	ctx := c.Request().Context()
	var fault *apperr.Error
	if !errors.As(err, &fault) {
		fault = apperr.New(apperr.Internal, "")
	}
	status, title, text := fault.Code.Meaning().Status, "That didn’t work", fault.Detail
	requestID := ""
	switch {
	case fault.Code == apperr.NotFound, fault.Code == apperr.BadRequest && c.Request().Method == http.MethodGet:
		status, title = http.StatusNotFound, "There’s nothing here"
		text = "It may have been deleted, or the link is incomplete."
	case fault.Code == apperr.Unavailable, fault.Code == apperr.RateLimited:
		text = "The server is busy. Try again in a moment."
		if seconds := int(fault.RetryAfter.Seconds()); seconds > 0 {
			c.Response().Header().Set("Retry-After", strconv.Itoa(seconds))
		}
	case status >= http.StatusInternalServerError:
		requestID = identity.RequestIDOf(ctx)
		slog.ErrorContext(ctx, "page failed", "request_id", requestID, "code", string(fault.Code), "err", err)
		text = "The fault is ours. Try again in a moment."
	}
	return sh.site.Render(c, status, failedPage(), map[string]any{
		"Head": ui.Head{Title: title + ": Masthead", NoIndex: true}, "Title": title, "Text": text, "RequestID": requestID,
		"Home": Home,
	})
}

// maxTyped is the maximum size of the form that the page for people who were signed out repeats, in bytes.
const maxTyped = 64 << 10

// signedOut leads people without a session to the form for signing in, and from there back. What they typed into a form
// isn't lost: the page has it, to be sent once more.
func (sh *Shell) signedOut(c echo.Context) error {
	r := c.Request()
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return c.Redirect(http.StatusSeeOther, "/sign-in?"+url.Values{"next": {r.URL.RequestURI()}}.Encode())
	}
	if err := sh.fromHere(c); err != nil { // or a page elsewhere could fill the form that is sent again
		return sh.failed(c, err)
	}
	r.Body = http.MaxBytesReader(c.Response(), r.Body, maxTyped)
	if err := r.ParseForm(); err != nil {
		return sh.failed(c, apperr.Wrap(apperr.BadRequest, "We couldn’t read the form. Send it again.", err))
	}
	var typed []ui.Input
	for name, all := range r.PostForm {
		if strings.Contains(strings.ToLower(name), "password") {
			continue
		}
		for _, value := range all {
			typed = append(typed, ui.Input{Name: name, Value: strings.ToValidUTF8(value, "�")})
		}
	}
	slices.SortFunc(typed, func(a, b ui.Input) int { return strings.Compare(a.Name, b.Name) })
	return sh.site.Render(c, http.StatusUnauthorized, signedOutPage(), map[string]any{
		"Head": ui.Head{Title: "You’re signed out: Masthead", NoIndex: true}, "Typed": typed, "Path": r.URL.Path,
	})
}
