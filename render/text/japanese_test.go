package text_test

import (
	"strings"
	"testing"

	"masthead/render/text"
)

// TestFit_japaneseWordsStayWhole holds that no line of a Japanese title begins with a word that belongs to the one
// before it, or ends after the colon of short brackets, after a noun in kana, or inside a rate.
func TestFit_japaneseWordsStayWhole(t *testing.T) {
	t.Parallel()
	e := text.NewEngine()
	for _, c := range []struct{ statement, title string }{
		{"each", "10年もののRailsを少し·ずつ型に載せ替える"},
		{"label in brackets", "霧笛のある港町（聞き手：·森田さん）"},
		{"noun in kana", "古い工作機械のふところ·寸法を測る方法"},
		{"rate", "無段変速400〜1,700回／·分の糸鋸盤"},
	} {
		t.Run(c.statement, func(t *testing.T) { parts(t, e, "ja", c.title) })
	}
}

// TestLine_japaneseCutsEndInNoPrefix cuts a description at many widths.
func TestLine_japaneseCutsEndInNoPrefix(t *testing.T) {
	t.Parallel()
	st := text.Inter.Text(30, 400)
	st.Lang = "ja"
	e := text.NewEngine()
	for w := 300.0; w < 900; w += 10 {
		got := e.Line("最大接続数と死活監視の各パラメーター、および約六十の設定を説明", st, w).Text()
		if strings.HasSuffix(got, "各…") || strings.HasSuffix(got, "約…") {
			t.Errorf("%v px: %s", w, got)
		}
	}
}

// TestFitStack_japaneseNumbersStayWithTheirUnits lays out a description at many widths.
func TestFitStack_japaneseNumbersStayWithTheirUnits(t *testing.T) {
	t.Parallel()
	title, st := text.Inter.Title(0), text.Inter.Text(30, 400)
	title.Lang, st.Lang = "ja", "ja"
	e := text.NewEngine()
	for w := 560.0; w <= 640; w += 10 {
		_, b := e.FitStack(text.Stack{
			Title: "卓上糸鋸盤", TitleStyle: title, TitleBox: text.Box{W: w, H: 300}, Ladder: text.Steps(2, 72),
			Text: "無段変速400〜1,700回／分、最大切断厚50 mm。振動を抑える鋳鉄ベースと、" +
				"工具なしで替えられるクイックチャックを採用した、木工・アクリル兼用の卓上糸鋸盤です。",
			TextStyle: st, TextWidth: w, TextLines: 4, Gap: 30, MaxHeight: 500,
		})
		if got := strings.Join(linesOf(b), "|"); strings.Contains(got, "50|") || got == "" {
			t.Errorf("%v px: %s", w, got)
		}
	}
}
