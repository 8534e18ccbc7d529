package kit_test

import (
	"math"
	"testing"
	"unicode/utf8"

	"masthead/render/template/kit"
)

func TestFigureIn_titles_haveTheNumberThatTheyAreAbout(t *testing.T) {
	for _, c := range []struct {
		title, want string
		share       float64
	}{
		{"73% of small teams ship faster", "73%", .73},
		{"10年もののRailsを型に載せ替える", "", 0}, {"10年で売上が2倍になった", "", 0}, {"30年ぶりの円安", "", 0}, {"3年後の市場", "", 0},
		{"5年で学んだこと", "5年", 0},
		{"73 % der kleinen Teams liefern schneller", "73 %", .73},
		{"What a missing semicolon cost us: $1.2bn in one night", "$1.2bn", 0},
		{"1 in 4 children now grow up within sight of the sea", "1 in 4", .25},
		{"Why 3 out of 5 startups fail", "3 out of 5", .6},
		{"1 von 3 Deutschen kauft gebraucht", "1 von 3", 1 / 3.},
		{"From click to card in 3.7 ms", "3.7 ms", 0},
		{"How we made builds 40× faster", "40×", 0},
		{"How we made builds 40x faster", "40x", 0},
		{"+12% in a year", "+12%", 0},
		{"−12 % in a year", "−12 %", 0},
		{"Verlust von 1,2 Mrd. € im ersten Quartal", "1,2 Mrd. €", 0},
		{"The bill was €24,900", "€24,900", 0},
		{"Council Approves $48 Million Plan", "$48 Million", 0},
		{"100% renewable", "100%", 1},
		{"340% more traffic", "340%", 0},
		{"99.99% uptime is a lie", "99.99%", .9999},
		{"売上が3.2億円を超えた理由", "3.2億円", 0},
		{"4人に1人が週末に働く", "4人に1人", .25},
		{"40٪ من الفرق تعمل عن بعد", "40٪", .4},
		{"٧٣٪ من الفرق", "٧٣٪", .73},
		{"为什么我们节省了40%的成本", "40%", .4},
		{"3,7 млн пользователей за год", "3,7 млн", 0},
		{"250k stars later", "250k", 0},
		{"आयकर में ₹2 लाख तक की छूट", "₹2 लाख", 0},
		{"देश के 50 करोड़ घरों में", "50 करोड़", 0},
		{"निवेशकों के 4.3 लाख करोड़ रुपये डूबे", "4.3 लाख करोड़", 0},
		{"El plan costará 44 mil millones de euros", "44 mil millones", 0},
		{"งบลงทุน 1.2 ล้านล้านบาท ลุยก๊าซธรรมชาติ", "1.2 ล้านล้านบาท", 0},
		{"วงเงิน ฿44,000 ล้าน ลงทะเบียนได้แล้ว", "฿44,000 ล้าน", 0},
		{"جوائزها 100 ألف درهم", "100 ألف", 0},
		{"Um prêmio de R$ 1 milhão", "R$ 1 milhão", 0},
		{"$5", "$5", 0},
		{"73% 만약 더 잘 수 있다면", "73%", .73},
		{"전기 요금을 40% 원인부터 줄이기", "40%", .4},
		{"집값이 3만원에서 오르기까지", "3만원", 0},
		{"독자가 3만 명을 넘은 이유", "3만 명", 0},

		{"Вакансия: Go-разработчик, от 300 000 ₽ на руки", "300 000 ₽", 0},
		{"Un studio à 1 250 € par mois, est-ce trop ?", "1 250 €", 0},
		{"10 000 km à vélo", "10 000 km", 0},

		{"iPhone 15 128 GB im Test", "", 0},
		{"Pack de 2 500 ml", "", 0},
		{"Les 3 100 % purs", "", 0},
		{"我国数字经济规模突破1万亿元", "1万亿元", 0},
		{"双方签署协议，总金额超过140亿欧元", "140亿欧元", 0},
		{"全程42公里的海岸线", "42公里", 0},

		{"宁夏中卫三座光伏治沙电站并网，年发电量预计达41亿千瓦时", "41亿千瓦时", 0},
		{"新規加入が10年で2億円", "", 0},
		{"创业10年的教训", "10年", 0},

		{"公告：115年度老舊公寓增設電梯補助", "", 0},
		{"民國115年的預算", "", 0},
		{"รวมภาพเด่น 2569年", "", 0},
		{"10年もののRailsを少しずつ型に載せ替える", "", 0},
		{"국내 28개 병원 무작위배정 임상시험 결과", "", 0},
		{"累计服务41亿乘客", "", 0},
		{"7 ways to cut costs", "", 0},
		{"下调0.5个百分点，释放长期资金约1万亿元", "", 0},
		{"だし巻き卵の作り方（2人分・15分）", "", 0},
		{"빌드 시간을 12분에서 3분 40초로 줄인 방법", "", 0},
		{"智能手机（12GB+512GB）午夜黑", "", 0},
		{"全国の15〜69歳に聞いた", "", 0},
		{"The state of CSS 2026", "", 0},
		{"Acme 3.2 is out", "", 0},
		{"v1.2% of", "", 0},
		{"From 12% to 40% in a year", "", 0},
		{"Between 10–20% of teams", "", 0},
		{"Doors open at 9:30", "", 0},
		{"A 4K monitor for work", "", 0},
		{"Part 1 of 4: the beginning", "", 0},
		{"2 in 1 laptops", "", 0},
		{"24/7 support", "", 0},
		{"A 16x16 icon", "", 0},
		{"iPhone 15 Pro review", "", 0},
		{"The 2026年 in review", "", 0},
		{"10x2 boards", "", 0},
		{"GPT-4 and 70B models", "", 0},
		{"", "", 0},
	} {
		got, ok := kit.FigureIn(c.title)
		if got.Text != c.want || ok != (c.want != "") || math.Abs(got.Share-c.share) > 1e-9 {
			t.Errorf("%q: got %+v, %v, want %q, %.2f", c.title, got, ok, c.want, c.share)
		}
	}
}

