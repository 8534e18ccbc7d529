// Package sitemap fetches and parses the lists of pages that sites publish for crawlers, including sitemap indexes.
// Source: https://www.sitemaps.org/protocol.html.
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

// Limits of one collection, in addition to those of package fetch.
const (
	// maxFiles is the maximum number of files, also of those that can't be fetched; maxDepth is how deep an index may
	// nest. The protocol allows one level.
	maxFiles, maxDepth = 50, 3
	// maxBytes is the maximum size of a file after decompression.
	maxBytes = 10 << 20
	// maxNesting is the maximum depth of XML elements. A sitemap has three, and extensions add a few.
	maxNesting = 32
	// maxEntries is the maximum number of addresses per file. Source: the protocol.
	maxEntries = 50_000
)

// List is the content of a site's sitemaps.
type List struct {
	// Pages are the unique addresses on the sitemap's own host, in order of appearance.
	Pages []weburl.URL
	// Files is the number of files read. Elsewhere is the number of addresses on other hosts, and FirstElsewhere the
	// first of them. Unreadable is the number of invalid addresses. More reports whether there are pages beyond the
	// requested number or the limits.
	Files, Elsewhere, Unreadable int
	ElsewhereHost                string
	More                         bool
}

// Collect fetches the sitemap at u and those that it links to, for an account or "", and returns the first most pages.
// Addresses on other hosts are counted but not fetched. Collect fails if the first file can't be fetched or isn't a
// sitemap. If a later file can't be fetched, Collect continues without it, as crawlers do, and reports it to skipped,
// which may be nil.
func Collect(
	ctx context.Context, client *fetch.Client, owner string, u weburl.URL, most int, skipped func(weburl.URL, error),
) (List, error) {
	c := &collection{client: client, owner: owner, host: u.URL().Host, most: most, seen: map[weburl.URL]bool{u: true}}
	if err := c.file(ctx, u, 1); err != nil {
		return c.list, err
	}
	for i := 0; i < len(c.next) && ctx.Err() == nil; i++ {
		if len(c.list.Pages) == most {
			c.list.More = true
			break
		}
		if err := c.file(ctx, c.next[i].url, c.next[i].depth); err != nil && skipped != nil {
			skipped(c.next[i].url, err)
		}
	}
	return c.list, ctx.Err()
}

// collection is the state of one call of Collect.
type collection struct {
	client *fetch.Client
	owner  string
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

// file fetches one file and adds its entries.
func (c *collection) file(ctx context.Context, u weburl.URL, depth int) error {
	job, done := c.client.NewJob(ctx)
	defer done()
	job.Owner = c.owner
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

// take adds one entry of a file.
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
	case e.Sitemap && (depth == maxDepth || len(c.next) == maxFiles-1):
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

// Entry is an address in a sitemap: of a page or of another sitemap.
type Entry struct {
	URL     string
	Sitemap bool
}

// errNoSitemap is the error for documents of another kind.
var errNoSitemap = errors.New("this isn't a sitemap: it has neither a urlset nor a sitemapindex")

// Parse parses a sitemap, a sitemap index, or a plain text list with one address per line. The file may be compressed
// with gzip. If it is truncated, Parse returns the entries so far along with the error. It reads at most 10 MiB and
// 50,000 entries.
func Parse(file []byte) ([]Entry, error) {
	if bytes.HasPrefix(file, []byte{0x1f, 0x8b}) {
		unpacked, err := gzip.NewReader(bytes.NewReader(file))
		if err != nil {
			return nil, fmt.Errorf("decompress the sitemap: %w", err)
		}
		content, err := io.ReadAll(io.LimitReader(unpacked, maxBytes))
		if err != nil && len(content) == 0 {
			return nil, fmt.Errorf("decompress the sitemap: %w", err)
		}
		file = content
	}
	file = bytes.TrimLeft(bytes.TrimPrefix(file, []byte("\xef\xbb\xbf")), " \t\r\n")
	if !bytes.HasPrefix(file, []byte("<")) {
		return parseLines(file)
	}
	return parseXML(file)
}

// parseLines parses a plain text list. A list without addresses is not a sitemap.
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

// parseXML parses a urlset or a sitemapindex: the loc elements inside url or sitemap elements.
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
				return entries, errors.New("read the sitemap: its elements are nested too deeply")
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
