package tailwind

import (
	"regexp"
	"slices"
	"strings"
)

// containerWidths are the widths of the variants of containers. Source: theme.css of Tailwind CSS 4.3.
var containerWidths = []struct{ name, width string }{
	{"3xs", "16rem"}, {"2xs", "18rem"}, {"xs", "20rem"}, {"sm", "24rem"}, {"md", "28rem"}, {"lg", "32rem"}, {"xl", "36rem"},
	{"2xl", "42rem"}, {"3xl", "48rem"}, {"4xl", "56rem"}, {"5xl", "64rem"}, {"6xl", "72rem"}, {"7xl", "80rem"},
}

var (
	containerName   = regexp.MustCompile(`^[A-Za-z][\w-]{0,60}$`)
	containerLength = regexp.MustCompile(`^\[\d{1,5}(\.\d{1,3})?(px|rem|em)\]$`)
)

// containerClass compiles @container, @container-size and @container-normal, which may have a name.
func containerClass(name string) (body string, ok bool) {
	rest, ok := strings.CutPrefix(name, "@container")
	if !ok {
		return "", false
	}
	rest, called, named := strings.Cut(rest, "/")
	kind, known := map[string]string{"": "inline-size", "-size": "size", "-normal": "normal"}[rest]
	if !known || named && !containerName.MatchString(called) {
		return "", false
	}
	if body = "container-type:" + kind + ";"; named {
		body += "container-name:" + called + ";"
	}
	return body, true
}

// containerVariant returns the rule for a variant such as @md, @max-md, @[475px] or @md/main, without its @.
func containerVariant(name string) (condition string, ok bool) {
	name, called, named := strings.Cut(name, "/")
	if named && !containerName.MatchString(called) {
		return "", false
	}
	op := ">="
	if rest, ok := strings.CutPrefix(name, "max-"); ok {
		op, name = "<", rest
	} else {
		name = strings.TrimPrefix(name, "min-")
	}
	width := strings.Trim(name, "[]")
	if !containerLength.MatchString(name) {
		i := slices.IndexFunc(containerWidths, func(w struct{ name, width string }) bool { return w.name == name })
		if i < 0 {
			return "", false
		}
		width = containerWidths[i].width
	}
	if named {
		called += " "
	}
	return "@container " + called + "(width " + op + " " + width + ")", true
}
