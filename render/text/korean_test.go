package text_test

import (
	"strings"
	"testing"

	"masthead/render/text"
)

// TestFit_koreanLinesEndWithClauses holds the lines of headlines at one size: they end with clauses, even if they are
// uneven then, or else between phrases.
func TestFit_koreanLinesEndWithClauses(t *testing.T) {
	for _, c := range []struct {
		name, want string
		w          float64
		ladder     text.Ladder
	}{
		{"ellipsis", "현대차 3분기 사상 최대 실적…|“하이브리드 자동차 판매 덕분”", 900, text.Steps(1, 60)},
		{"question", "퇴사 후 창업, 정말 괜찮을까?~|3년 차 대표가 전하는 솔직한 고백", 900, text.Steps(1, 60)},
		{"colon", "신입 개발자에게 보내는 열두 번째 편지:~|천천히, 그러나 끝까지 가도 된다", 960, text.Steps(1, 60)},
		{"quotation", "3년 만의 새 앨범 발표회~|“다시 무대에 서고 싶었다”", 800, text.Steps(2, 66)},
		{"brackets", "주말 캠핑 준비물 목록~|(4인 가족 기준 약 12만 원)", 760, text.Steps(2, 66)},
		{"comma", "카카오 새 지도 앱 공개,~|올해 가을 안에 전국에서 정식 출시", 900, text.Steps(1, 60)},
	} {
		t.Run(c.name, func(t *testing.T) { holdKorean(t, c.want, c.w, c.ladder) })
	}
}

// holdKorean holds the lines of a title: “|” ends one, after a space if “~” precedes it.
func holdKorean(t *testing.T, want string, w float64, ladder text.Ladder) {
	t.Helper()
	st := text.Inter.Title(0)
	st.Lang = "ko"
	b := text.NewEngine().Fit(strings.NewReplacer("~|", " ", "|", "").Replace(want), st, text.Box{W: w, H: 170}, ladder)
	if got, want := strings.Join(linesOf(b), "|"), strings.ReplaceAll(want, "~", ""); got != want {
		t.Errorf("%s at %v, want %s", got, b.SizePx, want)
	}
}

// TestFit_koreanPhrasesStayWhole holds titles in boxes of many widths: no line ends with these words, which belong to
// the next ones.
func TestFit_koreanPhrasesStayWhole(t *testing.T) {
	for _, c := range []struct{ name, title, never string }{
		{"edition", "제24회 전주국제영화제, 신인 감독의 첫 장편으로 막을 올린다", "제24회"},
		{"nation", "정부, 美 워싱턴에서 열린 통상 협상 결과를 오늘 오후 발표", "美"},
		{"initials", "류현진, KBO 통산 100승…한화 3연승 이끈 역투", "KBO"},
		{"series", "누리호가 실어 나른 위성 가운데 다목적실용위성 7호 교신 성공", "다목적실용위성"},
		{"percentage", "한미 통상 협상 타결로 자동차 관세 15%로 인하하기로 합의", "관세"},
		{"names in Latin letters", "쿠버네티스에서 돌아가는 Spring Boot 앱을 더 빠르게 시작하는 법", "Spring"},
		{"adverb", "우리 서비스를 쓰는 고객이 가장 궁금해하는 질문 열 가지", "가장"},
		{"way", "겨울 김장 배추 스무 포기 제대로 절이는 법과 황금 비율 양념 만들기", "절이는"},
		{"auxiliary", "첫 자취 전에 꼭 확인해야 할 7가지, 계약서보다 먼저 봐야 하는 것", "확인해야"},
		{"may", "수험생이 아침에 먹어도 되는 영양제는 무엇일까", "먹어도"},
		{"object and quantity", "쿠버네티스 클러스터를 3TB 메모리로 운영하며 배운 것들", "3TB"},
		{"second of two nouns", "검색 엔진 출시: 증분 색인과 메모리 사용량 40% 절감", "메모리"},
		{"version", "검색 엔진 도라지(Doraji) 2.7 출시, 증분 색인과 메모리 사용량 절감", "도라지(Doraji)"},
		{"verb of an object", "제주 바다를 담은 사진전 열린다", "바다를"},
		{"purpose", "가을 산행용 등산 스틱과 트레킹 폴", "등산"},
		{"fixed term", "올해의 노벨 평화상 수상자가 말하는 내일의 세계와 우리", "노벨"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := text.NewEngine()
			st := text.Inter.Title(0)
			st.Lang = "ko"
			for w := 640.; w <= 1000; w += 40 {
				b := e.Fit(c.title, st, text.Box{W: w, H: 330}, text.Steps(3, 84, 76, 68).Then(4, 60, 54, 48))
				for _, line := range linesOf(b)[:len(b.Lines)-1] {
					if strings.HasSuffix(" "+line, " "+c.never) {
						t.Errorf("%v px: %q", w, linesOf(b))
					}
				}
			}
		})
	}
}

