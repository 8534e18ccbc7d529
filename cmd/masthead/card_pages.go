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

// pageList is the pages that a command line names.
type pageList struct {
	addresses []weburl.URL // each once
	listed    bool         // some came from standard input, so that they are a list even when there is but one
}

// stdinPages stands on the command line for the addresses on standard input.
const stdinPages = "-"

// readPages reads the addresses of a command line and, where a - stands, of in.
func readPages(args []string, in io.Reader) (list pageList, err error) {
	add := func(where, text string) error {
		page, err := parsePage(text)
		if err != nil {
			return wrongUsage("%s%w", where, err)
		}
		if !slices.Contains(list.addresses, page) {
			list.addresses = append(list.addresses, page)
		}
		return nil
	}
	for _, text := range args {
		if text != stdinPages {
			if err := add("", text); err != nil {
				return list, err
			}
			continue
		}
		if list.listed {
			return list, wrongUsage("- stands twice: standard input is read once")
		}
		list.listed = true
		lines := bufio.NewScanner(in)
		for n := 1; lines.Scan(); n++ {
			line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			if err := add(fmt.Sprintf("line %d of standard input: ", n), line); err != nil {
				return list, err
			}
		}
		if err := lines.Err(); err != nil {
			return list, fmt.Errorf("read addresses from standard input: %w", err)
		}
		if len(list.addresses) == 0 {
			return list, wrongUsage("standard input holds no address")
		}
	}
	return list, nil
}

// parsePage reads an address as people type it: without https:// too.
func parsePage(text string) (weburl.URL, error) {
	address := text
	if !strings.Contains(text, "://") {
		if info, err := os.Stat(text); err == nil && info.Mode().IsRegular() {
			return weburl.URL{}, fmt.Errorf("%s is a file, and pages are read from the web: "+
				"serve its folder and give the address; `masthead card` takes --title and --description instead", text)
		}
		address = schemeFor(text) + text
	}
	page, err := weburl.Parse(address)
	if err != nil {
		return weburl.URL{}, fmt.Errorf("%s: %w", text, explainCard(err))
	}
	return page, nil
}

// schemeFor returns the scheme of an address that has none. What this machine itself serves has no certificate as a
// rule.
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
