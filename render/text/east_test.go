package text_test

import (
	"strings"
	"testing"

	"masthead/render/text"
)

// TestFit_eastAsianMarksAreThoseOfThePage holds that a dash written as a line of a box is drawn, that full-width marks
// stay so beside many Latin letters, and that Latin texts have none.
func TestFit_eastAsianMarksAreThoseOfThePage(t *testing.T) {
	for _, c := range []struct{ lang, title, want string }{
		{"ja", "なぜ恐れるのか──退屈について", "なぜ恐れるのか——退屈について"},
		{"ja", "特集────────────", "特集——"},
		{"zh-Hans", "工程师（React/TypeScript，可远程）", "工程师（React/TypeScript，可远程）"},
		{"en", "Ｗｉｄｅ： letters", "Wide: letters"},
		{"ja", "ＪＲ東日本、２万円の上限：撤廃", "JR東日本、2万円の上限：撤廃"},
	} {
		st := text.Inter.Title(40)
		st.Lang = c.lang
		b := text.NewEngine().Line(c.title, st, 0)
		if got := strings.ReplaceAll(b.Text(), "\u2009", ""); got != c.want {
			t.Errorf("%s: %q, want %q", c.title, got, c.want)
		}
	}
}

// TestLine_marksOfATextAreOfOneKind holds that all middle dots of a Chinese title are alike, and that one which is cut
// ends in the dots of its language, also after Latin letters or digits.
func TestLine_marksOfATextAreOfOneKind(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct {
		lang, s string
		maxW    float64
		want    string // the family of the mark that ends it
	}{
		{"zh-Hans", "上海·月薪35–55K·", 0, "noto-sans-sc"}, {"zh-Hans", "55K·月薪·", 0, "noto-sans-sc"},
		{"zh-Hans", "对比 iPhone ·", 0, "inter"}, {"zh-Hans", "55K·16K·", 0, "inter"},
		{"zh-Hans", "对比测评iPhone 17 Pro Max", 400, "noto-sans-sc"}, {"ja", "比較検証iPhone 17 Pro Max", 400, "noto-sans-jp"},
		{"en", "The iPhone 17 Pro Max", 300, "inter"}, {"ko", "아이폰 iPhone 17 Pro Max", 300, "inter"},
	} {
		st := text.Inter.Title(48)
		st.Lang = c.lang
		b := e.Line(c.s, st, c.maxW)
		glyphs := e.Placed(b)
		if got := glyphs[len(glyphs)-1].Family; got != c.want {
			t.Errorf("%s, %q: the mark at its end is of %s, want %s", c.lang, b.Text(), got, c.want)
		}
	}
}

// TestFit_eastAsianTitlesHaveTheirLeading holds that a title with as many Latin letters as Chinese characters, which
// take twice their width, is Chinese.
func TestFit_eastAsianTitlesHaveTheirLeading(t *testing.T) {
	e := text.NewEngine()
	st := text.Inter.Title(60)
	for title, want := range map[string]float64{
		"如何用Docker Compose部署一个可横向扩展的Node.js微服务": 1.16, "移行する手順 SSR": 1.16, "SSR and PPR 対応": 1.06,
	} {
		st.Lang = "ja"
		b := e.Wrap(title, st, 10, 0)
		if got := b.Leading / b.SizePx; got < want-.001 || got > want+.001 {
			t.Errorf("%s: line height %.3f, want %v", title, got, want)
		}
	}
}

// TestFit_chineseQuotesDoNotHang holds that a Chinese title begins at the edge, as with any other mark.
func TestFit_chineseQuotesDoNotHang(t *testing.T) {
	for title, hangs := range map[string]bool{
		"“内卷”十年": false, "“00后”整顿职场": false, "“AI”时代的新工作": false, "“조용한 퇴사”": true,
	} {
		st := text.Inter.Title(84)
		if st.Lang = "zh-Hans"; hangs {
			st.Lang = "ko"
		}
		if x := text.NewEngine().Line(title, st, 0).Ink.X0; (x < -4) != hangs {
			t.Errorf("%s begins at %.1f", title, x)
		}
	}
}

