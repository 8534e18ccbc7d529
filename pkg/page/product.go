package page

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"masthead/pkg/cleantext"
)

// Product is what structured data says about a thing for sale, a recipe or a work. The zero value is nothing.
type Product struct {
	// Price is the lowest price, as a decimal number with a point; HighPrice is the highest one of a range, and OldPrice
	// the one that was asked before.
	Price, HighPrice, OldPrice string
	Currency                   string // ISO 4217, in capitals
	// Stock is "in", "few", "out", "preorder" or "".
	Stock string
	// Rating is the mean of Votes, at least 3, on a scale to 5; zero if unknown.
	Rating float64
	Votes  int
	// Time and Servings are those of a recipe.
	Time     time.Duration
	Servings int
	// Creator is the author, artist or director of a work; Pages, Year and Length are facts of it.
	Creator     string
	Pages, Year int
	Length      time.Duration
	// Square means that the work is a record, whose cover is square; Upright that it is another work, Bound that this is
	// a book.
	Square, Upright, Bound bool
}

// Limits of the facts of products.
const (
	minVotes     = 3
	maxVotes     = 1 << 30
	maxOffers    = 20
	maxServings  = 100
	maxPages     = 20_000
	maxLength    = 100 * time.Hour
	maxCreator   = 60
	maxNumberLen = 20
)

// product returns what a node says about the thing that the page is about.
func (p *Page) product(n *Value, kind Kind) (f Product) {
	f.Rating, f.Votes = p.rating(n)
	switch kind {
	case RecipeKind:
		if f.Time = duration(n.Get("totalTime")); f.Time == 0 {
			f.Time = duration(n.Get("cookTime")) + duration(n.Get("prepTime"))
		}
		f.Servings = servings(n.Get("recipeYield"))
		return f
	case WorkKind:
		f.Square, f.Upright, f.Bound = n.HasType("MusicAlbum"), !n.HasType("MusicAlbum"), n.HasType("Book")
		for _, name := range [...]string{"author", "byArtist", "director", "creator"} {
			if f.Creator = cleantext.Clean(p.ldName(n.Get(name)), maxCreator); f.Creator != "" {
				break
			}
		}
		f.Pages = wholeNumber(ldText(n.Get("numberOfPages")), maxPages)
		if at, ok := ParseDate(strings.TrimSpace(n.Get("datePublished").String())); ok {
			f.Year = at.Year()
		}
		f.Length = duration(n.Get("duration"))
	}
	if p.offers(n, &f); f.Stock == "in" && n.anyType(func(name string) bool { return noStock[name] }) {
		f.Stock = ""
	}
	return f
}

// noStock are the types of things that a shop doesn't have in stock, although their offers say that they can be had.
var noStock = map[string]bool{
	"RealEstateListing": true, "House": true, "SingleFamilyResidence": true, "Apartment": true, "Residence": true,
	"Accommodation": true, "Course": true, "Service": true, "SoftwareApplication": true, "WebApplication": true,
	"MobileApplication": true, "VideoGame": true,
}

// rating returns the mean and the number of votes of a node; a mean on another scale than to 5 isn't converted.
func (p *Page) rating(n *Value) (mean float64, votes int) {
	r := p.Follow(n.Get("aggregateRating"))
	best := strings.TrimSpace(r.Get("bestRating").String())
	if best != "" && best != "5" && best != "5.0" {
		return 0, 0
	}
	for _, name := range [...]string{"ratingCount", "reviewCount"} {
		votes = max(votes, wholeNumber(ldText(r.Get(name)), maxVotes))
	}
	mean, err := strconv.ParseFloat(strings.Replace(ldText(r.Get("ratingValue")), ",", ".", 1), 64)
	if err != nil || !(mean > 0 && mean <= 5) || votes < minVotes {
		return 0, 0
	}
	return mean, votes
}

// wholeNumber returns the number that a text is, from 1 to most, otherwise 0.
func wholeNumber(s string, most int) int {
	if len(s) > maxNumberLen {
		return 0
	}
	n, err := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
	if err != nil || n < 1 || n > most {
		return 0
	}
	return n
}

