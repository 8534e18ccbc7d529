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
	when func(*verdict) bool
	// most is the limit of the rule's category, overall that of the overall score; 100 means none.
	most, overall float64
}

// noCard means that X shows no card, which blocks the rule about its picture.
func noCard(v *verdict) bool { return v.state == blocked }

// caps are all ceilings. The lowest one applies. A rule that got part of its points sets none.
var caps = [...]ceiling{
	{"seo-http-status", (*verdict).failed, 39, 49},
	{"seo-indexable", (*verdict).failed, 59, 100},
	{"seo-robots-txt", (*verdict).failed, 59, 100},
	{"seo-title", (*verdict).failed, 79, 100},
	{"og-image", (*verdict).failed, 59, 100},
	{"og-image-reachable", (*verdict).failed, 59, 100},
	{"og-title", (*verdict).failed, 49, 100}, // neither og:title nor a title: otherwise it gets a part
	{"og-crawlers-allowed", (*verdict).failed, 69, 100},
	{"twitter-card-fits-image", noCard, 49, 100},
	{"twitter-crawler-allowed", (*verdict).failed, 69, 100},
}

// score returns the score of each category and the overall score: weighted means of the credits, without rules that
// don't apply, limited by the caps.
func (s *set) score(verdicts []verdict) (categories [len(Categories)]float64, overall float64) {
	var got, of [len(Categories)]float64
	for i, r := range s.byID {
		if v := &verdicts[i]; v.state != notApplicable {
			c := r.Category.index()
			of[c] += r.Weight
			if v.state == judged {
				got[c] += r.Weight * v.credit
			}
		}
	}
	for c := range categories {
		categories[c] = 100
		if of[c] > 0 {
			categories[c] = 100 * got[c] / of[c]
		}
	}
	most := 100.0
	for i := range caps {
		at := s.at[caps[i].rule]
		if caps[i].when(&verdicts[at]) {
			c := s.byID[at].Category.index()
			categories[c] = min(categories[c], caps[i].most)
			most = min(most, caps[i].overall)
		}
	}
	for c := range categories {
		overall += shares[c] * categories[c]
	}
	return categories, min(overall, most)
}
