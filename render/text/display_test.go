package text_test

import (
	"strings"
	"testing"

	"masthead/render/text"
)

func TestDisplayTitle_dropsTheSiteAndSetsPunctuation(t *testing.T) {
	acme := text.Publisher{Name: "Acme Blog", Host: "www.acme.com", Lang: "en"}
	for _, c := range []struct {
		name, in string
		site     text.Publisher
		want     string
	}{
		{"what looks like an entity was written so", "How to write &amp; in HTML", acme, "How to write &amp; in HTML"},
		{"an entity written out", "Why &amp;amp; is no typo | Acme Blog", acme, "Why &amp;amp; is no typo"},
		{"a fraction slash between letters", "π²⁄6 and 7⁄16", acme, "π²/6 and 7⁄16"},
		{"bar and site name", "Why queues fail | Acme Blog", acme, "Why queues fail"},
		{"hyphen and site name in another case", "Why queues fail - ACME BLOG", acme, "Why queues fail"},
		{"dot and host", "Why queues fail · acme.com", acme, "Why queues fail"},
		{"bare host", "Why queues fail – Acme", text.Publisher{Host: "acme.com"}, "Why queues fail"},
		{"label of the host", "Bob Dylan - Wikipedia", text.Publisher{Host: "en.wikipedia.org"}, "Bob Dylan"},
		{"host with accents", "West Ham hrozí | Aktuálně.cz", text.Publisher{Host: "sport.aktualne.cz"}, "West Ham hrozí"},
		{"two letters of the host are no name", "Learn Go - en", text.Publisher{Host: "en.wikipedia.org"}, "Learn Go - en"},
		{"last label is no name", "About us - info", text.Publisher{Host: "acme.info"}, "About us - info"},
		{"space before a colon", "Pourquoi attendre : Acme Blog", acme, "Pourquoi attendre"},
		{"a colon of the title stays", "Pourquoi attendre : une enquête", acme, "Pourquoi attendre : une enquête"},
		{"site before a colon", "Acme Blog: Why our queues fail", acme, "Why our queues fail"},
		{"two words after the site", "Acme Blog: About us", acme, "Acme Blog: About us"},
		{"a sentence that begins with the site", "Acme Blog: the story of a name", acme, "Acme Blog: the story of a name"},
		{"site twice", "Why queues fail | Acme Blog | acme.com", acme, "Why queues fail"},
		{"another tail stays", "Postgres - the good parts", acme, "Postgres - the good parts"},
		{"only the site name stays", "Acme Blog", acme, "Acme Blog"},
		{"separator first", " | Acme Blog", acme, " | Acme Blog"},
		{"hyphen without spaces", "Re-Acme Blog", acme, "Re-Acme Blog"},
		{"English quotes", `"Don't" say 'maybe' to Rock 'n' Roll`, acme, "“Don’t” say ‘maybe’ to Rock ’n’ Roll"},
		{"nested quotes", `He said "it's 'fine'"`, acme, "He said “it’s ‘fine’”"},
		{"decade and inches", `The '90s on a 27" screen, 6' tall`, acme, "The ’90s on a 27″ screen, 6′ tall"},
		{"quoted number", `The "27" club`, acme, "The “27” club"},
		{"German quotes", `Das "neue" Haus`, text.Publisher{Lang: "de-AT"}, "Das „neue“ Haus"},
		{"French quotes", `Le "nouveau" site d'Acme`, text.Publisher{Lang: "fr"}, "Le «\u202fnouveau\u202f» site d’Acme"},
		{"Russian quotes", `Роман "Идиот"`, text.Publisher{Lang: "ru"}, "Роман «Идиот»"},
		{"Polish quotes", `Film "Ida"`, text.Publisher{Lang: "pl"}, "Film „Ida”"},
		{"Swedish quotes", `Filmen "Persona"`, text.Publisher{Lang: "sv"}, "Filmen ”Persona”"},
		{"Chinese quotes", `电影"活着"`, text.Publisher{Lang: "zh-CN"}, "电影“活着”"},
		{"traditional Chinese quotes", `電影"活著"`, text.Publisher{Lang: "zh-Hant-TW"}, "電影「活著」"},
		{"absurd language", `A "b"`, text.Publisher{Lang: strings.Repeat("de-", 5000)}, "A “b”"},
		{"Japanese quotes", `映画"生きる"`, text.Publisher{Lang: "ja"}, "映画「生きる」"},
		{"spaced dashes", "Speed -- at last", acme, "Speed – at last"},
		{"dashes between words", "Speed--at last---really", acme, "Speed—at last—really"},
		{"options stay", "What --force does, and -- alone --", acme, "What --force does, and – alone --"},
		{"dots", "Wait...", acme, "Wait…"},
		{"spaces beside wide punctuation", "新闻 ：乡村音乐？ 对 A ！B，  C", acme, "新闻：乡村音乐？对 A！B，C"},
		{"wide colons after Latin letters", "總冠軍賽G5： 樂天；MVP；", acme, "總冠軍賽G5：樂天；MVP；"},
		{"wide colons after Latin letters", "Sale! ： インター；New；", acme, "Sale!：インター；New；"},
		{"wide colons of a foreign text", "Sale： new shoes；all sizes；", acme, "Sale: new shoes; all sizes;"},
		{"empty", "", acme, ""},
	} {
		if got := text.DisplayTitle(c.in, c.site); got != c.want {
			t.Errorf("%s: DisplayTitle(%q) = %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

func TestDisplayDescription_withoutNewsIsEmpty(t *testing.T) {
	for _, c := range []struct{ name, in, title, want string }{
		{"kept", `A long enough text about "queues".`, "Queues", "A long enough text about “queues”."},
		{"too short", "Twenty-three characters", "Queues", ""},
		{"long enough", "Twenty-four characters..", "Queues", "Twenty-four characters.."},
		{"equal to the title but for marks", "Why our queues fail at night!", "Why our queues fail, at night", ""},
		{"missing", "", "Queues", ""},
		{"the end of the title", "Queues in Postgres, without the pain.", "acme/queues: Queues in Postgres, without the pain", ""},
		{"the title and a name", "Acme: Queues in Postgres, without the pain", "Queues in Postgres, without the pain", ""},
		{"after the title", "Queues at night. What we learned when ours failed.", "Queues at night", "What we learned when ours failed."},
		{"after the title and a dash", "Queues at night – What we learned when ours failed.", "Queues at night", "What we learned when ours failed."},
		{"nothing after the title", "Queues that fail at night. Acme", "Queues that fail at night", ""},
		{"a sentence that begins as the title does", "Queues at night are what we learned to fear.", "Queues at night", "Queues at night are what we learned to fear."},
		{"a longer word", "Queue-based systems are what we learned to fear.", "Queue", "Queue-based systems are what we learned to fear."},
		{"words of the title in other ones", "Tesla shared a photo on Instagram: “The first Model 3 production car” • See 683 photos.",
			"Tesla on Instagram: “The first Model 3 production car”", ""},
		{"words of the title, then others", "Areca palm in a pot, 90 cm high. Easy care, cleans the air.", "Areca palm, large, in a pot",
			"90 cm high. Easy care, cleans the air."},
		{"words of the title in a sentence", "Areca palm in a pot, which is 90 cm high.", "Areca palm, large, in a pot",
			"Areca palm in a pot, which is 90 cm high."},
		{"few words of the title", "Queues, 12 of them, and what we learned from each.", "Queues at night that fail",
			"Queues, 12 of them, and what we learned from each."},
		{"cut by its page", "Cold fronts came one after another. They clad the hills behind the town in crimson, mist and " +
			"clouds lay along the road, and at the junction we turned down to the campsi", "Autumn", "Cold fronts came one " +
			"after another. They clad the hills behind the town in crimson, mist and clouds lay along the road, and at the " +
			"junction we turned down…"},
		{"cut by its page in another sentence", "Cold fronts came one after another, and clad the hills behind the town in " +
			"crimson. Mist and clouds lay along the road. At the junction we turned down to the campsi", "Autumn",
			"Cold fronts came one after another, and clad the hills behind the town in crimson. Mist and clouds lay along " +
				"the road."},
		{"a space before a full stop", "The singer is ill , they wrote . She denies it .", "Rumours", "The singer is ill, they wrote. She denies it."},
		{"no space after a comma", "Houses that fell,rescue works...Pictures of x,y and 1,000", "Quake",
			"Houses that fell, rescue works… Pictures of x,y and 1,000"},
		{"names with a full stop", "Written for .NET and Node.js , and for 4 . 5", "Code", "Written for .NET and Node.js, and for 4 . 5"},
		{"cut by its page at a mark", "The market power of tech companies has sparked an old fear. In this episode, the two " +
			"economists discuss whether these […]", "Tech", "The market power of tech companies has sparked an old fear. In this " +
			"episode, the two economists discuss…"},
		{"cut by its page at a mark, in another sentence", "The market power of tech companies has sparked an old fear. They " +
			"discuss whether (...)", "Tech", "The market power of tech companies has sparked an old fear."},
		{"cut by its page after a sentence", "The market power of tech companies has sparked fear. [...]", "Tech",
			"The market power of tech companies has sparked fear."},
		{"cut by its page after a function word", "A first novel, harsh and luminous, in which the…", "Salt",
			"A first novel, harsh and luminous…"},
		{"what leaves something to the reader", "And then, one morning, the sea was gone…", "Salt",
			"And then, one morning, the sea was gone…"},
		{"white space after the title", "Acme\t-\r\nA description of some length", "Acme", "A description of some length"},
	} {
		if got := text.DisplayDescription(c.in, c.title, "en"); got != c.want {
			t.Errorf("%s: DisplayDescription(%q) = %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

// TestFitDescription_cutWithoutNewsIsMissing checks that a description whose cut says hardly more than the title is
// dropped, unlike a whole one.
func TestFitDescription_cutWithoutNewsIsMissing(t *testing.T) {
	t.Parallel()
	const title = "HackerRank launches job search platform HackerRank Jobs"
	st := text.Inter.Text(28, 400)
	st.Lang = "en"
	for _, c := range []struct {
		in    string
		lines int
		shown bool
	}{
		{"HackerRank, a tech recruiting company, has launched HackerRank Jobs, to bridge the gap between applicants.", 2, false},
		{"HackerRank, a tech recruiting company, has launched HackerRank Jobs, to bridge the gap between applicants.", 3, true},
		{"The firm from Bangalore wants to bridge the gap between applicants and recruiters with HackerRank Jobs.", 2, true},
	} {
		b := text.NewEngine().FitDescription(c.in, title, st, 560, c.lines)
		if !b.Empty() != c.shown {
			t.Errorf("%q in %d lines: %q", c.in, c.lines, b.Text())
		}
	}
}

// TestDisplayTitle_hostileTextTakesLinearTime feeds titles that a hostile page may have; with quadratic work the test
// would not end.
func TestDisplayTitle_hostileTextTakesLinearTime(t *testing.T) {
	for _, s := range []string{
		strings.Repeat("a | Acme ", 200000), strings.Repeat(`"'`, 500000), strings.Repeat("-", 1000000),
	} {
		if got := text.DisplayTitle(s, text.Publisher{Name: "Acme"}); len(got) > 4*len(s) {
			t.Errorf("%q… of %d bytes became %d", s[:10], len(s), len(got))
		}
	}
}

func TestOpeningQuote_isThatOfTheLanguage(t *testing.T) {
	for lang, want := range map[string]rune{"en": '“', "": '“', "de": '„', "fr-CA": '«', "ja": '「', "xx": '“'} {
		if got := text.OpeningQuote(lang); got != want {
			t.Errorf("OpeningQuote(%q) = %c, want %c", lang, got, want)
		}
	}
}

// TestSays_wholeWords checks names within titles.
func TestSays_wholeWords(t *testing.T) {
	for _, c := range []struct {
		title, name string
		want        bool
	}{
		{"A talk with T. K. Okafor", "K. Okafor", true}, {"A talk with T. K. Okafor: part 2", "T. K. Okafor", true},
		{"Große-Wächter on water", "Gross", false}, {"Banana", "Ana", false},
		{"Ines Goñi’s city", "Íñes Goni", true},
		{"与林小明对谈", "林小明", true}, {"建具職人・戸倉伸吾さんに聞く", "戸倉 伸吾", true}, {"김 민수의 도시", "김민수", true},
		{"Anna Lee", "Annalee", false}, {"Anything", "", false},
	} {
		if got := text.Says(c.title, c.name); got != c.want {
			t.Errorf("%q in %q: %v", c.name, c.title, got)
		}
	}
}
