package dashboard

import (
	"testing"
	"time"

	"masthead/gen"
	"masthead/pkg/wire"
)

// TestDomainRows_eachVerdict has a domain in each state, and addresses that aren't its first page.
func TestDomainRows_eachVerdict(t *testing.T) {
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	ran, fault := new(wire.Moment(now.Add(-3*time.Hour))), new("The site didn’t respond.")
	watch := func(address string, last *wire.Moment, fault *string) gen.Watch {
		return gen.Watch{Url: address, LastRunAt: last, Error: fault}
	}
	domains := []string{"up.example", "down.example", "new.example", "a.up.example", "none.example", "2001:db8::1", "new2.example"}
	homes := []gen.Watch{
		watch("http://up.example/", ran, fault), watch("https://up.example/", ran, nil),
		watch("https://down.example/", ran, fault), watch("https://new.example/", nil, nil),
		watch("https://none.example/page", ran, nil), watch("https://none.example:8443/", ran, nil),
		watch("https://none.example/?a=b", ran, nil), watch("https://[2001:db8::1]/", ran, nil),
		watch("https://new2.example/", nil, fault),
	}
	want := []domainRow{
		{"up.example", "pass", "Responds", "Checked 3 hours ago", false},
		{"down.example", "error", *fault, "Checked 3 hours ago", false},
		{"new.example", "info", "Being checked", "", false},
		{"a.up.example", "info", "Covered by up.example", "", true},
		{"none.example", "info", "Not checked", "", true},
		{"2001:db8::1", "pass", "Responds", "Checked 3 hours ago", false},
		{"new2.example", "error", *fault, "", false},
	}
	rows := domainRows(domains, homes, now)
	for i, row := range rows {
		if row != want[i] {
			t.Errorf("got %+v, want %+v", row, want[i])
		}
	}
	if !waitsForDomain(rows) || waitsForDomain(rows[:2]) || waitsForDomain(rows[3:]) {
		t.Error("a page waits for a domain without one that is being checked, or the other way around")
	}
	of := []gen.Project{{Domains: []string{"a.example"}}, {Domains: domains}}
	if got := domainOf(of, homes[2]); got != "down.example" {
		t.Errorf("the domain of a first page: %q", got)
	}
	if got := domainOf(of, homes[4]); got != "" {
		t.Errorf("the domain of another page: %q", got)
	}
}
