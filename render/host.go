package render

import "strings"

// maxHostParts is how many labels are taken off a host: "www.en.m.example.org" is as long as they get.
const maxHostParts = 4

// shownHost returns a host as people say it: in small letters, without www, the labels of mobile copies, and that of
// a language ("en.m.wikipedia.org" is wikipedia.org). What stays is never a suffix under which anybody may have a
// host.
func shownHost(host, lang string) string {
	host = strings.ToLower(host)
	for range maxHostParts {
		label, rest, _ := strings.Cut(host, ".")
		if !strings.Contains(rest, ".") || publicSuffix(rest) || !copyLabel(label) && !languageLabel(label, lang) {
			break
		}
		host = rest
	}
	return host
}

// copyLabel reports whether a label names one of several copies of a site: www, www2, m, mobile, amp.
func copyLabel(label string) bool {
	if n, ok := strings.CutPrefix(label, "www"); ok {
		return strings.Trim(n, "0123456789") == ""
	}
	return label == "m" || label == "mobile" || label == "amp"
}

// languageLabel reports whether a label of two letters is the language of the page, or another one that dates are
// written in here. Labels that mostly mean something else (my, id) count only as the language of the page.
func languageLabel(label, lang string) bool {
	if len(label) != 2 {
		return false
	}
	if primary, _, _ := strings.Cut(strings.ToLower(lang), "-"); label == primary {
		return true
	}
	_, ok := locales[label]
	return ok && label != "id"
}

// secondLevel are the labels under the domains of countries that do not name a site. sharedHosts give names to
// anybody; there, two letters are somebody's. The Public Suffix List has all of them, and is no part of drawing: a
// missing one makes a shorter host, no wrong card.
var (
	secondLevel = setOf(`
		co com org net edu gov gob gouv mil ac ne or go gv in uk us eu blogspot nom asso info`)
	sharedHosts = setOf(`
		github.io gitlab.io blogspot.com wordpress.com tumblr.com netlify.app vercel.app pages.dev
		workers.dev web.app firebaseapp.com herokuapp.com substack.com medium.com neocities.org bearblog.dev
		fly.dev onrender.com readthedocs.io uk.com co.com`)
)

// setOf returns the words of a text.
func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// publicSuffix reports whether a host of two labels is one under which anybody may have a name: "co.uk", "github.io".
func publicSuffix(host string) bool {
	name, top, _ := strings.Cut(host, ".")
	return len(top) == 2 && secondLevel[name] || sharedHosts[host]
}
