// Package syntax splits the code of a page into parts: keywords, names, texts, numbers, comments.
package syntax

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Tone is what a part of code is.
type Tone uint8

// The tones.
const (
	Rest Tone = iota
	Keyword
	Name // of a function where it is declared
	Text
	Number
	Comment
)

// Part is a part of a line in one tone.
type Part struct {
	Text string
	Tone Tone
}

// Language is what a [Highlighter] knows of a language.
type Language struct {
	Name       string // "" if unknown
	keywords   map[string]bool
	line       []string // what comments begin with that end with their line
	block      string   // what other comments begin and end with, separated by a space
	ignoreCase bool
	raw        string // quotes of texts that may have several lines
	hyphens    bool   // that names may contain
	ticks      bool   // single quotes are for single characters and parts of names
}

// Highlighter splits code into parts, line by line.
type Highlighter struct {
	language Language
	until    string // the end of a comment or text that has begun in a line before
	within   Tone
}

// Line returns the parts of a line, the next of a block.
func (h *Highlighter) Line(s string) (parts []Part) {
	add := func(n int, t Tone) {
		if n == 0 {
			return
		}
		if last := len(parts) - 1; last >= 0 && parts[last].Tone == t {
			parts[last].Text += s[:n]
		} else {
			parts = append(parts, Part{s[:n], t})
		}
		s = s[n:]
	}
	begin, _, _ := strings.Cut(h.language.block, " ")
	declares := false
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case h.until != "":
			at := strings.Index(s, h.until)
			if at < 0 {
				add(len(s), h.within)
				return parts
			}
			n := at + len(h.until)
			h.until = ""
			add(n, h.within)
		case begin != "" && strings.HasPrefix(s, begin):
			_, h.until, _ = strings.Cut(h.language.block, " ")
			h.within = Comment
			add(len(begin), Comment)
		case slices.ContainsFunc(h.language.line, func(mark string) bool { return strings.HasPrefix(s, mark) }):
			add(len(s), Comment)
		case r == '"' || r == '\'' || r == '`':
			h.quoted(s, r, add)
		case unicode.IsDigit(r):
			add(numberLen(s), Number)
		case unicode.IsLetter(r) || r == '_' || r == '$' || r == '@':
			n, t := h.word(s, declares)
			declares = t == Keyword && declaring[s[:n]]
			add(n, t)
		case r == '(' && declares && strings.IndexByte(s, ')') > 0: // a receiver: func (s *Store) Get
			add(strings.IndexByte(s, ')')+1, Rest)
		default:
			declares = declares && r == ' '
			add(size, Rest)
		}
	}
	return parts
}

// word returns the length and the tone of the word that a text begins with, which follows a keyword that declares a
// name.
func (h *Highlighter) word(s string, declared bool) (n int, t Tone) {
	n = nameLen(s, h.language.hyphens)
	key := s[:n]
	if h.language.ignoreCase {
		key = strings.ToUpper(key)
	}
	switch {
	case h.language.keywords[key]:
		return n, Keyword
	case declared:
		return n, Name
	}
	return n, Rest
}

// quoted adds the text at the beginning of s. One without an end in its line is plain, such as an apostrophe.
func (h *Highlighter) quoted(s string, quote rune, add func(int, Tone)) {
	q := string(quote)
	if triple := strings.Repeat(q, 3); strings.Contains(h.language.raw, triple) && strings.HasPrefix(s, triple) {
		h.until, h.within = triple, Text
		add(3, Text)
		return
	}
	reach := len(s)
	if quote == '\'' && h.language.ticks { // 'a' is a character, &'a a lifetime
		reach = min(reach, 5)
	}
	for i := 1; i < reach; i++ {
		switch {
		case s[i] == '\\' && quote != '`':
			i++
		case rune(s[i]) == quote:
			add(i+1, Text)
			return
		}
	}
	if quote == '`' && h.language.raw != "" {
		h.until, h.within = q, Text
		add(1, Text)
		return
	}
	if quote == '"' {
		add(len(s), Text)
		return
	}
	add(1, Rest)
}

// numberLen returns the length of the number that a text begins with.
func numberLen(s string) int {
	for i, r := range s {
		point := r == '.' && i+1 < len(s) && unicode.IsDigit(rune(s[i+1]))
		if !unicode.IsDigit(r) && !unicode.IsLetter(r) && r != '_' && !point {
			return i
		}
	}
	return len(s)
}

