package format

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path"
	"strings"
)

// maxPath is the maximum length of a page's path in bytes.
const maxPath = 1000

// pagePaths returns a relative path for each page, as if each were a file in a folder of the site: /blog/hello is
// blog/hello/index.html. If there are pages of several hosts, the path begins with the host. No two addresses share a
// path.
func pagePaths(pages []Page) []string {
	paths := make([]string, len(pages))
	host, several := "", false
	for i := range pages {
		u, err := url.Parse(pages[i].URL)
		if err != nil {
			continue
		}
		several = several || i > 0 && u.Host != host
		host = u.Host
	}
	taken := map[string]string{} // address by path
	for i := range pages {
		paths[i] = pagePath(pages[i].URL, several)
		if other, ok := taken[paths[i]]; ok && other != pages[i].URL {
			paths[i] = withDigest(paths[i], pages[i].URL)
		}
		taken[paths[i]] = pages[i].URL
	}
	return paths
}

// pagePath returns the path of one page. A query is replaced by a digest, since its characters have other meanings in
// paths.
func pagePath(address string, withHost bool) string {
	u, err := url.Parse(address)
	if err != nil {
		return withDigest("index.html", address)
	}
	var segments []string
	if withHost && u.Host != "" {
		segments = append(segments, escapedSegment(u.Host))
	}
	parts := strings.Split(u.Path, "/")
	for _, part := range parts {
		if part != "" {
			segments = append(segments, escapedSegment(part))
		}
	}
	file := strings.Join(segments, "/")
	if ext := path.Ext(parts[len(parts)-1]); ext == "" || len(ext) > 6 || withHost && len(segments) == 1 {
		file = strings.TrimPrefix(file+"/index.html", "/")
	}
	if u.RawQuery != "" || len(file) > maxPath {
		file = withDigest(file, address)
	}
	return file
}

// escapedSegment escapes a path segment that would be special: a colon, a dot segment, or a similar beginning.
func escapedSegment(part string) string {
	name := strings.TrimLeft(part, ".")
	dots := part[:len(part)-len(name)]
	if name == "" || len(dots) > 1 {
		dots = strings.ReplaceAll(dots, ".", "%2E")
	}
	return dots + strings.ReplaceAll(url.PathEscape(name), ":", "%3A")
}

// withDigest returns a path with a digest of the address before its extension, cut to maxPath.
func withDigest(file, address string) string {
	digest := sha256.Sum256([]byte(address))
	ext := path.Ext(file)
	name := strings.TrimSuffix(file, ext)
	if len(name) > maxPath {
		name = strings.TrimRight(name[:maxPath], "%/0123456789ABCDEF") // never part of an escape
	}
	return name + "-" + hex.EncodeToString(digest[:4]) + ext
}