// offers reads the prices of a node's offers, or else of its variants. Offers of several currencies have no price.
func (p *Page) offers(n *Value, f *Product) {
	offers := n.Get("offers").Each()
	for _, variant := range n.Get("hasVariant").Each() {
		if len(n.Get("offers").Each()) == 0 && len(offers) < maxOffers {
			offers = append(offers, p.Follow(variant).Get("offers").Each()...)
		}
	}
	var stocks []string
	low, high := math.Inf(1), 0.0
	for _, o := range offers[:min(len(offers), maxOffers)] {
		o = p.Follow(o)
		currency := strings.ToUpper(strings.TrimSpace(o.Get("priceCurrency").String()))
		if stock, ok := stockOf[typeName(o.Get("availability").String())]; ok {
			stocks = append(stocks, stock)
		}
		for _, name := range [...]string{"price", "lowPrice", "highPrice"} {
			p.takePrice(f, o.Get(name), currency, &low, &high)
		}
		for _, spec := range o.Get("priceSpecification").Each() {
			spec = p.Follow(spec)
			if c := strings.ToUpper(strings.TrimSpace(spec.Get("priceCurrency").String())); c != "" {
				currency = c
			}
			switch typeName(spec.Get("priceType").String()) {
			case "ListPrice", "StrikethroughPrice", "MSRP", "SRP":
				if _, text := price(spec.Get("price")); text != "" {
					f.OldPrice = text
				}
			case "":
				p.takePrice(f, spec.Get("price"), currency, &low, &high)
			}
		}
	}
	if f.Currency == "" || f.Price == "" {
		f.Price, f.HighPrice, f.OldPrice, f.Currency = "", "", "", ""
	}
	if was, err := strconv.ParseFloat(f.OldPrice, 64); err != nil || was <= high || f.HighPrice != f.Price {
		f.OldPrice = ""
	}
	if f.HighPrice == f.Price {
		f.HighPrice = ""
	}
	for _, s := range [...]string{"in", "few", "preorder", "out"} { // what can be bought in any of them
		if f.Stock == "" && slices.Contains(stocks, s) {
			f.Stock = s
		}
	}
}

// stockOf are the states of availability that cards name.
var stockOf = map[string]string{
	"InStock": "in", "InStoreOnly": "in", "OnlineOnly": "in", "LimitedAvailability": "few", "OutOfStock": "out",
	"SoldOut": "out", "Discontinued": "out", "PreOrder": "preorder", "PreSale": "preorder",
}

// takePrice widens the range of prices of f to a price in a currency.
func (p *Page) takePrice(f *Product, v *Value, currency string, low, high *float64) {
	n, text := price(v)
	switch {
	case text == "" || !currencyCode.MatchString(currency) || f.Currency == "?":
		return
	case f.Currency != "" && f.Currency != currency:
		f.Currency, f.Price = "?", ""
		return
	}
	f.Currency = currency
	if n < *low {
		*low, f.Price = n, text
	}
	if n > *high {
		*high, f.HighPrice = n, text
	}
}

var (
	currencyCode = regexp.MustCompile(`^[A-Z]{3}$`)
	priceNumber  = regexp.MustCompile(`^[0-9]{1,9}([.,][0-9]{1,2}0*)?$`)
	thousands    = regexp.MustCompile(`^[0-9]{1,3}(,[0-9]{3})+(\.[0-9]{1,2})?$`)
)

// price returns the value of a price, and as a decimal number with a point; without one or for free, "".
func price(v *Value) (n float64, text string) {
	s := strings.TrimSpace(v.String())
	if len(s) > maxNumberLen {
		return 0, ""
	}
	switch {
	case thousands.MatchString(s):
		s = strings.ReplaceAll(s, ",", "")
	case !priceNumber.MatchString(s):
		return 0, ""
	}
	s = strings.Replace(s, ",", ".", 1)
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || n <= 0 {
		return 0, ""
	}
	if whole, fraction, ok := strings.Cut(s, "."); ok {
		s = whole
		if fraction = (fraction + "0")[:2]; fraction != "00" {
			s += "." + fraction
		}
	}
	return n, s
}

// isoDuration matches a duration of ISO 8601 of at most days.
var isoDuration = regexp.MustCompile(`^P(?:([0-9]{1,4})D)?` +
	`(?:T(?:([0-9]{1,6})H)?(?:([0-9]{1,7})M)?(?:([0-9]{1,9})(?:\.[0-9]+)?S)?)?$`)

// duration returns the duration of a property, 0 for none.
func duration(v *Value) (d time.Duration) {
	s := strings.ToUpper(strings.TrimSpace(v.String()))
	if len(s) > 3*maxNumberLen {
		return 0
	}
	m := isoDuration.FindStringSubmatch(s)
	if m == nil {
		return 0
	}
	for i, unit := range [...]time.Duration{24 * time.Hour, time.Hour, time.Minute, time.Second} {
		n, _ := strconv.Atoi("0" + m[i+1])
		d += time.Duration(n) * unit
	}
	if d > maxLength {
		return 0
	}
	return d
}

// servingWords are what a yield of persons may be called; others are pieces.
var servingWords = strings.Fields("serving servings people persons person portion portionen portions personen " +
	"personne personnes part parts porción porciones personas persone porzioni porties porções pessoas portioner porcje порции порций 人分 人份 " +
	"인분 kişilik kişi porsiyon personer porsjoner porce osób annosta порція порції порцій человек осіб 人前 份 人 מנות ที่ คน người suất phần")

// servings returns the number of persons that a recipe serves, 0 if unknown.
func servings(v *Value) int {
	for _, e := range v.Each() {
		s := strings.ToLower(ldText(e))
		if utf8.RuneCountInString(s) > 40 {
			continue
		}
		s = strings.TrimSpace(strings.TrimPrefix(s, "serves "))
		digits := s[:len(s)-len(strings.TrimLeft(s, "0123456789"))]
		word := strings.TrimSpace(s[len(digits):])
		if n := wholeNumber(digits, maxServings); n > 0 && (word == "" || slices.Contains(servingWords, word)) {
			return n
		}
	}
	return 0
}
