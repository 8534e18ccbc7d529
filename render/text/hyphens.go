package text

import (
	"embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// hyphenFiles has hyphenation patterns, one packed file per language. Their licenses are in hyphens/LICENSE.md. There
// is no maintained Go library for them.
//
//go:embed hyphens/*.txt.gz
var hyphenFiles embed.FS

// Limits of hyphenation, in letters: the minimum distance from the ends of a word, and the minimum length of a word.
const (
	hyphenEdge    = 3
	hyphenLeast   = 8
	hyphenLongest = 64
)

// hyphenPatterns are the patterns of a language by their letters, with the value before each letter and after the last.
// Source: Franklin Mark Liang, Word Hy-phen-a-tion by Com-put-er.
type hyphenPatterns struct {
	values  map[string][]uint8
	longest int // letters of a pattern
}

// hyphenLanguages reads the patterns of a language when one of its words is first too long.
var hyphenLanguages = func() map[string]func() hyphenPatterns {
	out := map[string]func() hyphenPatterns{}
	for _, lang := range []string{"de", "en", "es", "fr", "it", "pt"} {
		out[lang] = sync.OnceValue(func() hyphenPatterns { return readHyphens(lang) })
	}
	return out
}()

// readHyphens reads the patterns of a language. It panics if there are none: that is a broken build.
func readHyphens(lang string) hyphenPatterns {
	packed, err := hyphenFiles.ReadFile("hyphens/" + lang + ".txt.gz")
	if err != nil {
		panic("text: hyphenation patterns of " + lang + ": " + err.Error())
	}
	patterns := unpack(string(packed))
	p := hyphenPatterns{values: make(map[string][]uint8, strings.Count(patterns, "\n"))}
	for pattern := range strings.FieldsSeq(patterns) {
		var letters []rune
		values := []uint8{0}
		for _, r := range pattern {
			if r >= '0' && r <= '9' {
				values[len(values)-1] = uint8(r - '0')
				continue
			}
			letters, values = append(letters, r), append(values, 0)
		}
		p.values[string(letters)] = values
		p.longest = max(p.longest, len(letters))
	}
	return p
}

// points calls part with each position in a lowercase word where it may be hyphenated.
func (p hyphenPatterns) points(word []rune, part func(i int)) {
	dotted := append(append([]rune{'.'}, word...), '.')
	best := make([]uint8, len(dotted)+1)
	for i := range dotted {
		for n := 1; n <= min(p.longest, len(dotted)-i); n++ {
			for k, v := range p.values[string(dotted[i:i+n])] {
				best[i+k] = max(best[i+k], v)
			}
		}
	}
	for i := hyphenEdge; i <= len(word)-hyphenEdge; i++ {
		if best[i+1]&1 == 1 {
			part(i)
		}
	}
}

// hyphenPoints returns what calls part with each position in a lowercase word of a language where it may be hyphenated,
// or nil if that isn't known.
func hyphenPoints(lang string) (points func(word []rune, part func(i int))) {
	if read, ok := hyphenLanguages[lang]; ok {
		return read().points
	}
	switch lang {
	case "ru", "uk", "be", "bg":
		return cyrillicPoints
	case "pl":
		return polishPoints
	}
	return nil
}

// hyphenate marks where the long words of p may be hyphenated, if its language has patterns or rules. It is called when
// a word is too long for its line.
func (p *paragraph) hyphenate() {
	if p.hyphenated {
		return
	}
	p.hyphenated = true
	lang := primaryLanguage(p.style.Lang)
	if lang == "" && p.looksGerman() {
		lang = "de"
	}
	p.german = lang == "de"
	points := hyphenPoints(lang)
	if points == nil || p.base != 0 || p.primary == nil {
		return
	}
	gid, ok := p.primary.ft.NominalGlyph('-')
	if !ok {
		return
	}
	p.hyphen = glyph{
		gid: uint32(gid), face: p.primary.id, adv: p.primary.ft.HorizontalAdvance(gid) * p.primary.em, scale: 1,
	}
	for i := 0; i < len(p.runes); i++ {
		start := i
		for i < len(p.runes) && unicode.IsLetter(p.runes[i]) && scriptClass(scriptOf(p.runes[i])) == european {
			i++
		}
		if n := i - start; n < hyphenLeast || n > hyphenLongest {
			continue
		}
		word := []rune(strings.ToLower(string(p.runes[start:i])))
		if len(word) != i-start {
			continue
		}
		seams := cyrillicSeams(word)
		points(word, func(at int) {
			if f := &p.flags[start+at]; *f&(graphemeStart|insideGlyph|tokenStart) == graphemeStart {
				*f |= hyphenStart
				if p.german && germanSeam(string(word[:at]), string(word[at:])) || slices.Contains(seams, at) {
					*f |= seamStart
				}
			}
		})
	}
}

// hyphenAt reports whether a line that ends before runes[end] ends in a hyphen.
func (p *paragraph) hyphenAt(end int) bool {
	return end > 0 && end < len(p.runes) && p.flags[end]&hyphenStart != 0
}

// hyphenWidth returns the width of the hyphen at the end of a line before runes[end], in px.
func (p *paragraph) hyphenWidth(end int, m metrics) float64 {
	if !p.hyphenAt(end) {
		return 0
	}
	return (float64(p.hyphen.adv) + m.tracking) * m.size
}

// germanParts are words that German compounds are often made of, and germanEndings what the first word of a compound
// ends in, with the s that joins it to the next. Both are far from complete: a seam that isn't found is not used.
var (
	germanParts = strings.Fields(`abend adresse akademie aktie amerika anbieter angebot anlage anschluss antrag anwalt
	anwendung apotheke arbeit archiv artikel arzt aufgabe aufnahme auftrag aufsicht auskunft ausschuss ausstellung auto
	bahn bank beamte bedarf bedeutung bedingung begrenzung behandlung behörde beispiel beitrag bereich bericht
	beruf beschluss beschränkung betrieb bewegung bewerber bezirk bild bildung blatt blick boden brief brücke buch
	bundes bürger büro computer dampf daten dauer dienst donau druck ebene einheit einrichtung eisen energie entscheidung
	entwicklung ergebnis ernährung erziehung europa fabrik fahrer fahrt fahrzeug familie farbe feier feld fenster ferien
	arbeitgeber arbeitnehmer überlassung übertragung überwachung
	beeinträchtigung gebirge philharmonie früherkennung
	fest feuer film finanz firma fläche flug folge form forscher forschung frage frauen freiheit freund frist früh führer
	führung fußball garten gast gebiet gebühr gebäude gefahr gegner gehalt geld gemeinde gemeinschaft genossenschaft
	gerät gericht geschichte geschwindigkeit gesellschaft gesetz gespräch gestaltung gesundheit gewalt gewerbe gewinn
	glas grenze gruppe grund hafen halle handel handlung haupt haus heim held hersteller hilfe höhe holz hotel
	industrie information institut jahr jugend kammer kampf kanzler karte kaufhaus kern kette kinder kirche klasse klima
	kohle kommission konferenz kontrolle konzern kosten kraft kranken kredit kreis krieg krise kuchen kultur kunde kunst
	kurs kühl küche lager land länder landschaft lauf leben lehrer leistung leiter leitung licht liebe linie liste
	lösung luft macht mangel mann markt maschine maß maßnahme mauer medien meister meldung menge mensch messe miete
	militär minister ministerium mitglied mitte mittel modell monat motor musik mutter nachricht natur netz
	oper ordnung organisation papier park partei partner personal pflege pflicht plan planung platz politik politiker
	polizei post preis presse problem produkt programm projekt prozess prüfung punkt quanten quelle raum rechnung recht
	rede
	regel regierung region reich reihe reise rente richter richtung rolle runde saal sache salat schaden schein schiff
	schlag schloss schluss schneider schrift schule schüler schutz schwester seite sicherheit sicherung sitzung software
	sommer sonder sozial speicher speicherung spiel spieler spitze sport sprache staat stadt stand standard stelle
	steuer stiftung stimme stoff strafe strahl straße strategie strecke streit strom student studie stunde suche system
	tafel tages technik teil termin test text theater thema tisch titel träger treffen trieb tür turm übung unfall
	union universität unternehmen unterricht unterstützung urlaub urteil vater verband verbindung verbot verbraucher
	verein verfahren verfassung verhalten verkauf verkehr verletzung verlust versammlung versicherung versorgung
	vertrag vertreter verwaltung verzeichnis volk vorsitz vorrats waffe wagen wahl wahrheit wald wand warte wasser
	wechsel weihnacht welle welt werbung werk wert wesen wettbewerb wetter widerstand wirtschaft wissen wissenschaft
	woche wohnung wunsch zahl zeichen zeit zeitung zeug zentrum ziel zimmer zoll zucker zukunft zustand zwetschgen`)
	germanEndings = strings.Fields(`ungs heits keits schafts tions sions täts tums lings`)
	germanJoints  = [...]string{"", "s", "es", "n", "en", "er"}
)

// germanSeam reports whether two parts of a long word are probably words of a compound.
func germanSeam(left, right string) bool {
	if utf8.RuneCountInString(right) < leastGermanPart {
		return false
	}
	for _, ending := range germanEndings {
		if strings.HasSuffix(left, ending) {
			return true
		}
	}
	before, after := false, false
	for _, part := range germanParts {
		after = after || strings.HasPrefix(right, part)
		for _, joint := range germanJoints {
			before = before || strings.HasSuffix(left, part+joint)
		}
	}
	return before || after && !endsInPrefix(left)
}

// leastGermanPart is the minimum length of the last word of a compound, in letters: “Vorsitzen-der” has no seam.
const leastGermanPart = 4

// endsInPrefix reports whether a part of a word is or ends in one that belongs to the next: “ver-kehr” has no seam.
func endsInPrefix(left string) bool {
	for _, prefix := range [...]string{
		"be", "ge", "ver", "ent", "emp", "zer", "miss", "ab", "an", "auf", "aus", "ein", "un", "vor", "zu",
	} {
		if strings.HasSuffix(left, prefix) {
			return true
		}
	}
	return false
}

// germanCompound is the minimum length of a word whose letters show that it is German, in letters.
const germanCompound = 14

// looksGerman reports whether a text without a language has a long German compound.
func (p *paragraph) looksGerman() bool {
	for _, word := range strings.FieldsFunc(string(p.runes), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if utf8.RuneCountInString(word) < germanCompound {
			continue
		}
		word = strings.ToLower(word)
		if strings.ContainsAny(word, "äöüß") {
			return true
		}
		for _, part := range [...]string{"sch", "ung", "heit", "keit", "zeug", "buch", "haus", "werk", "recht"} {
			if strings.Contains(word, part) {
				return true
			}
		}
	}
	return false
}
