package text_test

import (
	"slices"
	"strings"
	"testing"

	"masthead/render/text"
)

// TestFit_chineseWordsStayWithWhatTheyBelongTo holds titles in boxes of many widths: no line ends with these words.
func TestFit_chineseWordsStayWithWhatTheyBelongTo(t *testing.T) {
	for _, c := range []struct{ name, lang, title, never string }{
		{"number", "zh-Hans", "从单体到多活：我们把订单系统搬到三地五中心的十八个月", "三地五"},
		{"part of a number", "zh-Hans", "一座老城的三次搬迁与两代人的记忆", "与两"},
		{"attribute", "zh-Hans", "基于单细胞转录组测序的肝内胆管细胞癌免疫微环境异质性研究", "肝内"},
		{"style", "zh-Hant", "為甚麼港式奶茶一定要「撞茶」？", "港式"},
		{"job", "zh-Hans", "第27期｜从煤矿到雪场：对话阿勒泰滑雪教练努尔兰", "滑雪"},
		{"plant", "zh-Hans", "宁夏中卫三座光伏治沙电站并网，年发电量预计达41亿千瓦时", "治沙"},
		{"unit", "zh-Hans", "年发电量预计达到历史最高的41亿千瓦时", "千瓦"},
		{"release", "zh-Hans", "Suanpan 4.0 发布：内核重写，查询提速近三倍", "4.0"},
		{"label", "zh-Hant", "【誠徵】數位典藏資料工程師（台北南港，每週可遠端兩天）", "【誠徵】數位"},
		{"bar", "zh-Hans", "第27期｜从煤矿到雪场：对话阿勒泰滑雪教练努尔兰", "｜"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := text.NewEngine()
			st := text.Inter.Title(0)
			st.Lang = c.lang
			for w := 480.; w <= 1000; w += 40 {
				b := e.Fit(c.title, st, text.Box{W: w, H: 420}, text.Steps(3, 104, 92, 84, 76, 68).Then(4, 60, 54, 48))
				for _, line := range linesOf(b)[:len(b.Lines)-1] {
					if strings.HasSuffix(line, c.never) {
						t.Errorf("%v px: %q", w, linesOf(b))
					}
				}
			}
		})
	}
}

// TestFit_barOfALabelIsLeftOutAtTheEndOfALine holds that a bar is left out there, and nowhere else.
func TestFit_barOfALabelIsLeftOutAtTheEndOfALine(t *testing.T) {
	st := text.Inter.Title(0)
	st.Lang = "zh-Hans"
	e := text.NewEngine()
	title := "第27期｜从煤矿到雪场：对话阿勒泰滑雪教练努尔兰"
	b := e.Fit(title, st, text.Box{W: 620, H: 430}, text.Steps(4, 84))
	if want := []string{"第27期", "从煤矿到雪场：", "对话阿勒泰", "滑雪教练努尔兰"}; !slices.Equal(linesOf(b), want) {
		t.Errorf("%q, want %q", linesOf(b), want)
	}
	if b := e.Line(title, st, 0); b.Text() != title {
		t.Errorf("on one line: %q", b.Text())
	}
}

// TestFit_shortNameOfAPackageIsOneLine holds that a name with a hyphen is smaller rather than parted there.
func TestFit_shortNameOfAPackageIsOneLine(t *testing.T) {
	st := text.Inter.Title(0)
	for title, want := range map[string]int{"hangul-fold": 1, "songgeum-python-client": 2} {
		ladder := text.Steps(2, 112, 98).Then(3, 84, 76).Then(4, 70, 64, 56, 48)
		b := text.NewEngine().Fit(title, st, text.Box{W: 560, H: 430}, ladder)
		if len(b.Lines) != want {
			t.Errorf("%q, want %d lines", linesOf(b), want)
		}
	}
}

// TestLine_cutEndsBeforeABracket holds that a cut text doesn't end in the first word of brackets.
func TestLine_cutEndsBeforeABracket(t *testing.T) {
	st := text.Inter.Title(40)
	st.Lang = "ko"
	e := text.NewEngine()
	title := "오라클에서 옮긴 11개월의 기록 (발표 영상)"
	for w := e.Measure("오라클에서 옮긴 11개월의 기록…", st) + 1; w < e.Measure(title, st)-1; w += 10 {
		if b := e.Line(title, st, w); strings.Contains(b.Text(), "(") {
			t.Errorf("%v px: %q", w, b.Text())
		}
	}
}
