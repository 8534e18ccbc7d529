package text

import (
	"slices"
	"strings"
	"unicode"
)

// Names in languages that capitalize more than names: German, and English in title case.
var (
	// namedPlaces end the name of a place or an institution: Mill Street Bridge, Wembley Stadium.
	namedPlaces = wordSet(`Abbey Airport Arena Avenue Bay Beach Boulevard Bridge Castle Cathedral Center Centre Church
		City College Council County Court Day District Falls Festival Garden Gardens Hall Hospital House Island Islands
		Lake Lane League Library Market Mountain Mountains Museum Palace Park Prize River Road School Square Stadium
		Station Street Theater Theatre Tower University Valley`)
	// namingNouns are German nouns before a name: Schloss Charlottenburg.
	namingNouns = wordSet(`Bad Berg Burg Dom FC Familie Firma Flughafen Gemeinde Hotel Insel Kanzler Kanzlerin Kloster
		König Königin Kreis Landkreis Minister Ministerin Papst Platz Präsident Präsidentin Prinz Prinzessin Restaurant
		SC SV Sankt Schloss Stadt Stadtteil Stadion TSV VfB VfL Villa`)
	// givenNames are common given names that are rarely other words.
	givenNames = wordSet(`Abel Adam Adele Alan Albert Alex Alexander Alexandra Alfred Alice Amanda Amy Ana Anders Andrea
		Andreas Andrew Andrzej Angela Anita Anja Ann Anna Anne Annette Anthony Antonio Armin Arnold Arthur Barack Barbara
		Beate Ben Benjamin Bernd Bernhard Beth Bettina Bill Billie Birgit Bob Boris Brad Brandon Brian Britney Bruce Bruno
		Carl Carla Carlos Carmen Carol Caroline Catherine Charles Charlotte Chloe Chris Christian Christiane Christina
		Christine Christoph Christopher Claire Clara Claudia Claus Clemens Cristiano Daniel Daniela David Deborah Dennis
		Denis Diana Diego Dieter Dirk Dmitri Dominik Donald Dorothea Doris Doug Ed Eddie Edith Edward Elena Eleanor Elias
		Elisabeth Elizabeth Ella Ellen Elon Elsa Emil Emily Emma Emmanuel Eric Erik Erika Erich Ernst Esther Eva Evelyn
		Felix Fiona Florian Frank Franz Frederik Friedrich Fritz Gabriel Gabriele Gareth Gavin Georg George Gerald Gerhard
		Gerda Giorgia Gisela Gordon Greta Greg Gregor Günter Günther Hannah Hannes Hans Harald Harry Heidi Heinrich Heinz
		Helen Helena Helga Helmut Henry Herbert Hermann Holger Horst Howard Hugo Ian Ilse Ines Inge Ingrid Isabel Isabella
		Jack Jacob Jakob James Jan Jane Janet Jason Jean Jennifer Jens Jeremy Jerzy Jessica Jim Joachim Joan Joanna Joe
		Johann Johanna Johannes John Jonas Jonathan Jörg José Josef Joseph Joshua Juan Judith Julia Julian Julie Jürgen
		Justin Kai Kamala Karen Karin Karl Karsten Kate Katharina Katherine Kathrin Katja Katrin Keir Keith Kendrick Kenneth
		Kerstin Kevin Kim Klara Klaus Konrad Kurt Lars Laura Lauren Lea Lena Leo Leon Leonardo Liam Linda Lionel Lisa Lothar
		Louis Louise Lucas Lucy Luis Luisa Lukas Lydia Madonna Magdalena Malte Manfred Manuela Marc Marco Marcus Margaret
		Margot Maria Marie Marina Mario Marion Marius Markus Martha Martin Martina Mary Mathias Matthew Matthias Max Megan
		Melanie Melissa Michael Michaela Michelle Miguel Mike Miriam Mohamed Mohammed Monica Monika Moritz Nadine Nancy
		Nathan Neil Niklas Nicole Nina Noah Nora Norbert Oliver Olivia Oscar Oskar Otto Pablo Pamela Patricia Patrick Paul
		Paula Pedro Peter Petra Philipp Philip Phil Pierre Rachel Rafael Ralf Rebecca Regina Reinhard Renate Richard Rita
		Robert Roberto Robin Roger Roland Rolf Ronald Rosa Roy Rudolf Ryan Sabine Sabrina Sally Samantha Samuel Sandra Sara
		Sarah Scarlett Scott Sebastian Serena Sergej Sharon Silke Silvia Simon Simone Sofia Sonja Sophia Sophie Stefan
		Stefanie Stephan Stephanie Stephen Steve Steven Sting Susan Susanne Sven Sylvia Tanja Tatjana Taylor Teresa Theo
		Theodor Theresa Thomas Tim Timo Tina Tobias Tom Tony Torsten Udo Ulrich Ulrike Ursula Ute Uwe Valentina Vanessa Vera
		Verena Veronika Victor Victoria Viktor Vincent Viola Vladimir Volker Walter Waltraud Werner Wilhelm William Wladimir
		Wolfgang Wolodymyr Xavier Yvonne Zendaya`)
)

