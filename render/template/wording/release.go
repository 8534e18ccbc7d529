package wording

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"masthead/render/template/kit"
	"masthead/render/text"
)

// maxReleaseName is the maximum number of words before a version that only name it: “Introducing Lumen 3.2”.
const maxReleaseName = 4

// releaseSaid removes what titles say of every release.
var releaseSaid = strings.NewReplacer(
	"introducing ", "", "announcing ", "", " is out ", " ", " is here ", " ", " is now available ", " ",
	" now available ", " ", " has been released ", " ", " is released ", " ", " released ", " ", " ist da ", " ",
	" ist erschienen ", " ", " est disponible ", " ", " ya está disponible ", " ", " released! ", " ", " is out! ", " ",
	" is here! ", " ",
)

// releaseWords are the words of a title that contains only a version.
var releaseWords = []string{"", "v", "version", "release", "released", "changelog", "releasenotes", "versión", "versão"}

// news is the replacement of such a title, by language.
var news = map[string]string{
	"en": "What’s new", "de": "Was ist neu", "fr": "Quoi de neuf", "es": "Novedades", "pt": "Novidades", "it": "Novità",
	"nl": "Wat is er nieuw", "sv": "Nyheter", "da": "Nyheder", "nb": "Nyheter", "pl": "Co nowego", "cs": "Co je nového",
	"ru": "Что нового", "uk": "Що нового", "tr": "Yenilikler", "ja": "新着情報", "zh": "更新内容", "ko": "새로운 기능",
	"ar": "ما الجديد", "he": "מה חדש",
}

// releaseMarks are parts of words by which a page says that it is about a release; news are others.
var releaseMarks = []string{
	"release", "changelog", "change log", "change-log", "update", "what's new", "whats-new", "neuerung",
	"novedades", "nouveautés", "リリース", "更新", "업데이트", "обновлен", "الإصدار",
}

// IsOfRelease reports whether the title, the section or the path of a page says that it is about a release.
func IsOfRelease(c *kit.Card) bool {
	said := strings.ToLower(strings.Join([]string{c.Title, c.Eyebrow, c.Path}, "\n"))
	said = strings.ReplaceAll(said, "’", "'")
	for _, mark := range releaseMarks {
		if strings.Contains(said, mark) {
			return true
		}
	}
	for _, mark := range news {
		if strings.Contains(said, strings.ToLower(strings.ReplaceAll(mark, "’", "'"))) {
			return true
		}
	}
	return false
}

// Release returns the title without its leading version, which is shown above it; if nothing is left, the repository
// that it is of, or what's new.
func Release(c *kit.Card) string {
	if c.Version == "" {
		return c.Title
	}
	before, rest, ok := strings.Cut(c.Title, strings.TrimLeft(c.Version, "vV"))
	if ok && len(strings.Fields(before)) <= maxReleaseName {
		said := strings.TrimLeft(rest, " :–—-")
		between := rest[:len(rest)-len(said)] // not in "3.2-beta"
		if said != "" && strings.ContainsAny(between, ":–—-") && strings.HasSuffix(between, " ") {
			return capitalized(said)
		}
	}
	bare := strings.Replace(strings.Replace(c.Title, "v"+c.Version, "", 1), c.Version, "", 1)
	rest = releaseSaid.Replace(strings.ToLower(bare) + " ")
	between := func(r rune) bool { return strings.ContainsRune(" -–—:.", r) }
	rest = strings.ToLower(strings.Join(strings.FieldsFunc(rest, between), ""))
	if c.Repo != "" && text.Same(rest, strings.Join(strings.FieldsFunc(c.Repo, between), "")) {
		return c.Repo
	}
	if !slices.Contains(releaseWords, rest) && !text.Same(rest, c.SiteName) {
		return c.Title
	}
	lang, _, _ := strings.Cut(strings.ToLower(cmp.Or(c.Lang, "en")), "-")
	return cmp.Or(c.Repo, news[lang], c.SiteName, c.Title)
}

// Bounds of what is new, in characters.
const highlightLeast, highlightMost = 12, 56

// Highlights returns the first entries of the page's list that say what is new, each as far as its first clause, if
// there are two or three. A list with two entries of some length keeps its short ones.
func Highlights(c *kit.Card) (lines []string) {
	long := 0
	for _, item := range c.Items {
		if at := strings.IndexAny(item, ",;:("); at >= highlightLeast && utf8.RuneCountInString(item) > highlightMost {
			item = item[:at]
		}
		if item = strings.TrimSpace(item); !endsAbbreviated(item) {
			item = strings.TrimRight(item, ".,;:")
		}
		n := utf8.RuneCountInString(item)
		if n == 0 || n > highlightMost || strings.Contains(item, "://") {
			continue
		}
		if n >= highlightLeast {
			long++
		}
		lines = append(lines, item)
	}
	if long < 2 {
		return nil
	}
	return lines[:min(len(lines), 3)]
}

// endsAbbreviated reports whether a text ends in letters with full stops, as in "e.g." and "พ.ศ.".
func endsAbbreviated(s string) bool {
	s, dot := strings.CutSuffix(s, ".")
	_, size := utf8.DecodeLastRuneInString(s)
	return dot && strings.HasSuffix(s[:len(s)-size], ".")
}
