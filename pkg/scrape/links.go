package scrape

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"

	"masthead/pkg/fetch"
	"masthead/pkg/page"
	"masthead/pkg/weburl"
)

// maxAlternates is the maximum number of language versions fetched. Source: docs/audit-rules.md,
// seo-hreflang-reciprocal.
const maxAlternates = 5

// fewAlternates is how many language versions leave a job requests for what AI agents look for.
const fewAlternates = 3

// LinkedPage is a page that this one declares as another form of itself.
type LinkedPage struct {
	// URL is the address that the page names, Final the one after redirects.
	URL, Final weburl.URL
	// Status is that of the final response; 0 without one.
	Status int
	// LinksBack reports whether one of its language versions is the page itself. It is checked only in alternates.
	LinksBack bool
	// Canonical is the address that it declares as its own, or "". It is checked only in alternates, too.
	Canonical string
}

// Canonical is an address that a document or its HTTP header declares as its own.
type Canonical struct {
	// Written is the address as written, URL the absolute one, or "" if it is unusable.
	Written, URL string
	// InHead means a link element in the head, InHeader the HTTP header Link.
	InHead, InHeader bool
}

// Canonicals returns the document's canonical addresses: those of link elements in order, then those of the HTTP
// header.
func (d *Document) Canonicals() []Canonical {
	var all []Canonical
	for i := range d.Page.Canonicals {
		link := &d.Page.Canonicals[i]
		u, _ := d.Resolve(link.Href)
		all = append(all, Canonical{Written: link.Href, URL: u, InHead: link.InHead})
	}
	own := page.Page{Base: d.Page.URL} // base elements don't apply to headers
	for _, written := range canonicalLinks(d.Header) {
		u, _ := own.Resolve(written)
		all = append(all, Canonical{Written: written, URL: u, InHeader: true})
	}
	return all
}

// canonicalLinks returns the targets of the relation canonical in Link headers (RFC 8288), at most 16.
func canonicalLinks(header http.Header) []string {
	var targets []string
	for _, line := range header.Values("Link") {
		for len(targets) < 16 {
			_, rest, ok := strings.Cut(line, "<")
			target, rest, closed := strings.Cut(rest, ">")
			if !ok || !closed {
				break
			}
			params, next, _ := strings.Cut(rest, "<") // parameters of a link rarely contain "<"
			line = "<" + next
			for param := range strings.SplitSeq(strings.TrimRight(params, " ,"), ";") {
				name, value, _ := strings.Cut(param, "=")
				rels := strings.Fields(strings.ToLower(strings.Trim(strings.TrimSpace(value), `"`)))
				if strings.EqualFold(strings.TrimSpace(name), "rel") && slices.Contains(rels, "canonical") {
					targets = append(targets, strings.TrimSpace(target))
					break
				}
			}
			if next == "" {
				break
			}
		}
	}
	return targets
}

// links fetches what the page links to, and the robots.txt of its host.
func (sc *scraping) links(ctx context.Context, work *sync.WaitGroup) {
	site, need := sc.site, sc.need
	if !site.Page.Got() {
		return
	}
	if need.Robots {
		work.Go(func() { site.Robots = settle(func() (page.Robots, error) { return sc.robots(ctx) }) })
	}
	if need.Favicon {
		sc.favicons.Go(func() {
			site.Favicon = settle(func() (ShareImage, error) { return sc.favicon(ctx) })
		})
	}
	if need.Canonical {
		work.Go(func() { site.Canonical = settle(func() (LinkedPage, error) { return sc.canonical(ctx) }) })
	}
	if need.Agents && len(settle(func() ([]string, error) { return sc.alternates(), nil }).Value) <= fewAlternates {
		work.Go(func() { site.LLMs = settle(func() (LinkedPage, error) { return sc.llms(ctx) }) })
		work.Go(func() { site.Markdown = settle(func() (LinkedPage, error) { return sc.markdown(ctx) }) })
	}
	if need.OEmbed {
		work.Go(func() { site.OEmbed = settle(func() (LinkedPage, error) { return sc.oEmbed(ctx) }) })
	}
	if need.Alternates {
		addresses := settle(func() ([]string, error) { return sc.alternates(), nil }).Value
		site.Alternates = make([]Part[LinkedPage], len(addresses))
		for i, address := range addresses {
			if u, err := readLink(address); err == nil && sc.elsewhere(u) {
				continue
			}
			work.Go(func() {
				site.Alternates[i] = settle(func() (LinkedPage, error) { return sc.alternate(ctx, address) })
			})
		}
	}
}

