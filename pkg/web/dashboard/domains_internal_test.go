package dashboard

import (
	"strings"
	"testing"
	"time"

	"masthead/gen"
	"masthead/pkg/wire"
)

// TestDomains_eachVerdict has a domain in each state, and the news about those that don't respond.
func TestDomains_eachVerdict(t *testing.T) {
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	at, why := new(wire.Moment(now.Add(-3*time.Hour))), new("The site didn’t respond.")
	checks := []gen.DomainCheck{
		{Domain: "up.example", State: gen.DomainStateREACHABLE, CheckedAt: at},
		{Domain: "down.example", State: gen.DomainStateUNREACHABLE, CheckedAt: at, Detail: why},
		{Domain: "new.example", State: gen.DomainStateWAITING},
		{Domain: "a.up.example", State: gen.DomainStateCOVERED, Detail: new("Covered by up.example.")},
		{Domain: "127.0.0.1", State: gen.DomainStateUNCHECKED, Detail: why},
		{Domain: "moved.example", State: gen.DomainStateREDIRECTED, CheckedAt: at, Detail: why},
		{Domain: "old.example", State: gen.DomainStateBADCERTIFICATE, CheckedAt: at, Detail: why},
		{Domain: "broken.example", State: gen.DomainStateERROR, CheckedAt: at, Detail: why},
	}
	want := []string{
		"pass: Reachable", "error: No response", "info: Being checked", "info: Covered by up.example",
		"info: Not checked", "warning: Redirects elsewhere", "error: Certificate error", "error: Answers with an error",
	}
	for i, row := range domainRows(checks, now) {
		checked := strings.HasPrefix(string(row.Note), `Checked <time datetime="2026-11-27T09:00:00Z"`) &&
			strings.Contains(string(row.Note), ">3 hours ago</time>")
		if got := row.Severity + ": " + row.Says; row.Domain != checks[i].Domain || got != want[i] ||
			checked != (checks[i].CheckedAt != nil) ||
			(row.Why != "") != (checks[i].Detail != nil && row.Domain != "a.up.example") {
			t.Errorf("got %+v, want %q", row, want[i])
		}
	}
	if !waitsForDomain(checks) || waitsForDomain(checks[:2]) || waitsForDomain(checks[3:]) {
		t.Error("a page waits for a domain without one that is being checked, or the other way around")
	}
	if n, ok := newsOfDomains([]gen.Project{{DomainChecks: checks[:2]}}); !ok || n.Title != "A domain isn’t responding" ||
		n.Deck != "down.example. The site didn’t respond." {
		t.Errorf("the news about one domain: %+v", n)
	}
	n, ok := newsOfDomains([]gen.Project{{DomainChecks: checks[:2]}, {DomainChecks: checks[6:]}})
	if !ok || n.Title != "3 domains aren’t responding" || !strings.HasSuffix(n.Deck, " And 2 other domains.") {
		t.Errorf("the news about three domains: %+v", n)
	}
	if _, ok := newsOfDomains([]gen.Project{{DomainChecks: checks[2:6]}}); ok {
		t.Error("there is news without a domain that doesn't respond")
	}
	of := []gen.Project{{Domains: []string{"a.example"}}, {Domains: []string{"down.example", "2001:db8::1"}}}
	for address, want := range map[string]string{
		"https://down.example/": "down.example", "http://down.example": "down.example", "https://[2001:db8::1]/": "2001:db8::1",
		"https://down.example/page": "", "https://down.example:8443/": "", "https://down.example/?a=b": "",
	} {
		if got := domainOf(of, gen.Watch{Url: address}); got != want {
			t.Errorf("the domain whose first page is %s: %q", address, got)
		}
	}
}
