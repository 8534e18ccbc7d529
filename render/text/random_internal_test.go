package text

import (
	"math/rand/v2"
	"testing"
)

// TestFit_marksInAnyOrder lays out letters, digits, marks and spaces of languages in any order: rules that look at the
// neighbors of a break find none at the ends of a text, or two marks where they expect a word.
func TestFit_marksInAnyOrder(t *testing.T) {
	t.Parallel()
	e := NewEngine()
	for lang, letters := range map[string]string{
		"ar": "في عبدالله و، –—:؟«»() 20% بسعر ,.| \u00a0", "hi": "कीमत के ने , : – 20 ₹?|\u0964 \u00a0()‘’ नया साल कैसे ",
		"ko": "제30회 美 MLS…“”‘’(·),: 215g,2kg의 는\u00a0", "zh": "国家大剧院人员，：、·—（）《》5G 19:30 \u3000",
		"th": "คง เฟส 2 19 2-1 ด้วย ,:() \u00a0", "de": "AbS sie (m/w) 6:4, –$1,000 [ ] „“. \u00a0",
		"ja": "コード・決済「」、。—2人 \u3000",
		"fr": "V1 de la A 2 € si l’x, :() au", "es": "A de los B 12 más en 2 € el 20", "ru": "руб. в 2 00 года Аых ли.,",
	} {
		random, runes := rand.New(rand.NewPCG(1, 2)), []rune(letters)
		st := Inter.Title(60)
		st.Lang = lang
		for range 400 {
			s := make([]rune, 1+random.IntN(40))
			for k := range s {
				s[k] = runes[random.IntN(len(runes))]
			}
			said, w := string(s), float64(80+random.IntN(700))
			e.Fit(said, st, Box{W: w, H: 300}, Steps(3, 84, 68).Then(5, 60))
			e.FitStack(Stack{
				Title: said, TitleStyle: st, TitleBox: Box{W: w, H: 300}, Ladder: Steps(3, 60, 40).WithSpares(30),
				Text: said + " " + said, TextStyle: Inter.Text(30, 400), TextWidth: w,
				TextLines: 1 + random.IntN(3), Gap: 40, MaxHeight: 400,
			})
		}
	}
}