// elsewhere reports whether the page is on this machine and an address isn't: the published site knows nothing of it,
// and audits of a hundred such pages would wait for their turns there.
func (sc *scraping) elsewhere(u weburl.URL) bool {
	return sc.site.Page.Value.URL.Host().IsLoopback() && !u.Host().IsLoopback()
}

// robots fetches the robots.txt of the page's host. A status from 400 to 499 means that there is none (RFC 9309,
// 2.3.1.3), except 429, which is a failure, as for Google.
func (sc *scraping) robots(ctx context.Context) (page.Robots, error) {
	u, err := sc.site.Page.Value.URL.Resolve("/robots.txt")
	if err != nil {
		return page.Robots{}, err
	}
	response, err := sc.job.Get(ctx, u, fetch.Robots)
	if err != nil {
		return page.Robots{}, err
	}
	if response.Status >= 400 && response.Status < 500 && response.Status != http.StatusTooManyRequests {
		return page.Robots{}, errAbsent
	}
	if err := response.Err(); err != nil {
		return page.Robots{}, err
	}
	return page.ParseRobots(response.Body), nil
}

// favicon measures the icon of the preview.
func (sc *scraping) favicon(ctx context.Context) (ShareImage, error) {
	address := sc.site.Page.Value.Metadata.Favicon
	if address == "" {
		return ShareImage{}, errAbsent
	}
	return sc.measure(ctx, address, sc.need.FaviconSide, true)
}

// canonical fetches the canonical address and reports where it leads.
func (sc *scraping) canonical(ctx context.Context) (LinkedPage, error) {
	document := &sc.site.Page.Value
	for _, canonical := range document.Canonicals() {
		if canonical.URL == "" {
			continue
		}
		u, err := readLink(canonical.URL)
		if err != nil {
			return LinkedPage{}, err
		}
		if u == document.URL || sc.elsewhere(u) {
			return LinkedPage{}, errAbsent
		}
		status := func([]byte) bool { return true } // its content isn't needed
		linked, _, err := sc.linked(ctx, u, status)
		return linked, err
	}
	return LinkedPage{}, errAbsent
}

// linked fetches the beginning of a page that this one names.
func (sc *scraping) linked(
	ctx context.Context, u weburl.URL, enough func(beginning []byte) bool,
) (LinkedPage, *fetch.Response, error) {
	linked := LinkedPage{URL: u}
	response, err := sc.job.GetUntil(ctx, u, fetch.LinkedPage, enough)
	if err != nil {
		return linked, nil, err
	}
	linked.Final, linked.Status = response.URL, response.Status
	return linked, response, response.Err()
}

// llms fetches the llms.txt of the page's host. An HTML page instead of a text means that there is none.
func (sc *scraping) llms(ctx context.Context) (LinkedPage, error) {
	u, err := sc.site.Page.Value.URL.Resolve("/llms.txt")
	if err != nil {
		return LinkedPage{}, err
	}
	response, err := sc.job.Get(ctx, u, fetch.Robots)
	if err != nil {
		return LinkedPage{URL: u}, err
	}
	text := bytes.TrimLeft(response.Body, " \t\r\n\ufeff")
	if response.Status != http.StatusOK || len(text) == 0 || text[0] == '<' {
		return LinkedPage{URL: u, Status: response.Status}, errAbsent
	}
	return LinkedPage{URL: u, Final: response.URL, Status: response.Status}, nil
}

