package audit

import (
	"fmt"
	"strings"

	"masthead/pkg/platform"
)

// headlines are the verdicts by letter, without its sign.
var headlines = map[string]string{
	"A+": "No issues found", "A": "In good order", "B": "Good, with loose ends", "C": "It shows up, with faults",
	"D": "Half of it arrives", "F": "A bare link in most places",
}

// Exceptions to the verdicts by letter: a page without any tags; the best letter if something is left to fix; the worst
// letter if links aren't bare.
const (
	bareEverywhere = "A bare link everywhere"
	almost         = "Only minor issues"
	mostlyBlind    = "No picture in most places"
	mostlyHarmed   = "Little of it arrives"
)

// Headline returns the verdict on a page in a few words.
func (r *Report) Headline() string {
	switch {
	case r.Status >= 400:
		return fmt.Sprintf("The page returned %d", r.Status)
	case !r.speaks():
		return bareEverywhere
	case r.Overall.Letter == "A+" && len(r.Failed()) > 0:
		return almost
	case r.Overall.Letter == "F":
		return worstHeadline(platform.ShowAll(r.Shared))
	}
	if h := headlines[r.Overall.Letter]; h != "" {
		return h
	}
	return headlines[strings.TrimSuffix(r.Overall.Letter, "+")]
}

// worstHeadline returns the verdict for the worst letter, by what most platforms show.
func worstHeadline(all []platform.Preview) string {
	count := map[platform.Verdict]int{}
	for i := range all {
		count[all[i].Verdict]++
	}
	switch {
	case 2*count[platform.BareLink] > len(all):
		return headlines["F"]
	case 2*(count[platform.BareLink]+count[platform.NoPicture]) > len(all):
		return mostlyBlind
	}
	return mostlyHarmed
}

// speaks reports whether a page has any tag used in previews.
func (r *Report) speaks() bool {
	for i := range r.Tags {
		key := r.Tags[i].Key
		if strings.HasPrefix(key, "og:") || strings.HasPrefix(key, "twitter:") {
			return true
		}
	}
	return false
}