// TestFit_linesAreClauses holds that lines of Chinese, Japanese, Korean and Thai titles end at commas, colons, dashes
// and in Thai at spaces, although others would be more even or larger.
func TestFit_linesAreClauses(t *testing.T) {
	for _, c := range []struct {
		lang, want string
		w          float64
	}{
		{"zh-Hans", "小米17 Ultra上手：|1英寸大底、|2亿像素潜望长焦，|售价6499元起值不值？", 880},
		{"zh-Hans", "成都大运会场馆|向市民开放，|羽毛球每小时30元，|游泳馆周末延长至22:00", 760},
		{"zh-Hans", "成都大运会场馆向市民开放，|羽毛球每小时30元，|游泳馆周末延长至22:00", 1000},
		{"zh-Hant", "港股收市｜|恒指跌387點失守兩萬六，|騰訊、阿里巴巴齊挫逾2%", 1000},
		{"zh-Hant", "中華職棒總冠軍賽G5：|樂天桃猿延長11局|再見安打，|4比3險勝中信兄弟", 1000},
		{"ja", "首都高速・|日本橋区間の地下化、|呉服橋と江戸橋の|出入口を廃止", 760},
		{"ja", "「推し活」は|日本経済を救うのか|——市場規模|3兆5,000億円の|光と影", 640},
		{"ko", "갤럭시 Z 폴드7|한 달 사용기:|215g, 4.2mm가 바꾼|접이식 스마트폰의 일상", 760},
		{"ko", "고3 딸에게 보내는|엄마의 편지:|괜찮아, 다 지나간다", 760},
		{"ko", "한강 작가의|노벨 문학상 이후,|동네 책방에 벌어진 일", 880},
		{"th", "ธนาคารแห่งประเทศไทย|คงดอกเบี้ยนโยบายที่ 1.25%|คาดเศรษฐกิจปีหน้าโต 1.8%", 760},
		{"th", "วิธีต่อใบขับขี่|ออนไลน์ 2569 ทำตามนี้|ไม่ต้องลางาน", 760},
	} {
		st := text.Inter.Title(0)
		st.Lang = c.lang
		title := strings.NewReplacer("한강 작가의|", "한강 작가의 ", "폴드7|", "폴드7 ", "이후,|", "이후, ", "꾼|", "꾼 ", "기:|", "기: ",
			"보내는|", "보내는 ", "지:|", "지: ",
			"ไทย|", "ไทย", "ขี่|", "ขี่", "%|", "% ", "ตามนี้|", "ตามนี้ ", "|", "").Replace(c.want)
		b := text.NewEngine().Fit(title, st, text.Box{W: c.w, H: 420}, text.Steps(3, 104, 92, 84, 76).Then(4, 68, 60, 56))
		if got := strings.Join(linesOf(b), "|"); got != strings.ReplaceAll(c.want, "｜", "") {
			t.Errorf("%v px: %s, want %s without a bar", c.w, got, c.want)
		}
	}
}

// TestLine_thaiCutsEndInNoVerb holds that a Thai title isn't cut after a verb, whose object it would leave open.
func TestLine_thaiCutsEndInNoVerb(t *testing.T) {
	st := text.Inter.Title(60)
	st.Lang = "th"
	for w := 300.0; w < 1000; w += 20 {
		got := text.NewEngine().Line("ธนาคารแห่งประเทศไทยคงดอกเบี้ยนโยบายที่ 1.25% คาดเศรษฐกิจปีหน้าโต", st, w).Text()
		if strings.HasSuffix(got, "คง…") || strings.HasSuffix(got, "คาด…") {
			t.Errorf("%v px: %s", w, got)
		}
	}
}

