package kit

import (
	"testing"

	"masthead/render/text"
)

// TestWithSpares_longArabicAndHindiTitlesMayBeTheSmallest checks the last size of a ladder: names of such titles were
// parted where those of others fit.
func TestWithSpares_longArabicAndHindiTitlesMayBeTheSmallest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		title string
		last  float64
	}{
		{"شركة أرامكو السعودية توزع أرباحًا بقيمة 79.3 مليار ريال", leastTitle},
		{"नरेंद्र मोदी और राहुल गांधी के बीच संसद में तीखी बहस, सदन स्थगित", leastTitle},
		{"معرض القاهرة الدولي للكتاب 2027", 52},
		{"A long title of a page that has more characters than forty", 52},
	} {
		l := withSpares(text.Steps(3, 84, 76).Then(4, 60), c.title)
		if last := l[len(l)-1]; last.SizePx != c.last || !last.Spare || last.Lines != 4 {
			t.Errorf("%s: %+v, want %v px", c.title, last, c.last)
		}
	}
}
