package dashboard

import (
	"html/template"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"masthead/gen"
	"masthead/pkg/humanize"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/ui"
)

// This file says whether the domains of projects respond, as their projects know from requests of every day.

// domainRow is a domain of a project, with its verdict: Severity is pass, error, warning or info. Says is the verdict,
// Why the reason as a sentence or "", and Note when it was found.
type domainRow struct {
	Domain, Severity, Says, Why string
	Note                        template.HTML
}

// domainVerdicts are the severities and words of states.
var domainVerdicts = map[gen.DomainState][2]string{
	gen.DomainStateWAITING: {"info", "Being checked"}, gen.DomainStateREACHABLE: {"pass", "Reachable"},
	gen.DomainStateCOVERED: {"info", "Covered by another domain"}, gen.DomainStateUNCHECKED: {"info", "Not checked"},
	gen.DomainStateREDIRECTED:     {"warning", "Redirects elsewhere"},
	gen.DomainStateBADCERTIFICATE: {"error", "Certificate error"},
	gen.DomainStateERROR:          {"error", "Answers with an error"},
	gen.DomainStateUNREACHABLE:    {"error", "No response"},
}

// domainRows are the verdicts on domains.
func domainRows(checks []gen.DomainCheck, now time.Time) []domainRow {
	rows := make([]domainRow, len(checks))
	for i, check := range checks {
		verdict := domainVerdicts[check.State]
		rows[i] = domainRow{Domain: check.Domain, Severity: verdict[0], Says: verdict[1]}
		switch {
		case check.Detail == nil:
		case check.State == gen.DomainStateCOVERED: // by which one is all there is to say
			rows[i].Says = strings.TrimSuffix(*check.Detail, ".")
		default:
			rows[i].Why = *check.Detail
		}
		if check.CheckedAt != nil {
			rows[i].Note = "Checked " + frame.Ago(time.Time(*check.CheckedAt), now)
		}
	}
	return rows
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
func waitsForDomain(checks []gen.DomainCheck) bool {
	return slices.ContainsFunc(checks, func(c gen.DomainCheck) bool { return c.State == gen.DomainStateWAITING })
}

// newsOfDomains is the news about domains that don't respond, if any of projects does not.
func newsOfDomains(failing []gen.Project) (n news, ok bool) {
	count := 0
	for _, of := range failing {
		for _, check := range of.DomainChecks {
			if domainVerdicts[check.State][0] != "error" {
				continue
			}
			if count++; count > 1 {
				continue
			}
			n.Title, n.Deck = "A domain isn’t responding", check.Domain+". "+*check.Detail
			n.Actions = []ui.Link{{URL: frame.ProjectPath(of.Id.String()) + "#domains", Text: "See the domain"}}
		}
	}
	if count > 1 {
		n.Title = strconv.Itoa(count) + " domains aren’t responding"
		n.Deck += " And " + humanize.Count(count-1, "other domain") + "."
	}
	return n, count > 0
}
