package page

import (
	"bytes"
	"slices"
	"strings"
)

// Limits of a robots.txt. The fetcher limits its length.
const (
	maxRobotsRules  = 2000
	maxRobotsGroups = 500
	maxRobotsBytes  = 2048 // of a rule, and of a path compared with one
)

// Robots is a robots.txt (RFC 9309). The zero value allows everything.
type Robots struct {
	groups []robotsGroup
}

// robotsGroup has rules and the crawlers they apply to.
type robotsGroup struct {
	agents []string // product tokens in lower case, or "*"
	rules  []RobotsRule
}

// RobotsRule is an allow or disallow line of a robots.txt.
type RobotsRule struct {
	Allow bool
	// Pattern is the path of the rule as written: "*" matches anything, "$" at the end matches the end.
	Pattern string
	// Line is the line of the file, counted from 1; 0 means no rule.
	Line int
}

// String returns the rule as a line of a robots.txt.
func (r RobotsRule) String() string {
	if r.Allow {
		return "Allow: " + r.Pattern
	}
	return "Disallow: " + r.Pattern
}

// ParseRobots parses a robots.txt. It never fails: it skips unknown lines, and the rules after the 2000th.
func ParseRobots(body []byte) Robots {
	var r Robots
	var group *robotsGroup
	inAgents, number, rules := false, 0, 0
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	for len(body) > 0 {
		raw, rest, _ := bytes.Cut(body, []byte("\n"))
		body = rest
		number++
		line, _, _ := strings.Cut(string(raw[:min(len(raw), 2*maxRobotsBytes)]), "#")
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "user-agent":
			if !inAgents {
				if len(r.groups) == maxRobotsGroups {
					return r
				}
				r.groups = append(r.groups, robotsGroup{})
				group = &r.groups[len(r.groups)-1]
			}
			inAgents = true
			if len(group.agents) < maxRobotsGroups {
				group.agents = append(group.agents, productToken(value))
			}
		case "allow", "disallow":
			inAgents = false
			if group == nil || value == "" || len(value) > maxRobotsBytes || rules == maxRobotsRules {
				continue
			}
			rules++
			allow := strings.EqualFold(strings.TrimSpace(key), "allow")
			group.rules = append(group.rules, RobotsRule{allow, value, number})
		}
	}
	return r
}

// productToken returns the part of a user agent that identifies a crawler, in lower case, or "*".
func productToken(agent string) string {
	if strings.HasPrefix(agent, "*") {
		return "*"
	}
	end := 0
	for end < len(agent) && (agent[end] == '-' || agent[end] == '_' || agent[end]|0x20 >= 'a' && agent[end]|0x20 <= 'z') {
		end++
	}
	return strings.ToLower(agent[:end])
}

// Allows reports whether the crawler with the given product token ("Googlebot") may fetch path (with its query, if
// any), and by which rule: the zero rule if none matches. The longest matching rule decides; of two equally long ones,
// the one that allows. Crawlers without a group of their own follow the one for "*".
func (r *Robots) Allows(agent, path string) (allowed bool, by RobotsRule) {
	agent = strings.ToLower(agent)
	if !r.names(agent) {
		agent = "*"
	}
	path = canonicalPath(path)
	allowed, longest := true, -1
	for i := range r.groups {
		if !r.groups[i].isFor(agent) {
			continue
		}
		for _, rule := range r.groups[i].rules {
			n := len(rule.Pattern)
			if n < longest || n == longest && !rule.Allow || !matchesRobots(canonicalPath(rule.Pattern), path) {
				continue
			}
			allowed, by, longest = rule.Allow, rule, n
		}
	}
	return allowed, by
}

// Group returns the name of the group that the crawler with the given product token follows: its own, or "*".
func (r *Robots) Group(agent string) string {
	if r.names(strings.ToLower(agent)) {
		return agent
	}
	return "*"
}

// With returns the robots.txt with lines added at its end. Groups with the same name count as one (RFC 9309, 2.2.1).
func (r *Robots) With(lines string) Robots {
	added := ParseRobots([]byte(lines))
	return Robots{groups: slices.Concat(r.groups, added.groups)}
}

func (r *Robots) names(agent string) bool {
	for i := range r.groups {
		if r.groups[i].isFor(agent) {
			return true
		}
	}
	return false
}

func (g *robotsGroup) isFor(agent string) bool {
	for _, a := range g.agents {
		if a == agent {
			return true
		}
	}
	return false
}

// canonicalPath returns a path or pattern with normalized percent-escapes: upper case, none for unreserved characters,
// one for each non-ASCII byte. It reads at most [maxRobotsBytes].
func canonicalPath(path string) string {
	path = path[:min(len(path), maxRobotsBytes)]
	plain := true
	for i := 0; i < len(path) && plain; i++ {
		plain = path[i] != '%' && path[i] < 0x80
	}
	if plain {
		return path
	}
	const hex = "0123456789ABCDEF"
	var out strings.Builder
	for i := 0; i < len(path); i++ {
		c := path[i]
		if c == '%' && i+2 < len(path) && isHex(path[i+1]) && isHex(path[i+2]) {
			v := unhex(path[i+1])<<4 | unhex(path[i+2])
			i += 2
			if v|0x20 >= 'a' && v|0x20 <= 'z' || v >= '0' && v <= '9' || strings.IndexByte("-._~", v) >= 0 {
				out.WriteByte(v)
				continue
			}
			c = v
		} else if c < 0x80 {
			out.WriteByte(c)
			continue
		}
		out.WriteByte('%')
		out.WriteByte(hex[c>>4])
		out.WriteByte(hex[c&15])
	}
	return out.String()
}

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return (c | 0x20) - 'a' + 10
}

// matchesRobots reports whether pattern matches a prefix of path. It reads each byte of path at most once per star.
func matchesRobots(pattern, path string) bool {
	pattern, atEnd := strings.CutSuffix(pattern, "$")
	first, rest, starred := strings.Cut(pattern, "*")
	if !strings.HasPrefix(path, first) {
		return false
	}
	path = path[len(first):]
	for starred {
		var part string
		part, rest, starred = strings.Cut(rest, "*")
		if !starred && atEnd {
			return strings.HasSuffix(path, part)
		}
		i := strings.Index(path, part)
		if i < 0 {
			return false
		}
		path = path[i+len(part):]
	}
	return !atEnd || path == ""
}
