package targets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"masthead/cmd/masthead/usage"
	"masthead/pkg/fetch"
	"masthead/pkg/page"
	"masthead/pkg/weburl"
)

// Limits of a folder that is read as a site.
const (
	MaxFolderPages   = 10_000
	maxFolderEntries = 200_000
	MaxFolderDepth   = 32
	maxFolderHead    = 512 << 10 // bytes of a page that are searched for its canonical address
)

// noBase is the assumed address of a folder without --page-base.
const noBase = "http://localhost/"

// Folder is a folder of HTML files that is read as the future site: a server on this machine serves its files under
// their future addresses. It must be closed.
type Folder struct {
	Dir    string
	Root   *os.Root
	Base   weburl.URL // of the folder; it ends in a slash
	Placed bool       // base is where the folder will be published
	named  weburl.URL // the first canonical address on another host that a page names
	Pages  []weburl.URL
	server *http.Server
	Addr   string
}

// OpenFolder reads the folder dir, which will be published at base, or "" if unknown.
func OpenFolder(dir, base string) (*Folder, error) {
	f := &Folder{Dir: dir, Placed: base != ""}
	var err error
	if f.Base, err = folderBase(base); err != nil {
		return nil, err
	}
	if f.Root, err = os.OpenRoot(dir); err != nil {
		return nil, usage.Wrap(err)
	}
	err = f.list()
	if err == nil {
		err = f.serve()
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// serve starts the server.
func (f *Folder) serve() error {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0") // it returns immediately
	if err != nil {
		return fmt.Errorf("serve %s on this machine: %w", f.Dir, err)
	}
	f.Addr = listener.Addr().String()
	f.server = &http.Server{Handler: f, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = f.server.Serve(listener) }() // close ends it
	return nil
}

// folderBase parses --page-base.
func folderBase(text string) (weburl.URL, error) {
	if text == "" {
		text = noBase
	} else if !strings.Contains(text, "://") {
		text = schemeFor(text) + text
	}
	u, err := weburl.Parse(text)
	switch {
	case err != nil:
		return u, usage.Errorf("--page-base %s: %w", text, usage.Explain(err))
	case strings.ContainsAny(text, "?#"):
		return u, usage.Errorf("--page-base %s: the address of a folder has no ? and no #", text)
	case !strings.HasSuffix(u.String(), "/"):
		return weburl.Parse(u.String() + "/")
	}
	return u, nil
}

// Close stops the server.
func (f *Folder) Close() {
	if f.server != nil {
		_ = f.server.Close() // nobody uses it anymore
	}
	_ = f.Root.Close() // it was only read
}

// origin returns the mapping of the folder's site to its server.
func (f *Folder) origin() fetch.Origin {
	from, _ := weburl.Parse("http://" + f.Addr + "/") // a valid address
	return fetch.Origin{Site: f.Base, From: from}
}

// list finds the pages: files that end in .html or .htm, sorted by path. It skips hidden files, links to others,
// node_modules, and error pages of static hosts (404.html).
func (f *Folder) list() error {
	entries := 0
	err := fs.WalkDir(f.Root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entries++; entries > maxFolderEntries {
			return usage.Errorf("%s has more than %d files and folders: name a folder in it", f.Dir, maxFolderEntries)
		}
		base := entry.Name()
		hidden := name != "." && strings.HasPrefix(base, ".")
		switch {
		case entry.IsDir() && (hidden || base == "node_modules"):
			return fs.SkipDir
		case entry.IsDir() && strings.Count(name, "/") >= MaxFolderDepth:
			return usage.Errorf("%s: its folders are more than %d deep", f.Dir, MaxFolderDepth)
		case !entry.Type().IsRegular() || hidden || !isHTML(base) || isErrorPage(name):
			return nil
		case len(f.Pages) == MaxFolderPages:
			return usage.Errorf("%s has more than %d pages: name a folder in it", f.Dir, MaxFolderPages)
		}
		u, err := f.address(name)
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Join(f.Dir, name), usage.Explain(err))
		}
		f.Pages = append(f.Pages, u)
		return nil
	})
	var fault *fs.PathError
	switch {
	case errors.As(err, &fault):
		return fmt.Errorf("read the folder: %s: %w", filepath.Join(f.Dir, fault.Path), fault.Err)
	case err == nil && len(f.Pages) == 0:
		return usage.Errorf("%s has no pages: no file in it ends in .html", f.Dir)
	}
	return err
}

func isHTML(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".html" || ext == ".htm"
}