// insideEuropeanName reports whether a line that ends at b ends inside a name that is known by one of its words, in
// German or in English title case: the last word of the line begins at start.
func (p *paragraph) insideEuropeanName(start int, b lineBreak) bool {
	if p.class != european || b.next >= len(p.runes) || !unicode.IsUpper(p.runes[start]) ||
		!unicode.IsUpper(p.runes[b.next]) {
		return false
	}
	word, next := string(p.runes[start:b.end]), string(p.wordAfter(b.next))
	if functionWords(p.style.Lang)[strings.ToLower(next)] {
		return false
	}
	switch {
	case givenNames[word]:
		return true
	case primaryLanguage(p.style.Lang) == "de":
		return namingNouns[word] || start > 0 && strings.HasSuffix(word, "er") && p.declines(start)
	}
	return p.englishTitle() && namedPlaces[next] && !functionWords("en")[strings.ToLower(word)]
}

// germanArticles come before an adjective made of a town’s name: an der Lüneburger Heide.
var germanArticles = wordSet(`der die das dem den des zur zum im am vom beim`)

// declines reports whether the word at start follows a German article or preposition with one.
func (p *paragraph) declines(start int) bool {
	return start > 1 && germanArticles[strings.ToLower(string(p.wordBefore(start-1)))]
}

// pairOfNouns reports whether a line that ends at b ends between two words of German with capitals, which mostly belong
// together: “Jahre Haft”.
func (p *paragraph) pairOfNouns(start int, b lineBreak, next rune) bool {
	return primaryLanguage(p.style.Lang) == "de" && p.class == european && start > 0 &&
		unicode.IsUpper(p.runes[start]) && unicode.IsUpper(next) &&
		!functionWords("de")[strings.ToLower(string(p.wordAfter(b.next)))] &&
		!functionWords("de")[strings.ToLower(string(p.runes[start:b.end]))]
}

// leadsModel reports whether the word at next is letters before a number, as in the name of a model: “HX 8.2”.
func (p *paragraph) leadsModel(next int) bool {
	const longest = 4
	after := p.wordAfter(next)
	end := next + len(after) + 1
	return len(after) <= longest && capitalLetters(after) && end < len(p.runes) && unicode.IsDigit(p.runes[end])
}

// wholeBracket reports whether the word at i has both of its brackets, as “(m/w/d)” has.
func (p *paragraph) wholeBracket(i int) bool {
	for i++; i < len(p.runes) && !blank(p.runes[i]); i++ {
		if unicode.Is(unicode.Pe, p.runes[i]) {
			return true
		}
	}
	return false
}

// inSeries reports whether a line that ends at b, after a comma, ends between two numbers or letters: “6:4, 3:6”.
func (p *paragraph) inSeries(b lineBreak) bool {
	before, after := p.wordBefore(b.end-1), p.wordAfter(b.next)
	if len(before) == 1 && len(after) == 1 && unicode.IsUpper(before[0]) && unicode.IsUpper(after[0]) {
		return true
	}
	return len(before) > 0 && len(after) > 0 && p.numeral(before) && p.numeral(after) &&
		strings.ContainsRune(string(before), ':') == strings.ContainsRune(string(after), ':')
}

// continuesModel reports whether a word with digits, or a number, and a word with a capital are probably of one name,
// in a language that only capitalizes names: “Ubuntu 24.04 LTS”, “V15 Detect”.
func (p *paragraph) continuesModel(b lineBreak) bool {
	if p.class != european || b.next >= len(p.runes) || !unicode.IsUpper(p.runes[b.next]) ||
		!sentenceCase[primaryLanguage(p.style.Lang)] || p.allCapitalized() {
		return false
	}
	word := p.wordBefore(b.end)
	if len(word) == 0 {
		return false
	}
	if unicode.IsUpper(word[0]) && slices.ContainsFunc(word, unicode.IsDigit) {
		return true
	}
	before := p.wordBefore(max(b.end-len(word)-1, 0))
	return p.numeral(word) && len(before) > 0 && unicode.IsUpper(before[0]) && unicode.IsLetter(before[len(before)-1])
}

// leadsCapital reports whether a small word from start and a capital after it are probably a noun and a name, in a
// language that only capitalizes names: “gare Montparnasse”.
func (p *paragraph) leadsCapital(start int, next rune) bool {
	return unicode.IsLower(p.runes[start]) && unicode.IsUpper(next) && sentenceCase[primaryLanguage(p.style.Lang)] &&
		!p.allCapitalized()
}
