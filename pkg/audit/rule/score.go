package rule

import "math"

// Score is a score from 0 to 100. Points are exact; the displayed value is rounded half up.
type Score struct {
	Points float64
}

// Rounded returns the displayed score.
func (s Score) Rounded() int { return int(math.Floor(s.Points + 0.5)) }

// Grade returns the letter of the rounded score: A+, A, B+, B, C+, C, D+, D or F. There is no minus: "+" is the top of
// a band.
func (s Score) Grade() string {
	for _, g := range grades {
		if s.Rounded() >= g.from {
			return g.letter
		}
	}
	return "F"
}

// grades are the letters with the minimum score of each.
var grades = [...]struct {
	from   int
	letter string
}{
	{97, "A+"}, {90, "A"}, {87, "B+"}, {80, "B"}, {77, "C+"}, {70, "C"}, {67, "D+"}, {60, "D"},
}

// shares are the weights of the categories in the overall score, in the order of [Categories]. Open Graph is read by
// every link preview; the tags of X determine its layout and that of Discord and Slack; search reaches the most people,
// but only a part of those rules is about sharing.
var shares = [len(Categories)]float64{0.40, 0.25, 0.35}

// Share returns the weight of the category in the overall score, 0 to 1.
func (c Category) Share() float64 { return shares[c.index()] }

// A ceiling limits a category, or the overall score, if something is wrong without which the rest is worth little.
type ceiling struct {
	rule string
	when func(*Verdict) bool
	// most is the limit of the rule's category, overall that of the overall score; 100 means none.
	most, overall float64
	// words say when the ceiling applies, if that isn't when the rule gets no points.
	words string
}

// noCard means that X shows no card.
func noCard(v *Verdict) bool { return v.State == Judged && v.Credit < 1 && v.Hidden&OnX != 0 }

// placeholder means that the title is one of a template.
func placeholder(v *Verdict) bool { return v.State == Judged && v.Leftover }

// caps are all ceilings of single rules. The lowest one applies. A rule that got part of its points sets none.
var caps = [...]ceiling{
	{"seo-http-status", (*Verdict).failed, 39, 49, ""},
	{"seo-indexable", (*Verdict).failed, 59, 79, ""},
	{"seo-robots-txt", (*Verdict).failed, 59, 79, ""},
	{"seo-title", (*Verdict).failed, 79, 100, ""},
	{"og-image", (*Verdict).failed, 59, 100, ""},
	{"og-image-reachable", (*Verdict).failed, 59, 79, ""},
	{"og-title", (*Verdict).failed, 49, 100, ""}, // neither og:title nor a title: otherwise it gets a part
	{"og-clean-values", placeholder, 100, 69, "the title is a placeholder of a template (`og-clean-values`)"},
	{"og-crawlers-allowed", (*Verdict).failed, 69, 100, ""},
	{"twitter-card", noCard, 49, 100, "X shows no card (`twitter-card`)"},
	{"twitter-card-valid", noCard, 49, 100, "X shows no card (`twitter-card-valid`)"},
	{"twitter-crawler-allowed", (*Verdict).failed, 69, 100, ""},
}

// The limits of findings of any rule with points: a category and the whole with one have at most this, the whole with
// an error at most that.
const (
	mostWithFinding = 99
	mostWithError   = 96
)

// mostHidden are the limits of the overall score by how many of the large networks show no picture or no title.
var mostHidden = [...]float64{100, 89, 79, 69}

// overallCap is the category of limits of the overall score.
const overallCap = -1

// points returns what a rule is worth for a page.
func (s *Set) points(i int, v *Verdict) float64 {
	if v.Weight != 0 {
		return v.Weight
	}
	return s.byID[i].Weight
}

// limits calls limit for each limit that applies: the index of its category, or [overallCap], its value, and the rule
// that sets it. Several rules set the same limit: it applies until all of them are fixed.
func (s *Set) limits(verdicts []Verdict, limit func(category int, most float64, rule int)) {
	for i := range caps {
		at := s.at[caps[i].rule]
		if caps[i].when(&verdicts[at]) {
			limit(s.byID[at].Category.index(), caps[i].most, at)
			limit(overallCap, caps[i].overall, at)
		}
	}
	hidden := Nowhere
	for i := range verdicts {
		if v := &verdicts[i]; v.State == Judged && v.Credit < 1 {
			hidden |= v.Hidden
		}
	}
	for i := range verdicts {
		v := &verdicts[i]
		if v.State != Judged || v.Credit == 1 || s.points(i, v) == 0 {
			continue
		}
		limit(s.byID[i].Category.index(), mostWithFinding, i)
		limit(overallCap, mostWithFinding, i)
		if v.Severity == Error {
			limit(overallCap, mostWithError, i)
		}
		if v.Hidden != Nowhere {
			limit(overallCap, mostHidden[hidden.Count()], i)
		}
	}
}

// score returns the score of each category and the overall score: weighted means of the credits, without rules that
// don't apply, limited by the caps.
func (s *Set) score(verdicts []Verdict) (categories [len(Categories)]float64, overall float64) {
	var got, of [len(Categories)]float64
	for i, r := range s.byID {
		if v := &verdicts[i]; v.State != NotApplicable {
			c := r.Category.index()
			of[c] += s.points(i, v)
			got[c] += s.points(i, v) * v.Credit
		}
	}
	for c := range categories {
		categories[c] = 100
		if of[c] > 0 {
			categories[c] = 100 * got[c] / of[c]
		}
	}
	most := 100.0
	s.limits(verdicts, func(c int, limit float64, _ int) {
		if c == overallCap {
			most = min(most, limit)
		} else {
			categories[c] = min(categories[c], limit)
		}
	})
	for c := range categories {
		overall += shares[c] * categories[c]
	}
	return categories, min(overall, most)
}