// TestFit_headlinesEndAtTheirWideSpace holds that the parts of a Japanese headline, and of a Korean one, are lines
// where they have room.
func TestFit_headlinesEndAtTheirWideSpace(t *testing.T) {
	for _, c := range []struct {
		lang, want string
		w          float64
		ladder     text.Ladder
	}{
		{"ja", "台風15号、関東に接近|JR東日本は|始発から計画運休へ", 1056, text.Steps(3, 116, 104)},
		{"ko", "태풍 ‘카눈’ 북상…|제주·남해안 밤사이|최대 300mm 폭우", 592, text.Steps(3, 84, 76, 68)},
		{"zh-Hans", "为什么我们总觉得时间不够用？|——读《忙碌的悖论》有感", 1056, text.Steps(1, 72)},
		{"ko", "한국은행, 기준금리|연 2.50%로 동결…|“집값·환율 불안 여전”", 640, text.Steps(3, 76)},
		{"ko", "김장 배추 절이는 법과|황금 비율 양념|(고춧가루 2kg·새우젓 600g)", 760, text.Steps(3, 64)},
		{"ko", "손흥민, MLS 데뷔골…|LA FC 3-1 완승|이끈 프리킥", 660, text.Steps(3, 76)},
	} {
		st := text.Inter.Title(0)
		st.Lang = c.lang
		title := strings.NewReplacer("接近|", "接近\u3000", "완승|", "완승 ", "법과|", "법과 ", "금리|", "금리 ",
			"밤사이|", "밤사이 ", "|", "").Replace(c.want)
		b := text.NewEngine().Fit(title, st, text.Box{W: c.w, H: 310}, c.ladder)
		if got := strings.Join(linesOf(b), "|"); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestFit_cutTitlesEndInNoUnit holds that a title which has few words after a colon is cut at one of them, and not
// inside a number and its unit.
func TestFit_cutTitlesEndInNoUnit(t *testing.T) {
	st := text.Inter.Title(0)
	st.Lang = "ko"
	const title = "제주 올레길 7코스 완벽 가이드: " +
		"외돌개에서 월평포구까지 17.6km, 5시간 걷기 여행"
	for w := 700.0; w < 960; w += 10 {
		b := text.NewEngine().Fit(title, st, text.Box{W: w, H: 340}, text.Steps(3, 104).Then(4, 96))
		if strings.HasSuffix(b.Text(), "17.6k…") || strings.HasSuffix(b.Text(), "17.6…") {
			t.Errorf("%v px: %s", w, b.Text())
		}
	}
}

// TestShownDescription_eastAsianCharactersCountTwice holds that a short Chinese sentence is a description.
func TestShownDescription_eastAsianCharactersCountTwice(t *testing.T) {
	for s, shown := range map[string]bool{
		"桂花乌龙，三分糖，少冰。": true, "三分糖，少冰。": false, "Less sugar, less ice.": false,
	} {
		if got := text.ShownDescription(s, "", "zh-Hans", false); (got != "") != shown {
			t.Errorf("%q is shown as %q", s, got)
		}
	}
}

// TestFit_noEastAsianLineEndsThere holds that no line ends between a number and its counter, before one letter that a
// mark follows, and elsewhere inside of what is read as one.
func TestFit_noEastAsianLineEndsThere(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct{ lang, title, never string }{
		{"zh-Hans", "川西自驾游攻略：成都—康定—新都桥—稻城亚丁，" +
			"7天6晚全程1,680公里路线详解", "7 7天6 1,680 康定 新都"},
		{"zh-Hans", "家常红烧肉的做法：肥而不腻，入口即化", "肥而不"},
		{"zh-Hans", "Vol.86 对话许知远：独立书店能活过下一个十年吗？", "许知"},
		{"zh-Hans", "PostgreSQL 18 vs MySQL 9.2：百万级数据量下的性能对比", "vs MySQL"},
		{"ja", "冬の北海道を3泊4日で巡る旅：小樽運河、富良野の雪原", "3 3泊4 富良 巡る"},
		{"ja", "最適化ガイド：月額120万円を68万円に削減するまで", "120 120万 68"},
		{"ja", "バックエンドエンジニア（Go／正社員・フルリモート可）", "Go"},
		{"ja", "株式会社ミライ、シリーズBで総額45億円の資金調達", "シリーズ 45 45億"},
		{"ja", "日銀、政策金利を0.75％に引き上げ　30年ぶりの高水準", "％"},
		{"ja", "夏目漱石『こころ』を読む（全3回）：" +
			"先生はなぜ手紙を遺したのか", "』 全3"},
		{"zh-Hans", "2026年上海国际电影节金爵奖提名名单公布", "国际电影"},
		{"zh-Hans", "敦煌莫高窟第285窟数字化展览亮相国家博物馆", "敦煌莫 莫高 窟数字"},
		{"zh-Hant", "高雄捷運黃線第一標動工，預計2034年通車", "第一"},
		{"zh-Hant", "《悲情城市》4K數位修復版重返大銀幕", "修復"},
		{"zh-Hant", "台積電第三季營收年增39%，創單季歷史新高", "第三季營"},
		{"ja", "パスキー導入の三か月を振り返ります、全員で", "三か"},
		{"ja", "大谷翔平選手が史上初となる三度目の満票MVP", "史上初と"},
		{"ja", "移行でサポート問い合わせが6割減った話を詳しく", "問い"},
		{"ja", "ニュージーランド産グリーンキウイフルーツのヨーグルトケーキ",
			"ニュージーランド キウ グリーンキウ"},
		{"ko", "국내 최초 완전 자율주행 버스, 세종시에서 다음 달 운행 시작", "다음"},
		{"ko", "김치냉장고에서 꺼낸 30년 된 묵은지로 끓인 김치찌개", "30년"},
		{"ko", "데이터 엔지니어 채용 (경력 3년 이상, 주 2회 재택)", "3년 주 (경력"},
		{"ko", "빌드 시간을 12분에서 3분 40초로 줄인 방법", "3분"},
		{"ko", "로봇청소기, 흡입력 6,000Pa 이상을 골라야 하는 이유", "6,000Pa"},
		{"ko", "㈜미래모빌리티, 시리즈 C 투자 유치…" +
			"누적 투자금 2,150억 원", "시리즈 2,150억"},
		{"ko", "봉준호 감독 인터뷰: “나는 여전히 콘티를 손으로 그린다”", "“나는"},
		{"ko", "태풍 ‘카눈’ 북상…제주·남해안 밤사이 폭우", "제주"},
	} {
		st := text.Inter.Title(0)
		st.Lang = c.lang
		for w := 560.0; w < 1060; w += 25 {
			b := e.Fit(c.title, st, text.Box{W: w, H: 500}, text.Steps(3, 104, 92, 84, 76, 68).Then(5, 60))
			for _, l := range b.Lines[:len(b.Lines)-1] {
				for _, end := range strings.Fields(c.never) {
					if strings.HasSuffix(l.Text, end) {
						t.Errorf("%s, %v px wide: a line ends with %q", c.title, w, l.Text)
					}
				}
			}
		}
	}
}
