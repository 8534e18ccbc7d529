package text

import (
	"strings"
	"testing"
)

// TestPenaltyOf_countsStayWithTheirNoun checks the penalties of lines that end at the “|” of a text: numbers in words
// and ordinal ones count what follows, and a dash within a word isn't one between clauses.
func TestPenaltyOf_countsStayWithTheirNoun(t *testing.T) {
	e := NewEngine()
	for _, c := range []struct {
		lang, text string
		want       float64
	}{
		{"ru", "Обзор матча 18-го| тура", penaltyCount}, {"ru", "Гол на 90+4-й| минуте", penaltyCount},
		{"fr", "Au 5e| étage", penaltyCount}, {"fr", "Un 5e| et un autre", 0}, {"en", "The 5th| of them", 0},
		{"ru", "Ещё 3,7 млн| пользователей", penaltyCount}, {"en", "5 million| people", penaltyCount},
		{"en", "We paid 5 million.| Then we left", penaltySentence}, {"ru", "За 5 мин.| пешком", 0},
		{"es", "Cartagena, del 8| al 11 de octubre", penaltySum},
		{"fr", "La course Paris–|Nice de mars", penaltyLetter},
	} {
		st := Inter.Title(0)
		st.Lang = c.lang
		p := &e.para
		e.compose(p, strings.Replace(c.text, "|", "", 1), st)
		at := len([]rune(c.text[:strings.IndexByte(c.text, '|')]))
		for _, b := range p.breaks {
			if b.end == at && p.penaltyOf(b) != c.want {
				t.Errorf("%q: %v, want %v", c.text, p.penaltyOf(b), c.want)
			}
		}
	}
}

// TestPenaltyOf_eastAsianWordsStayWhole checks that a line hardly ever ends at the “|” of a text, in a word of three or
// four characters, a compound, or before a counter.
func TestPenaltyOf_eastAsianWordsStayWhole(t *testing.T) {
	e := NewEngine()
	for _, c := range []struct{ lang, text string }{
		{"zh-Hans", "阿|里|巴|巴"}, {"zh-Hans", "前副总裁加盟三|角|钢|琴公司"}, {"zh-Hans", "羽|毛|球"},
		{"zh-Hans", "存款准备金|率0.5"}, {"zh-Hans", "为|什|么"},
		{"zh-Hans", "国家图|书|馆开放"}, {"zh-Hans", "特|斯|拉上海超级工厂"}, {"zh-Hans", "加盟智|谱|AI"},
		{"zh-Hant", "國家圖|書|館開放"}, {"zh-Hant", "阿|里|巴|巴"}, {"zh-Hant", "聯|合|國"}, {"zh-Hant", "六時前|後脫離"},
		{"zh-Hans", "工作日9:00—|18:00"}, {"zh-Hans", "我们的“先|苦|后|甜”十年"},
		{"ja", "Next.js| 16の新機能"}, {"ja", "銭湯「照の|湯」が語る"},
		{"ja", "長編『街とその不確かな|壁』の刊行"},
		{"ja", "ゆる|キャン△の聖地"}, {"ja", "こども|家庭庁の方針"}, {"ja", "京都で撮り|比べてみた"}, {"ja", "型の使い|方とその理由"},
		{"ja", "保育士の4・|5歳児"},
		{"ko", "던진 10년| 차 번역가"}, {"ko", "빵을 쓸 수| 없다면"}, {"ko", "오전| 2시부터"},
		{"ko", "황금 비율 양념(고춧가루| 2kg·새우젓| 600g)"}, {"ko", "배터리|(4,400mAh)를 보다"},
	} {
		st := Inter.Title(0)
		st.Lang = c.lang
		p := &e.para
		e.compose(p, strings.ReplaceAll(c.text, "|", ""), st)
		at := 0
		for _, r := range c.text {
			if r != '|' {
				at++
				continue
			}
			for _, b := range p.breaks {
				if b.end == at && p.breakPenalty(b) < faultPenalty {
					t.Errorf("%s: a line may end after %q: %v", c.text, string(p.runes[:at]), p.breakPenalty(b))
				}
			}
		}
	}
}

// TestPenaltyOf_chineseUnitOfTwoWords checks that 个百分点 is one word.
func TestPenaltyOf_chineseUnitOfTwoWords(t *testing.T) {
	e, st := NewEngine(), Inter.Title(0)
	st.Lang = "zh-Hans"
	p := &e.para
	e.compose(p, "准备金率下调0.5个百分点", st)
	for _, b := range p.breaks {
		if b.end == 10 && p.penaltyOf(b) < penaltyWord {
			t.Errorf("after %q: %v", string(p.runes[:b.end]), p.penaltyOf(b))
		}
	}
}

// TestBreakPenalty_fewLettersBesideAWideSpace checks that a line hardly begins, or ends, with them.
func TestBreakPenalty_fewLettersBesideAWideSpace(t *testing.T) {
	e := NewEngine()
	for _, c := range []string{"沖縄尚学が|初優勝　決勝で日大三を破る", "沖縄尚学が初優勝　決勝で|日大三を破る", "沖縄尚学が|連続優勝　決勝で日大三を破る"} {
		st := Inter.Title(0)
		st.Lang = "ja"
		p := &e.para
		e.compose(p, strings.Replace(c, "|", "", 1), st)
		at := len([]rune(c[:strings.IndexByte(c, '|')]))
		for _, b := range p.breaks {
			if b.end == at && p.breakPenalty(b) < penaltyFewSigns {
				t.Errorf("%s: %v", c, p.breakPenalty(b))
			}
		}
	}
}
