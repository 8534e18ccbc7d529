package text_test

import (
	"strings"
	"testing"

	"masthead/render/text"
)

// TestFit_koreanAndChineseWordsStayTogether holds that no line of a Korean title ends between a measure and its noun or
// a verb and its auxiliary, and none of a Chinese title inside a term, before an occupation or after what needs a noun.
func TestFit_koreanAndChineseWordsStayTogether(t *testing.T) {
	t.Parallel()
	e := text.NewEngine()
	for _, c := range []struct{ statement, lang, title string }{
		{"measure and noun", "ko", "Spring Boot 애플리케이션을 40MB~컨테이너로 줄이는 방법"},
		{"auxiliary", "ko", "첫 자취 전에 꼭 확인해야~할 7가지, 계약서보다 먼저"},
		{"auxiliary", "ko", "이중항혈소판요법 유지 기간을 6개월로 줄여도~되는가 임상시험"},
		{"power plant", "zh-Hans", "宁夏三座光伏治沙·电站并网，年发电量预计达41亿千瓦·时"},
		{"occupation", "zh-Hans", "从煤矿到雪场：对话阿勒泰滑雪·教练努尔兰"},
		{"occupation", "zh-Hant", "【誠徵】數位·典藏資料·工程師（台北南港，每週可遠端兩天）"},
		{"style", "zh-Hant", "為甚麼美式·咖啡一定要加冰塊才好喝？"},
		{"number of a term", "zh-Hans", "从单体到多活：我们把订单系统搬到三地五·中心的十八个月"},
	} {
		t.Run(c.statement, func(t *testing.T) { parts(t, e, c.lang, c.title) })
	}
}

// TestFit_koreanNamesStayWhole fits titles into boxes that have room for what belongs together: the title of a work,
// two nouns after “and”.
func TestFit_koreanNamesStayWhole(t *testing.T) {
	t.Parallel()
	st := text.Inter.Title(0)
	st.Lang = "ko"
	e := text.NewEngine()
	for _, c := range []struct{ title, never string }{
		{"특별전 〈소금, 길을 내다〉 관람 안내", "소금,|"},
		{"새 검색기 출시: 증분 색인과 메모리 사용량 40% 절감", "메모리|"},
	} {
		for w := 580.; w <= 1020; w += 40 {
			b := e.Fit(c.title, st, text.Box{W: w, H: 420}, text.Steps(3, 104, 92, 84, 76).Then(4, 68, 60, 56))
			if got := strings.Join(linesOf(b), "|"); strings.Contains(got, c.never) {
				t.Errorf("%v px: %s", w, got)
			}
		}
	}
}
