package entry

import (
	"net/url"
	"strings"
)

// home is where people go after signing in unless they wanted to go elsewhere.
const home = "/dashboard"

// maxNext is the maximum length of a path to go to, in bytes.
const maxNext = 2048

// nextOf returns the path that a visitor wanted to go to: asked, if it is a page of this site, otherwise [home].
//
// A browser resolves "//host", "/\host" and paths with a tab or newline in the same places as addresses of another
// site (https://url.spec.whatwg.org/#concept-basic-url-parser), so anything but a plain path is refused.
func nextOf(asked string) string {
	plain := strings.HasPrefix(asked, "/") && !strings.HasPrefix(asked, "//") && len(asked) <= maxNext &&
		!strings.ContainsFunc(asked, func(r rune) bool { return r <= ' ' || r == '\\' || r >= 0x7f })
	if !plain {
		return home
	}
	u, err := url.Parse(asked)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil {
		return home
	}
	for _, own := range []string{signInPath, "/sign-out", registerPath} {
		if u.Path == own || strings.HasPrefix(u.Path, own+"/") {
			return home
		}
	}
	return asked
}

// withNext returns the path with next as its parameter, if it isn't the usual one.
func withNext(path, next string) string {
	if next == home {
		return path
	}
	return path + "?" + url.Values{"next": {next}}.Encode()
}
