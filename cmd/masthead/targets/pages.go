// Package targets reads what a command line names: pages, a folder of HTML files, standard input. It has the clients
// that fetch them and the line of progress.
package targets

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"

	"masthead/cmd/masthead/usage"
	"masthead/pkg/weburl"
)

// SiteFlags are the flags of commands that read many pages.
type SiteFlags struct {
	PageBase string `placeholder:"URL" help:"Address at which a folder of HTML files will be published, such as https://example.com/."`
	RateFlag `embed:""`
}

// List is the list of pages on a command line. It must be closed.
type List struct {
	Addresses []weburl.URL        // without duplicates
	Listed    bool                // some came from standard input or a folder, so that even one is a list
	Typed     map[weburl.URL]bool // those typed without a scheme
	Folder    *Folder             // the folder that contains them, or nil
}

// stdinPages on the command line means the addresses on standard input.
const stdinPages = "-"

// Read reads the addresses on a command line and, for a -, from in. For a folder, they are those of its pages.
func Read(args []string, in io.Reader, flags SiteFlags) (list List, err error) {
	if err := flags.Check(); err != nil {
		return list, err
	}
	if i := slices.IndexFunc(args, isFolder); i >= 0 {
		if len(args) > 1 {
			return list, usage.Errorf("%s is a folder, and a folder is read alone", args[i])
		}
		list.Folder, err = OpenFolder(args[i], flags.PageBase)
		if err != nil {
			return list, err
		}
		list.Addresses, list.Listed = list.Folder.Pages, true
		return list, nil
	}
	if flags.PageBase != "" {
		return list, usage.Errorf("--page-base is for a folder of HTML files, and none is named")
	}
	list.Typed = map[weburl.URL]bool{}
	for _, text := range args {
		if text != stdinPages {
			if err := list.add("", text); err != nil {
				return list, err
			}
			continue
		}
		if list.Listed {
			return list, usage.Errorf("- is given twice, but standard input can only be read once")
		}
		list.Listed = true
		if err := list.addLines(in); err != nil {
			return list, err
		}
	}
	return list, nil
}

// ReadOne reads the one address on a command line.
func ReadOne(text string, rate RateFlag) (List, error) {
	if err := rate.Check(); err != nil {
		return List{}, err
	}
	list := List{Typed: map[weburl.URL]bool{}}
	return list, list.add("", text)
}

// add adds the page at an address; where is its origin for errors.
func (l *List) add(where, text string) error {
	page, err := Parse(text)
	if err != nil {
		return usage.Errorf("%s%w", where, err)
	}
	if !slices.Contains(l.Addresses, page) {
		l.Addresses = append(l.Addresses, page)
	}
	if !strings.Contains(text, "://") {
		l.Typed[page] = true
	}
	return nil
}

// addLines adds the addresses on standard input.
func (l *List) addLines(in io.Reader) error {
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := l.add(fmt.Sprintf("line %d of standard input: ", n), line); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read addresses from standard input: %w", err)
	}
	if len(l.Addresses) == 0 {
		return usage.Errorf("standard input has no addresses")
	}
	return nil
}

// Close closes the folder.
func (l *List) Close() {
	if l.Folder != nil {
		l.Folder.Close()
	}
}

// Many reports whether there may be several pages.
func (l *List) Many() bool { return len(l.Addresses) > 1 || l.Listed }

// Clients are the clients for the pages; version is that of this program.
func (l *List) Clients(flags SiteFlags, version, userAgent string) *Clients {
	clients := &Clients{version: version, userAgent: userAgent, rate: flags.Rate, Typed: l.Typed}
	if l.Folder != nil {
		clients.Origin = l.Folder.origin()
	}
	return clients
}

// isFolder reports whether an argument is a folder.
func isFolder(text string) bool {
	if strings.Contains(text, "://") || text == stdinPages {
		return false
	}
	info, err := os.Stat(text)
	return err == nil && info.IsDir()
}

// isMissingFolder reports whether an argument that doesn't exist can only mean a folder: it begins like a path, or is
// one word with a trailing slash and without a dot or a port, which is rare for hosts.
func isMissingFolder(text string) bool {
	for _, begin := range []string{"/", "./", "../", "~/"} {
		if strings.HasPrefix(text, begin) {
			return true
		}
	}
	name, rest, slash := strings.Cut(text, "/")
	return slash && rest == "" && !strings.ContainsAny(name, ".:[") && !strings.EqualFold(name, "localhost")
}

// Parse parses an address as people type it, including without https://, which is then the first to try.
func Parse(text string) (weburl.URL, error) {
	address := text
	if !strings.Contains(text, "://") {
		if isFolder(text) {
			return weburl.URL{}, fmt.Errorf("%s is a folder, and this takes the address of a page", text)
		}
		if info, err := os.Stat(text); err == nil && info.Mode().IsRegular() {
			return weburl.URL{}, fmt.Errorf("%s is a file: card and audit read the pages of a folder; "+
				"`masthead card` takes --title and --description instead", text)
		}
		if isMissingFolder(text) {
			return weburl.URL{}, fmt.Errorf("there is no folder %s; the address of a page begins with https:// or http://", text)
		}
		address = schemeFor(text) + text
	}
	page, err := weburl.Parse(address)
	if err != nil {
		return weburl.URL{}, fmt.Errorf("%s: %w", text, usage.Explain(err))
	}
	return page, nil
}

// schemeFor returns the default scheme of an address. Servers on this machine usually have no certificate.
func schemeFor(address string) string {
	host, _, _ := strings.Cut(address, "/")
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if ip := net.ParseIP(strings.Trim(host, "[]")); strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback() {
		return "http://"
	}
	return "https://"
}
