package page

import "strings"

// Meta has the key-value pairs of a page's meta elements in document order, without those that have no value.
type Meta []Pair

// Pair is one key of one meta element with its value. An element with several keys gives several pairs.
type Pair struct {
	// Key is a token of the property, name or itemprop attribute in lower case; Value is the cleaned content.
	Key, Value string
	// Attr is the attribute with Key. A key in several attributes counts for the first of property, name, itemprop.
	Attr KeyAttr
	// InHead reports whether the element is in the head of the parsed document.
	InHead bool
	// Escaped reports whether the value was escaped twice; Once is then the value decoded once, as parsers that follow
	// the standard read it.
	Escaped bool
	Once    string
	// End is the byte offset after the element.
	End int

	// unbroken is the value of an address that contains line breaks or tabs; "" if Value is as good.
	unbroken string
}

// address returns the value as an address: browsers remove the line breaks and tabs that a text shows as spaces.
func (p *Pair) address() string {
	if p.unbroken != "" {
		return p.unbroken
	}
	return p.Value
}

// KeyAttr is the attribute of a meta element that has the key.
type KeyAttr uint8

// Attributes that have keys.
const (
	ByProperty KeyAttr = iota
	ByName
	ByItemProp
)

// String returns the name of the attribute.
func (a KeyAttr) String() string { return [...]string{"property", "name", "itemprop"}[a] }

// Get returns the first value of key (in lower case), or "".
func (m Meta) Get(key string) string {
	for i := range m {
		if m[i].Key == key {
			return m[i].Value
		}
	}
	return ""
}

// Find returns the first pair of key (in lower case), or nil.
func (m Meta) Find(key string) *Pair {
	for i := range m {
		if m[i].Key == key {
			return &m[i]
		}
	}
	return nil
}

// All returns the pairs of key (in lower case) in order.
func (m Meta) All(key string) []Pair {
	var out []Pair
	for i := range m {
		if m[i].Key == key {
			out = append(out, m[i])
		}
	}
	return out
}

// Robots returns the directives for the named robot ("robots", "googlebot"), in lower case without surrounding spaces:
// "noindex", "max-snippet:0".
func (m Meta) Robots(name string) []string {
	var out []string
	for i := range m {
		if m[i].Key != name {
			continue
		}
		for _, d := range strings.Split(strings.ToLower(m[i].Value), ",") {
			if d = strings.TrimSpace(d); d != "" && len(out) < maxTitles {
				out = append(out, d)
			}
		}
	}
	return out
}

// metaKeys maps the most common keys to themselves, so that reading them doesn't allocate.
var metaKeys = func() map[string]string {
	keys := make(map[string]string)
	for _, k := range strings.Fields(`
		og:title og:description og:image og:image:url og:image:secure_url og:image:width og:image:height og:image:type
		og:image:alt og:url og:type og:site_name og:locale og:locale:alternate og:updated_time og:video og:video:url
		twitter:card twitter:title twitter:description twitter:image twitter:image:src twitter:image:alt twitter:site
		twitter:creator twitter:domain twitter:url twitter:label1 twitter:data1 twitter:label2 twitter:data2
		article:published_time article:modified_time article:section article:tag article:author article:publisher
		fb:app_id fb:pages fb:admins al:ios:app_store_id al:ios:app_name al:ios:url
		al:android:package al:android:app_name al:android:url
		title description keywords author robots googlebot viewport theme-color generator referrer date pubdate
		news_keywords application-name apple-mobile-web-app-title apple-mobile-web-app-capable apple-itunes-app
		mobile-web-app-capable format-detection
		msapplication-tilecolor msapplication-tileimage msapplication-config google-site-verification
		name url image headline datepublished datemodified width height position publisher`) {
		keys[k] = k
	}
	return keys
}()

// metaKey returns token in lower case.
func metaKey(token []byte) string {
	var buf [32]byte
	if len(token) <= len(buf) {
		for i, c := range token {
			if class[c]&foldsUpper != 0 {
				c |= 0x20
			}
			buf[i] = c
		}
		if key, ok := metaKeys[string(buf[:len(token)])]; ok {
			return key
		}
	}
	return strings.ToLower(string(token))
}

// lineEnds removes what browsers remove inside addresses.
var lineEnds = strings.NewReplacer("\t", "", "\r", "", "\n", "")

// addMeta adds the pairs of the meta element at s. Value is the content attribute or, without one, value.
func (m Meta) addMeta(s *scanner, inHead bool) Meta {
	raw, ok := s.attr("content")
	if !ok {
		raw, ok = s.attr("value")
	}
	if !ok || len(m) >= maxPairs {
		return m
	}
	var value, unbroken, written string
	var escaped, cleaned bool
	first := len(m)
	for attr, name := range [...]string{"property", "name", "itemprop"} {
		keys, _ := s.attr(name)
		for len(m) < maxPairs {
			var token []byte
			if token, keys = field(keys); len(token) == 0 {
				break
			}
			if !cleaned {
				once := decodeAttr(trim(raw))
				again := unescapeAgain(once)
				value, escaped, cleaned = collapse(again), again != once, true
				if value == "" {
					return m
				}
				if escaped {
					written = collapse(once)
				}
				if again = strings.TrimSpace(again); strings.ContainsAny(again, "\t\r\n") && len(again) <= maxAddressBytes {
					unbroken = collapse(lineEnds.Replace(again))
				}
			}
			key := metaKey(token)
			if m[first:].Find(key) == nil {
				m = append(m, Pair{key, value, KeyAttr(attr), inHead, escaped, written, s.end, unbroken})
			}
		}
	}
	return m
}

// field splits off the first token of a list separated by white space.
func field(b []byte) (token, rest []byte) {
	i := 0
	for i < len(b) && class[b[i]]&isSpace != 0 {
		i++
	}
	j := i
	for j < len(b) && class[b[j]]&isSpace == 0 {
		j++
	}
	return b[i:j], b[j:]
}
