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
	secondLevel = map[string]bool{
		"co": true, "com": true, "org": true, "net": true, "edu": true, "gov": true, "gob": true, "gouv": true, "mil": true, "ac": true, "ne": true,
		"or": true, "go": true, "gv": true, "in": true, "uk": true, "us": true, "eu": true, "blogspot": true, "nom": true, "asso": true, "info": true,
	}
	sharedHosts = map[string]bool{
		"github.io": true, "gitlab.io": true, "blogspot.com": true, "wordpress.com": true, "tumblr.com": true, "netlify.app": true, "vercel.app": true,
		"pages.dev": true, "workers.dev": true, "web.app": true, "firebaseapp.com": true, "herokuapp.com": true, "substack.com": true, "medium.com": true,
		"neocities.org": true, "bearblog.dev": true, "fly.dev": true, "onrender.com": true, "readthedocs.io": true, "uk.com": true, "co.com": true,
	}
)

// publicSuffix reports whether a host of two labels is one under which anybody may have a name: "co.uk", "github.io".
func publicSuffix(host string) bool {
	name, top, _ := strings.Cut(host, ".")
	return len(top) == 2 && secondLevel[name] || sharedHosts[host]
}
