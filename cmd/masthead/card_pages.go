package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"

	"masthead/pkg/weburl"
)

// siteFlags are the flags of commands that read many pages.
type siteFlags struct {
	PageBase string `placeholder:"URL" help:"Address at which a folder of HTML files will be published, such as https://example.com/."`
	rateFlag `embed:""`
}

// pageList is the list of pages on a command line. It must be closed.
type pageList struct {
	addresses []weburl.URL        // without duplicates
	listed    bool                // some came from standard input or a folder, so that even one is a list
	typed     map[weburl.URL]bool // those typed without a scheme
	folder    *folder             // the folder that contains them, or nil
}

// stdinPages on the command line means the addresses on standard input.
const stdinPages = "-"

// readPages reads the addresses on a command line and, for a -, from in. For a folder, they are those of its pages.
func readPages(args []string, in io.Reader, flags siteFlags) (list pageList, err error) {
	if err := flags.check(); err != nil {
		return list, err
	}
	if i := slices.IndexFunc(args, isFolder); i >= 0 {
		if len(args) > 1 {
			return list, wrongUsage("%s is a folder, and a folder is read alone", args[i])
		}
		list.folder, err = openFolder(args[i], flags.PageBase)
		if err != nil {
			return list, err
		}
		list.addresses, list.listed = list.folder.pages, true
		return list, nil
	}
	if flags.PageBase != "" {
		return list, wrongUsage("--page-base is for a folder of HTML files, and none is named")
	}
	list.typed = map[weburl.URL]bool{}
	for _, text := range args {
		if text != stdinPages {
			if err := list.add("", text); err != nil {
				return list, err
			}
			continue
		}
		if list.listed {
			return list, wrongUsage("- is given twice, but standard input can only be read once")
		}
		list.listed = true
		if err := list.addLines(in); err != nil {
			return list, err
		}
	}
	return list, nil
}

// readPage reads the one address on a command line.
func readPage(text string, rate rateFlag) (pageList, error) {
	if err := rate.check(); err != nil {
		return pageList{}, err
	}
	list := pageList{typed: map[weburl.URL]bool{}}
	return list, list.add("", text)
}

// add adds the page at an address; where is its origin for errors.
func (l *pageList) add(where, text string) error {
	page, err := parsePage(text)
	if err != nil {
		return wrongUsage("%s%w", where, err)
	}
	if !slices.Contains(l.addresses, page) {
		l.addresses = append(l.addresses, page)
	}
	if !strings.Contains(text, "://") {
		l.typed[page] = true
	}
	return nil
}

// addLines adds the addresses on standard input.
func (l *pageList) addLines(in io.Reader) error {
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
	if len(l.addresses) == 0 {
		return wrongUsage("standard input has no addresses")
	}
	return nil
}

// close closes the folder.
func (l *pageList) close() {
	if l.folder != nil {
		l.folder.close()
	}
}

// many reports whether there may be several pages.
func (l *pageList) many() bool { return len(l.addresses) > 1 || l.listed }

// clients are the clients for the pages.
func (l *pageList) clients(flags siteFlags, userAgent string) *hostClients {
	clients := &hostClients{userAgent: userAgent, rate: flags.Rate, typed: l.typed}
	if l.folder != nil {
		clients.origin = l.folder.origin()
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

// parsePage parses an address as people type it, including without https://, which is then the first to try.
func parsePage(text string) (weburl.URL, error) {
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
		return weburl.URL{}, fmt.Errorf("%s: %w", text, explainCard(err))
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