// nameLen returns the length of the name that a text begins with.
func nameLen(s string, hyphens bool) int {
	for i, r := range s {
		if i > 0 && !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '$' && !(hyphens && r == '-') {
			return i
		}
	}
	return len(s)
}

// declaring are the keywords that a name follows which is declared.
var declaring = wordSet("func function def fn fun class struct interface trait enum type sub defmodule defp")

// Lookup returns a language by the name that classes have, in lower case; known is false for what most languages have
// in common.
func Lookup(name string) (l Language, known bool) {
	if l, known = languages[name]; !known {
		return anyLanguage, false
	}
	return l, true
}

// NewHighlighter returns one for the beginning of a block.
func NewHighlighter(l Language) *Highlighter { return &Highlighter{language: l} }

// languages are those that are highlighted, by the names that classes have.
var languages = func() map[string]Language {
	slashes, hash := []string{"//"}, []string{"#"}
	all := map[string]Language{}
	for _, l := range []struct {
		names string
		Language
		words string
	}{
		{
			"go golang", Language{Name: "Go", line: slashes, block: "/* */", raw: "`"}, `
				break case chan const continue default defer else fallthrough for func go goto if import interface map
				package range return select struct switch type var nil true false`,
		},
		{"js javascript mjs cjs", Language{Name: "JavaScript", line: slashes, block: "/* */", raw: "`"}, scriptWords},
		{"jsx", Language{Name: "JSX", line: slashes, block: "/* */", raw: "`"}, scriptWords},
		{"ts typescript", Language{Name: "TypeScript", line: slashes, block: "/* */", raw: "`"}, typedWords},
		{"tsx", Language{Name: "TSX", line: slashes, block: "/* */", raw: "`"}, typedWords},
		{
			"py python python3", Language{Name: "Python", line: hash, raw: `""" '''`}, `
				and as assert async await break class continue def del elif else except finally for from global if import in
				is lambda match case nonlocal not or pass raise return try while with yield None True False`,
		},
		{
			"rb ruby", Language{Name: "Ruby", line: hash}, `
				alias and begin break case class def do else elsif end ensure false for if in module next nil not or redo
				rescue retry return self super then true undef unless until when while yield require attr_accessor
				attr_reader`,
		},
		{
			"rs rust", Language{Name: "Rust", ticks: true, line: slashes, block: "/* */"}, `
				as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod
				move mut pub ref return self Self static struct super trait true type unsafe use where while`,
		},
		{
			"java", Language{Name: "Java", line: slashes, block: "/* */", raw: `"""`}, `
				abstract boolean break byte case catch char class const continue default do double else enum extends final
				finally float for if implements import instanceof int interface long new null package private protected
				public record return short static super switch synchronized this throw throws try var void volatile while
				true false`,
		},
		{
			"kt kotlin", Language{Name: "Kotlin", line: slashes, block: "/* */", raw: `"""`}, `
				as break by class companion continue data do else false for fun if import in interface internal is lateinit
				null object open override package private protected public return sealed suspend super this throw true try
				typealias val var when while`,
		},
		{
			"swift", Language{Name: "Swift", line: slashes, block: "/* */", raw: `"""`}, `
				actor as async await break case catch class continue default defer do else enum extension false fileprivate
				for func guard if import in init internal let nil private protocol public return self Self some static
				struct super switch throw throws true try var where while`,
		},
		{"c h", Language{Name: "C", line: slashes, block: "/* */"}, cWords},
		{
			"cpp c++ cc cxx hpp", Language{Name: "C++", line: slashes, block: "/* */"}, cWords + ` 
				auto bool catch class concept consteval constexpr const_cast delete explicit export false final friend
				mutable namespace new noexcept nullptr operator override private protected public requires template this
				throw true try typename using virtual`,
		},
		{
			"cs csharp c#", Language{Name: "C#", line: slashes, block: "/* */"}, `
				abstract as async await base bool break byte case catch char class const continue decimal default delegate
				do double else enum event false finally float for foreach get if in int interface internal is lock long
				namespace new null object out override params private protected public readonly record ref return sealed set
				static string struct switch this throw true try using var virtual void while`,
		},
		{
			"php", Language{Name: "PHP", line: []string{"//", "#"}, block: "/* */"}, `
				abstract and array as break case catch class clone const continue declare default do echo else elseif
				extends final finally fn for foreach function global if implements instanceof interface match namespace new
				null or private protected public readonly return static switch this throw trait try use var while yield true
				false`,
		},
		{
			"sql postgresql mysql plpgsql sqlite",
			Language{Name: "SQL", line: []string{"--"}, block: "/* */", ignoreCase: true}, `
				ADD ALL ALTER AND AS ASC BEGIN BETWEEN BY CASE CHECK COLUMN COMMIT CONSTRAINT CREATE CROSS DEFAULT DELETE
				DESC DISTINCT DROP ELSE END EXISTS FALSE FOR FOREIGN FROM FULL FUNCTION GROUP HAVING IF IN INDEX INNER
				INSERT INTO IS JOIN KEY LEFT LIKE LIMIT LOCKED NOT NULL OFFSET ON OR ORDER OUTER OVER PARTITION PRIMARY
				REFERENCES RETURNING RETURNS RIGHT ROLLBACK SELECT SET SKIP TABLE THEN TO TRIGGER TRUE UNION UNIQUE UPDATE
				USING VALUES VIEW WHEN WHERE WITH`,
		},
		{
			"lua", Language{Name: "Lua", line: []string{"--"}}, `
				and break do else elseif end false for function goto if in local nil not or repeat return then true until
				while`,
		},
		{
			"ex exs elixir", Language{Name: "Elixir", line: hash, raw: `"""`}, `
				after alias and case cond def defmodule defp do else end false fn for if import in nil not or quote raise
				receive require rescue true try unless use when with`,
		},
		{
			"hs haskell", Language{Name: "Haskell", ticks: true, line: []string{"--"}, block: "{- -}"}, `
				case class data deriving do else if import in infix instance let module newtype of then type where`,
		},
		{
			"scala", Language{Name: "Scala", line: slashes, block: "/* */", raw: `"""`}, `
				abstract case catch class def do else extends false final finally for given if implicit import lazy match
				new null object override package private protected return sealed super this throw trait true try type using
				val var while with yield`,
		},
		{
			"dart", Language{Name: "Dart", line: slashes, block: "/* */"}, `
				abstract as async await break case catch class const continue default do else enum extends false final
				finally for get if implements import in is late new null required return set static super switch this throw
				true try var void while with yield`,
		},
		{
			"zig", Language{Name: "Zig", line: slashes}, `
				and break catch comptime const continue defer else enum error false fn for if null or orelse pub return
				struct switch test true try undefined union unreachable var while`,
		},
		{
			"json jsonc", Language{Name: "JSON", line: slashes}, `
				true false null`,
		},
		{
			"yaml yml", Language{Name: "YAML", line: hash, hyphens: true}, `
				true false null`,
		},
		{
			"toml", Language{Name: "TOML", line: hash, hyphens: true}, `
				true false`,
		},
		{"html xml svg vue svelte markup", Language{Name: "HTML", block: "<!-- -->", hyphens: true}, ""},
		{
			"css scss less", Language{Name: "CSS", line: slashes, block: "/* */", hyphens: true}, `
				important`,
		},
		{
			"dockerfile docker", Language{Name: "Dockerfile", line: hash}, `
				ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL RUN SHELL USER VOLUME WORKDIR AS`,
		},
		{
			"graphql gql", Language{Name: "GraphQL", line: hash, raw: `"""`}, `
				enum extend fragment input interface mutation on query scalar schema subscription type union true false null`,
		},
		{
			"proto protobuf", Language{Name: "Protobuf", line: slashes, block: "/* */"}, `
				enum import message oneof option optional package repeated reserved returns rpc service stream string syntax
				bool bytes double int32 int64 uint32`,
		},
		{
			"hcl terraform tf", Language{Name: "HCL", line: hash}, `
				data for if in locals module output provider resource terraform variable true false null`,
		},
	} {
		l.Language.keywords = wordSet(l.words)
		for name := range strings.FieldsSeq(l.names) {
			all[name] = l.Language
		}
	}
	return all
}()

// anyLanguage is what most languages have in common.
var anyLanguage = Language{line: []string{"// ", "# "}, block: "/* */"}

// Keywords that several languages have.
const (
	scriptWords = "as async await break case catch class const continue default delete do else export extends false " +
		"finally for from function get if import in instanceof let new null of return set static super switch this throw " +
		"true try typeof undefined var void while with yield"
	typedWords = scriptWords + " abstract any boolean declare enum implements interface keyof namespace never number " +
		"private protected public readonly satisfies string type unknown"
	cWords = "break case char const continue default do double else enum extern float for goto if inline int long " +
		"register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while size_t"
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}