// markdown requests the page as Markdown.
func (sc *scraping) markdown(ctx context.Context) (LinkedPage, error) {
	u := sc.site.Page.Value.URL
	response, err := sc.job.Get(ctx, u, fetch.Markdown)
	if err != nil {
		return LinkedPage{URL: u}, err
	}
	media, _, _ := strings.Cut(strings.ToLower(response.ContentType), ";")
	if response.Status != http.StatusOK || strings.TrimSpace(media) != "text/markdown" {
		return LinkedPage{URL: u, Status: response.Status}, errAbsent
	}
	return LinkedPage{URL: u, Final: response.URL, Status: response.Status}, nil
}

// oEmbed fetches the address of the page's first oEmbed link. An answer that is neither JSON nor XML is an error.
func (sc *scraping) oEmbed(ctx context.Context) (LinkedPage, error) {
	document := &sc.site.Page.Value
	for i := range document.Links {
		link := &document.Links[i]
		kind := strings.ToLower(strings.TrimSpace(link.Type))
		if !link.Has("alternate") || kind != "application/json+oembed" && kind != "text/xml+oembed" {
			continue
		}
		address, ok := document.Resolve(link.Href)
		if !ok {
			continue
		}
		u, err := readLink(address)
		if err != nil {
			return LinkedPage{}, err
		}
		response, err := sc.job.Get(ctx, u, fetch.Manifest)
		if err != nil {
			return LinkedPage{URL: u}, err
		}
		linked := LinkedPage{URL: u, Final: response.URL, Status: response.Status}
		if err := response.Err(); err != nil {
			return linked, err
		}
		if body := bytes.TrimLeft(response.Body, " \t\r\n\ufeff"); !bytes.HasPrefix(body, []byte("{")) &&
			!bytes.HasPrefix(body, []byte("<?xml")) && !bytes.HasPrefix(body, []byte("<oembed")) {
			return linked, errNotOEmbed
		}
		return linked, nil
	}
	return LinkedPage{}, errAbsent
}

var errNotOEmbed = errors.New("the response is neither JSON nor XML")

// alternates returns the addresses of the first language versions other than the page itself.
func (sc *scraping) alternates() []string {
	document := &sc.site.Page.Value
	var addresses []string
	for i := range document.Hreflang {
		u, ok := document.Resolve(document.Hreflang[i].Href)
		if ok && u != document.URL.String() && len(addresses) < maxAlternates && !slices.Contains(addresses, u) {
			addresses = append(addresses, u)
		}
	}
	return addresses
}

// alternate checks whether a language version links back to the page.
func (sc *scraping) alternate(ctx context.Context, address string) (LinkedPage, error) {
	u, err := readLink(address)
	if err != nil {
		return LinkedPage{}, err
	}
	linked, response, err := sc.linked(ctx, u, nil)
	if err != nil {
		return linked, err
	}
	other := page.Parse(response.Body, response.ContentType, response.URL.URL())
	// A page that is reached with parameters is named by its canonical address.
	own := map[string]bool{sc.site.URL.String(): true, sc.site.Page.Value.URL.String(): true}
	for _, canonical := range sc.site.Page.Value.Canonicals() {
		c, err := readLink(canonical.URL)
		own[c.String()] = err == nil && c.Host() == sc.site.Page.Value.URL.Host()
	}
	for i := range other.Hreflang {
		if href, ok := other.Resolve(other.Hreflang[i].Href); ok {
			back, err := readLink(href)
			linked.LinksBack = linked.LinksBack || err == nil && own[back.String()]
		}
	}
	document := Document{Page: other, Header: response.Header}
	for _, canonical := range document.Canonicals() {
		linked.Canonical = cmp.Or(linked.Canonical, canonical.URL)
	}
	return linked, nil
}