// isErrorPage reports whether a file is an error page of static hosts: 404.html, or 404/index.html.
func isErrorPage(name string) bool {
	base := path.Base(strings.TrimSuffix(strings.TrimSuffix(name, "/index.html"), ".html"))
	return base == "404" || base == "500"
}

// address returns the future address of a page: its own canonical address if that leads to the file, such as /about for
// about.html. Otherwise it is the file's, or its folder's for an index.html.
func (f *Folder) address(name string) (weburl.URL, error) {
	own := name
	if dir, file := path.Split(name); file == "index.html" {
		own = dir
	}
	u, err := weburl.Parse(f.Base.String() + (&url.URL{Path: "/" + own}).EscapedPath()[1:])
	if err != nil {
		return u, err
	}
	canonical := f.canonical(name, u)
	switch {
	case canonical.IsZero():
	case canonical.Scheme() != u.Scheme() || HostKey(canonical) != HostKey(u):
		if f.named.IsZero() {
			f.named = canonical
		}
	case canonical.URL().RawQuery == "":
		if file, ok := f.File(canonical.URL().Path); ok && file == name {
			return canonical, nil
		}
	}
	return u, nil
}

// canonical returns the canonical address that a page names, or zero.
func (f *Folder) canonical(name string, at weburl.URL) weburl.URL {
	file, err := f.Root.Open(filepath.FromSlash(name))
	if err != nil {
		return weburl.URL{} // reading the page reports the error
	}
	defer file.Close()
	head, err := io.ReadAll(io.LimitReader(file, maxFolderHead))
	if err != nil {
		return weburl.URL{} // as above
	}
	parsed := page.Parse(head, "text/html; charset=utf-8", at.URL())
	for i := range parsed.Canonicals {
		href, _ := parsed.Resolve(parsed.Canonicals[i].Href)
		if canonical, err := weburl.Parse(href); err == nil {
			return canonical
		}
	}
	return weburl.URL{}
}

// Hint says how to read the pages with their future addresses, or "" if they are known.
func (f *Folder) Hint() string {
	if f == nil || f.Placed {
		return ""
	}
	base := "https://example.com/"
	if !f.named.IsZero() {
		base = f.named.Scheme() + "://" + HostKey(f.named) + "/"
	}
	return fmt.Sprintf("Without --page-base, the pages' addresses begin with %s; --page-base %s reads them as published.",
		noBase, base)
}

// File returns the file, relative to the folder, for the path of an address, as static hosts do: index.html for a
// folder, with or without a trailing slash, and about.html for about. ok is false if there is none.
func (f *Folder) File(urlPath string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(urlPath+"/", f.Base.URL().Path)
	if !ok {
		return "", false
	}
	rest = strings.TrimSuffix(rest, "/") // the added one
	at := strings.TrimSuffix(rest, "/")
	if at != "" && !fs.ValidPath(at) || strings.ContainsAny(at, "\x00\\") {
		return "", false // for example a percent-encoded dot segment
	}
	candidates := []string{path.Join(at, "index.html")}
	if rest == at && at != "" {
		candidates = []string{at, path.Join(at, "index.html"), at + ".html"}
	}
	for _, name := range candidates {
		// For a link that leads out of the folder there is an error.
		if info, err := f.Root.Stat(filepath.FromSlash(name)); err == nil && info.Mode().IsRegular() {
			return name, true
		}
	}
	return "", false
}

// ServeHTTP serves the file at an address.
func (f *Folder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, ok := f.File(r.URL.Path)
	if r.Host != f.Addr || !ok { // a page in a browser may resolve its own host name to this machine
		http.NotFound(w, r)
		return
	}
	file, err := f.Root.Open(filepath.FromSlash(name))
	if err != nil {
		http.Error(w, "the file cannot be read", http.StatusForbidden)
		return
	}
	defer file.Close()
	http.ServeContent(w, r, name, time.Time{}, file)
}

// Contains returns the path of a folder, which need not exist, relative to f, with slashes: "" for f itself, otherwise
// with a trailing slash. ok is false for a folder elsewhere.
func (f *Folder) Contains(dir string) (within string, ok bool) {
	own, err := os.Stat(f.Dir)
	at, absErr := filepath.Abs(dir)
	if err != nil || absErr != nil {
		return "", false
	}
	for {
		if info, err := os.Stat(at); err == nil && os.SameFile(own, info) {
			return within, true
		}
		parent := filepath.Dir(at)
		if parent == at {
			return "", false
		}
		within, at = filepath.Base(at)+"/"+within, parent
	}
}
