package text

import (
	"sort"
	"strings"
	"sync"
)

// hanWord reports whether two letters are a common Chinese or Japanese word. It reads hanWords in place.
func hanWord(a, b rune) bool {
	if a < 0x4e00 || a > 0x9fff || b < 0x4e00 || b > 0x9fff || hanWords() == "" {
		return false
	}
	if newHanWords()[[2]rune{a, b}] {
		return true
	}
	words := hanWords()
	number := func(i int) rune { return rune(words[2*i])<<8 | rune(words[2*i+1]) }
	firsts := int(number(0))
	seconds := 1 + 2*firsts
	i, ok := sort.Find(firsts, func(i int) int { return int(a - number(1+2*i)) })
	if !ok {
		return false
	}
	start, end := 0, int(number(2+2*i))
	if i > 0 {
		start = int(number(2 * i))
	}
	_, ok = sort.Find(end-start, func(i int) int { return int(b - number(seconds+start+i)) })
	return ok
}

// newHanWords are words of headlines that are younger than the dictionary, or names.
var newHanWords = sync.OnceValue(func() map[[2]rune]bool {
	out := map[[2]rune]bool{}
	for _, w := range strings.Fields(`营收 營收 财报 財報 芯片 显卡 云端 手游 网红 網紅 带货 帶貨 外卖 外賣 港鐵 博主 莫高 同声 传译
		复盘 后端 开源 编程 缓存 运维 微信 景区 彩妆 穿搭 航拍 电动 混动 房价 租房 买房 考研 雅思 通胀 链条 仓储 电商 短剧
		联赛 进球 欧冠 亚运 疫情 半導 導體 量化 降本 增效 出海 内卷 躺平 刷屏 热搜 弹幕 种草 国潮 露营 徒步 骑行 剧透 追剧
		同比 环比 定档 超导
		首发 首秀 夺冠 晋级 连胜 逆转 预售 热销 涨停 跌停 回购 减持 增持 并购 独董 监管 催收 扫码 付费 会员 积分 红包 快充
		跨境 直飞 自驾 入境 免签 医保 社保 集采 控糖 减脂 代餐 熬夜 脱发 焦虑 抑郁 内耗`) {
		r := []rune(w)
		out[[2]rune{r[0], r[1]}] = true
	}
	return out
})

// hanSuffixes end a word of three characters whose first two are a word, and seldom begin one.
const hanSuffixes = "率度性化者员員机機金费費品级級业業节節版段站馆館厅廳室署所厂廠赛賽奖獎权權论論师師型式类類界区區线線层層" +
	"游感值窟额額税稅券证證票报報刊网網台舱艙罪派族热熱"

// hanSuffixAt reports whether the character at i is the end of a word of three: 节 of 电影节. Before another word that it
// may begin it isn't taken for one.
func (p *paragraph) hanSuffixAt(i int) bool {
	return i > 1 && containsRune(hanSuffixes, p.runes[i]) && isHan(p.runes[i-1]) && p.hanWordAt(i-1) &&
		(i < 3 || !p.hanWordAt(i-2) || i > 3 && p.hanWordAt(i-3)) && !p.hanWordAt(i) &&
		(i+1 == len(p.runes) || !p.hanWordAt(i+1))
}

// hanWordAt reports whether runes[i-1] and runes[i] are a common word.
func (p *paragraph) hanWordAt(i int) bool {
	return hanWord(p.runes[i-1], p.runes[i]) && !p.locative(i-1)
}

// insideHanWord reports whether a break before runes[i] is inside a common word, and not between two of them.
func (p *paragraph) insideHanWord(i int) bool {
	return p.hanWordAt(i) && !(i > 1 && i+1 < len(p.runes) && p.hanWordAt(i-1) && p.hanWordAt(i+1))
}

// Characters that follow a span of time, those that end one, and those that may be between its number and its end.
const (
	locatives = "内內前后後"
	spans     = "钟鐘秒时時天日周週月季年"
	inSpans   = " 分小个個星期"
)

// locative reports whether runes[i] follows a span of time, such as 内 in 十分钟内: it belongs to the span, although it
// may begin a common word with the next character, such as 内部.
func (p *paragraph) locative(i int) bool {
	const longest = 5 // characters between the number and the end of a span
	if i < 2 || !containsRune(locatives, p.runes[i]) || !containsRune(spans, p.runes[i-1]) {
		return false
	}
	for j := i - 2; j >= max(i-2-longest, 0); j-- {
		switch r := p.runes[j]; {
		case r >= '0' && r <= '9', containsRune(hanNumbers, r), r == '半':
			return true
		case !containsRune(inSpans, r):
			return false
		}
	}
	return false
}
