// Package sitemap owns the lists of pages that sites publish for crawlers: fetching them, with those that an index
// names, and reading the addresses. Source: https://www.sitemaps.org/protocol.html.
package sitemap

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"masthead/pkg/fetch"
	"masthead/pkg/weburl"
)

// Bounds of one collection, besides those of fetching.
const (
	// maxFiles is how many files are fetched, maxDepth how deep an index may lead: the protocol allows one level.
	maxFiles, maxDepth = 50, 3
	// maxBytes is how much of a file is read, decompressed.
	maxBytes = 10 << 20
	// maxNesting is how deep elements may stand in each other; in a sitemap it is three, and a few in extensions.
	maxNesting = 32
	// maxEntries is how many addresses of one file are read. Source: the protocol.
	maxEntries = 50_000
)

// List is what a site's sitemaps name.
type List struct {
	// Pages are the addresses on the sitemap's own host, each once, in their order.
	Pages []weburl.URL
	// Files is how many files were read. Elsewhere is how many addresses are on other hosts, and which is the first of
	// these; Unreadable how many are no addresses. More says that there are further pages than were asked for, or than
	// the bounds let be read.
	Files, Elsewhere, Unreadable int
	ElsewhereHost                string
	More                         bool
}

// Collect fetches the sitemap at u, with those that it names, and returns the first most pages. Addresses on other
// hosts are counted and not fetched. It fails when the first file cannot be had or is no sitemap; a further one that
// cannot be had is left out, as crawlers do, and told to skipped, unless that is nil.
func Collect(
	ctx context.Context, client *fetch.Client, u weburl.URL, most int, skipped func(weburl.URL, error),
) (List, error) {
	c := &collection{client: client, host: u.URL().Host, most: most, seen: map[weburl.URL]bool{u: true}}
	if err := c.file(ctx, u, 1); err != nil {
		return c.list, err
	}
	for i := 0; i < len(c.next) && ctx.Err() == nil; i++ {
		if len(c.list.Pages) == most || c.list.Files == maxFiles {
			c.list.More = true
			break
		}
		if err := c.file(ctx, c.next[i].url, c.next[i].depth); err != nil && skipped != nil {
			skipped(c.next[i].url, err)
		}
	}
	return c.list, ctx.Err()
}

// collection is one Collect under way.
type collection struct {
	client *fetch.Client
	host   string
	most   int
	list   List
	next   []nextFile
	seen   map[weburl.URL]bool
}

type nextFile struct {
	url   weburl.URL
	depth int
}

// file fetches one file and takes what it names.
func (c *collection) file(ctx context.Context, u weburl.URL, depth int) error {
	job, done := c.client.NewJob(ctx)
	defer done()
	response, err := job.Get(ctx, u, fetch.Sitemap)
	if err != nil {
		return err
	}
	if err := response.Err(); err != nil {
		return err
	}
	c.list.Files++
	entries, err := Parse(response.Body)
	if err != nil && len(entries) == 0 {
		return err
	}
	c.list.More = c.list.More || err != nil || response.Truncated || len(entries) == maxEntries
	for _, e := range entries {
		c.take(response.URL, e, depth)
	}
	return nil
}

// take takes one entry of a file.
func (c *collection) take(from weburl.URL, e Entry, depth int) {
	u, err := from.Resolve(e.URL)
	switch {
	case err != nil:
		c.list.Unreadable++
	case !strings.EqualFold(u.URL().Host, c.host):
		if c.list.Elsewhere++; c.list.ElsewhereHost == "" {
			c.list.ElsewhereHost = u.URL().Host
		}
	case c.seen[u]:
	case e.Sitemap && depth == maxDepth:
		c.list.More = true
	case e.Sitemap:
		c.seen[u] = true
		c.next = append(c.next, nextFile{u, depth + 1})
	case len(c.list.Pages) == c.most:
		c.list.More = true
	default:
		c.seen[u] = true
		c.list.Pages = append(c.list.Pages, u)
	}
}

// Entry is an address in a sitemap: of a page, or of a further sitemap.
type Entry struct {
	URL     string
	Sitemap bool
}

// errNoSitemap is the error for a document of another kind.
var errNoSitemap = errors.New("this is no sitemap: there is neither a urlset nor a sitemapindex in it")

// Parse reads a sitemap, an index of sitemaps, or a plain list of addresses, a line each; compressed by gzip or not. Of
// a file that breaks off, the entries before that come with the error. It reads at most 10 MiB and 50,000 entries.
func Parse(file []byte) ([]Entry, error) {
	if bytes.HasPrefix(file, []byte{0x1f, 0x8b}) {
		unpacked, err := gzip.NewReader(bytes.NewReader(file))
		if err != nil {
			return nil, fmt.Errorf("unpack the sitemap: %w", err)
		}
		content, err := io.ReadAll(io.LimitReader(unpacked, maxBytes))
		if err != nil && len(content) == 0 {
			return nil, fmt.Errorf("unpack the sitemap: %w", err)
		}
		file = content
	}
	file = bytes.TrimLeft(bytes.TrimPrefix(file, []byte("\xef\xbb\xbf")), " \t\r\n")
	if !bytes.HasPrefix(file, []byte("<")) {
		return parseLines(file)
	}
	return parseXML(file)
}

// parseLines reads a plain list. One without any address is no sitemap.
func parseLines(file []byte) ([]Entry, error) {
	var entries []Entry
	for line := range bytes.Lines(file) {
		text := strings.TrimSpace(string(line))
		if !strings.HasPrefix(text, "http://") && !strings.HasPrefix(text, "https://") {
			continue
		}
		if entries = append(entries, Entry{URL: text}); len(entries) == maxEntries {
			break
		}
	}
	if len(entries) == 0 {
		return nil, errNoSitemap
	}
	return entries, nil
}

// parseXML reads a urlset or a sitemapindex: the loc elements that stand in a url or sitemap.
func parseXML(file []byte) ([]Entry, error) {
	decoder := xml.NewDecoder(bytes.NewReader(file))
	var entries []Entry
	var path []string
	for len(entries) < maxEntries {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return entries, nil
		}
		if err != nil {
			return entries, fmt.Errorf("read the sitemap: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			path = append(path, t.Name.Local)
			if len(path) == 1 && t.Name.Local != "urlset" && t.Name.Local != "sitemapindex" {
				return nil, errNoSitemap
			}
			if len(path) > maxNesting {
				return entries, errors.New("read the sitemap: its elements stand too deep in each other")
			}
			if len(path) != 3 || t.Name.Local != "loc" || path[1] != "url" && path[1] != "sitemap" {
				continue
			}
			var address string
			if err := decoder.DecodeElement(&address, &t); err != nil {
				return entries, fmt.Errorf("read the sitemap: %w", err)
			}
			path = path[:2]
			if address = strings.TrimSpace(address); address != "" {
				entries = append(entries, Entry{address, path[0] == "sitemapindex"})
			}
		case xml.EndElement:
			path = path[:len(path)-1]
		}
	}
	return entries, nil
}
