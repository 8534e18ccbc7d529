package dashboard

import (
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/server"
)

// This file says whether the domains of projects respond. What tells is the watch of a domain's first page, alone or of
// a sitemap: it is audited every day or week.

// domainRow is a domain of a project, with its verdict: Severity is pass, error or info. Says is the verdict as a
// sentence, and Note when it was found.
type domainRow struct {
	Domain, Severity, Says, Note string
	// Unwatched means that nothing tells, so the page offers to watch it.
	Unwatched bool
}

// homeOf is the address of a domain's first page.
func homeOf(domain string) string {
	if strings.Contains(domain, ":") { // an IPv6 address
		domain = "[" + domain + "]"
	}
	return "https://" + domain + "/"
}

// readHomes reads the watches of the first pages of domains, at most 100.
func readHomes(c echo.Context, list *server.Operation, domains []string) ([]gen.Watch, error) {
	if len(domains) == 0 {
		return nil, nil
	}
	var page gen.WatchPage
	query := url.Values{"homeOf": {strings.Join(domains[:min(maxHomes, len(domains))], ",")}, "limit": {perPage}}
	err := read(c, list, server.Input{Query: query}, &page)
	return page.Items, err
}

// maxHomes is the maximum number of hosts that listWatches takes.
const maxHomes = 100

// domainRows are the verdicts of the domains of a project.
func domainRows(domains []string, homes []gen.Watch, now time.Time) []domainRow {
	rows := make([]domainRow, len(domains))
	for i, domain := range domains {
		rows[i] = domainRow{Domain: domain}
		rows[i].judge(domains, homes, now)
	}
	return rows
}

func (r *domainRow) judge(domains []string, homes []gen.Watch, now time.Time) {
	var home *gen.Watch
	for i := range homes {
		if isHome(homes[i].Url, r.Domain) && (home == nil || strings.HasPrefix(homes[i].Url, "https:")) {
			home = &homes[i]
		}
	}
	switch {
	case home == nil:
		r.Severity, r.Says, r.Unwatched = "info", "Not checked", true
		for _, other := range domains {
			if strings.HasSuffix(r.Domain, "."+other) {
				r.Says = "Covered by " + other
			}
		}
		return
	case home.Error != nil:
		r.Severity, r.Says = "error", *home.Error
	case home.LastRunAt == nil:
		r.Severity, r.Says = "info", "Being checked"
	default:
		r.Severity, r.Says = "pass", "Responds"
	}
	if home.LastRunAt != nil {
		r.Note = "Checked " + ago(time.Time(*home.LastRunAt), now)
	}
}

// isHome reports whether an address is that of a domain's first page.
func isHome(address, domain string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Path != "/" && u.Path != "" || u.RawQuery != "" || u.Port() != "" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == domain || ip != nil && ip.Equal(net.ParseIP(domain))
}

// domainOf returns the domain of one of the projects whose first page a watch is, or "".
func domainOf(projects []gen.Project, w gen.Watch) string {
	for _, of := range projects {
		for _, domain := range of.Domains {
			if isHome(w.Url, domain) {
				return domain
			}
		}
	}
	return ""
}

// waitsForDomain reports whether one of the domains is being checked.
func waitsForDomain(rows []domainRow) bool {
	return slices.ContainsFunc(rows, func(r domainRow) bool { return r.Severity == "info" && !r.Unwatched })
}