// TestFitStack_koreanTitleLeavesRoomForItsDescription holds that a title has no line more for better ends of its lines
// where its description would have no room then.
func TestFitStack_koreanTitleLeavesRoomForItsDescription(t *testing.T) {
	st := text.Inter.Title(0)
	st.Lang = "ko"
	body := text.Inter.Text(28, 400)
	body.Lang = "ko"
	title, description := text.NewEngine().FitStack(text.Stack{
		Title: "갤럭시 폴드 두 달 사용기: 215g, 4.2mm가 바꾼 접이식 스마트폰의 일상", TitleStyle: st,
		TitleBox: text.Box{W: 1040, H: 300}, Ladder: text.Steps(2, 72, 64, 58),
		Text: "무게와 두께, 배터리와 카메라까지 꼼꼼히 따져 봤습니다.", TextStyle: body, TextWidth: 1000, TextLines: 1,
		Gap: 36, MaxHeight: 190,
	})
	if description == nil || len(title.Lines) > 2 {
		t.Errorf("%q, %v", linesOf(title), description)
	}
}

// TestFit_koreanWorksAndQuotationsStayWhole holds that the title of a work is on one line, although that is short, and
// that a quotation doesn't end with the first word of a line.
func TestFit_koreanWorksAndQuotationsStayWhole(t *testing.T) {
	st := text.Inter.Title(0)
	st.Lang = "ko"
	for _, c := range []struct{ title, never string }{
		{"특별전 〈소금, 길을 내다〉 관람 안내", "길을"}, {"장편소설 《느리게 흐르는 강》 출간", "흐르는"},
		{"“우리 동네 책방이 사라지면 마을도 사라집니다” 책방지기 한소영 인터뷰", "마을도"},
	} {
		for w := 560.; w <= 1060; w += 50 {
			ladder := text.Steps(3, 104, 92, 84, 76, 68, 60).Then(4, 54, 48)
			b := text.NewEngine().Fit(c.title, st, text.Box{W: w, H: 420}, ladder)
			for _, line := range linesOf(b)[:len(b.Lines)-1] {
				if strings.HasSuffix(line, c.never) {
					t.Errorf("%v px: %q", w, linesOf(b))
				}
			}
			if len(b.Lines) == 1 && b.SizePx < 60 {
				t.Errorf("%v px: one line at %v px", w, b.SizePx)
			}
		}
	}
}

// TestLine_koreanMarksOfWorksAreHalfAsWide holds that the marks around the title of a work have no blank halves.
func TestLine_koreanMarksOfWorksAreHalfAsWide(t *testing.T) {
	e := text.NewEngine()
	const px = 100
	st := text.Inter.Title(px)
	for _, pair := range []string{"〈〉", "《》", "「」", "『』"} {
		width := map[string]float64{}
		for _, lang := range []string{"ko", "ja"} {
			st.Lang = lang
			width[lang] = e.Measure("가"+pair, st) - e.Measure("가", st)
		}
		if width["ko"] > .6*width["ja"] {
			t.Errorf("%s is %v px wide in Korean, %v px in Japanese", pair, width["ko"], width["ja"])
		}
		st.Lang = "ko"
		b := e.Line("가"+pair[:3]+"나"+pair[3:]+"다", st, 0)
		glyphs := e.Placed(b)
		for i := 1; i < len(glyphs); i++ {
			if gap := glyphs[i].Ink.X0 - glyphs[i-1].Ink.X1; gap < 0 || gap > .25*px {
				t.Errorf("%s: %v px between characters %d and %d", pair, gap, i-1, i)
			}
		}
	}
}