// TestFigureIn_rangeIsTwoNumbers checks that no end of a range is taken for what a title is about.
func TestFigureIn_rangeIsTwoNumbers(t *testing.T) {
	for _, title := range []string{
		"EU remote, €85k–€110k", "EU remote, EUR 85k–EUR 110k", "Raised $1 million–2 million",
		"5%~10% cheaper",
		"月3万～5万円で暮らす", "월 3만~5만원으로 살기",
	} {
		if got, ok := kit.FigureIn(title); ok {
			t.Errorf("%q: got %+v", title, got)
		}
	}
}

func TestNumber_rest_isWhatTheTitleSaysAfterIt(t *testing.T) {
	for title, want := range map[string]string{
		"73% of teams": "of teams", "73%: what we learned": "what we learned", "73%": "", "40٪ من الفرق": "من الفرق",
	} {
		n, _ := kit.FigureIn(title)
		if got := n.Rest(title); got != want {
			t.Errorf("%q: got %q, want %q", title, got, want)
		}
	}
}

func FuzzFigureIn(f *testing.F) {
	for _, s := range []string{"73% of teams", "$1.2bn", "1 in 4", "4人に1人", "٧٣٪", "-–1", "CHF 1'000.–"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, ok := kit.FigureIn(s)
		if !ok {
			return
		}
		if n.Start < 0 || n.End > len(s) || n.Start >= n.End || n.Share < 0 || n.Share > 1 || n.Text == "" {
			t.Errorf("%q: got %+v", s, n)
		}
		if utf8.ValidString(s) && !utf8.ValidString(n.Rest(s)) {
			t.Errorf("%q: the rest is %q", s, n.Rest(s))
		}
	})
}

// TestNumber_Before_isTheTitleWithoutItsLastNumber checks what is left of a title under its number.
func TestNumber_Before_isTheTitleWithoutItsLastNumber(t *testing.T) {
	for title, want := range map[string]string{
		"Bomba de calor Termavia KX-112, 11,2 kW": "Bomba de calor Termavia KX-112", "Rain gauge – 868 MHz": "Rain gauge",
		"From click to card in 3.7 ms": "", "We lost €3m, and why": "", "73% of teams": "",
	} {
		n, ok := kit.FigureIn(title)
		if got := n.Before(title); got != want || !ok {
			t.Errorf("%q: got %q of %q, want %q", title, got, n.Text, want)
		}
	}
}
