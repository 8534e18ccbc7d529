package text

import (
	"sort"
	"strings"
	"sync"
)

// Lengths of the words of hanWords, in characters.
const (
	shortestHanWord = 2
	longestHanWord  = 4
)

// hanWord reports whether two, three or four letters are a common Chinese or Japanese word. It reads hanWords in place.
func hanWord(letters []rune) bool {
	words := hanWords(len(letters))
	if words == "" {
		return false
	}
	var word [longestHanWord]rune
	simple := simpleHan()
	for i, r := range letters {
		if r < firstHan || r > lastHan {
			return false
		}
		word[i] = rune(simple[r-firstHan])
	}
	if newHanWords()[word] {
		return true
	}
	number := func(i int) rune { return rune(words[2*i])<<8 | rune(words[2*i+1]) }
	firsts := int(number(0))
	columns, count := 1+2*firsts, int(number(2*firsts))
	i, ok := sort.Find(firsts, func(i int) int { return int(word[0] - number(1+2*i)) })
	if !ok {
		return false
	}
	start, end := 0, int(number(2+2*i))
	if i > 0 {
		start = int(number(2 * i))
	}
	_, ok = sort.Find(end-start, func(i int) int {
		at := columns + start + i
		for _, r := range word[1:len(letters)] {
			if d := int(r - number(at)); d != 0 {
				return d
			}
			at += count
		}
		return 0
	})
	return ok
}

// The characters that words of hanWords are of.
const (
	firstHan = 0x4e00
	lastHan  = 0x9fff
)

// simpleHan returns the simplified form of each character from firstHan on, which for most is the character itself.
var simpleHan = sync.OnceValue(func() *[lastHan - firstHan + 1]uint16 {
	out, forms := new([lastHan - firstHan + 1]uint16), hanWords(1)
	for i := range out {
		out[i] = uint16(firstHan + i)
	}
	number := func(i int) uint16 { return uint16(forms[2*i])<<8 | uint16(forms[2*i+1]) }
	const bytes = 4 // of a character and its form
	for i, n := 0, len(forms)/bytes; i < n; i++ {
		out[number(i)-firstHan] = number(n + i)
	}
	return out
})

// newHanWords are words of headlines that are younger than the dictionary, or names, in simplified characters.
var newHanWords = sync.OnceValue(func() map[[longestHanWord]rune]bool {
	out := map[[longestHanWord]rune]bool{}
	for _, w := range strings.Fields(`一带一路 三角钢琴 上行 上调 下行 下调 世界杯 中信 中考 中超 买房 二手房 二维码 云计算 互联网 亚运 产业链
		产品经理 京东 京津冀 人工智能 人机 代餐 众筹 传译 估值 体育公园 体育场 供应链 保研 停班 催收 像素 元宇宙 充电宝 充电桩 光刻机 免签 全运会 全马 公众号 公考 内卷 内耗 再见安打 冬奥会 决赛圈
		准备金率 减仓 减持 减脂 出租车 分数线 创业板 刷屏 刷题 前海 剧透 加仓 北交所 区块链 医保 医保局 半导 半马 华为 单场 博主 博士后 卫健委 双减 发布会 发改委 可持续 台积电 台股 同声 同比
		哔哩哔哩 回购 团购 固态电池 国乒 国家队 国潮 国足 地铁站 场馆 城铁 增持 增效 复盘 外卖 外卖员 外媒 大底 大剧院 大模型 大湾区 大运会 天使轮 夺冠 女排 女篮 女足 奶茶店 字节跳动 学区房 学霸 宁德时代
		官宣 定档 客服 富邦 小程序 小红书 居委会 市值 带货 干货 幸福感 开发者 开箱 弹幕 录取线 彩妆 待在 微信 微博 微服务 快充 快递员 性价比 总冠军 主题国 恒指 懒人包 手游 托育 扫码 投资人 投资者 抖音
		拟于 拼团 拼多多 控糖 摇号 操作系统 收涨 收跌 数据库 文心 新能源 无人机 显卡 普通话 景区 暴风圈 朋友圈 服务器 未成年人 机器人 机捷 林铁 桃猿 楼市 次轮 欧冠 欧洲杯 残奥会 比亚迪 沪指 洲际
		测评 涨薪 深成指 混动 港股 港铁 潜望 火锅店 热搜 热销 独董 环比 珠三角 用气 电商 电竞 男排 男足 疫情 直播间 看空 知乎 短剧 短视频 研报 碳中和 碳达峰 社保 社畜 种草 科创板 租房 移师 程序员
		穿搭 竖屏 签书会 粤港澳 红烧肉 统计局 缓存 编程 网红 网约车 美团 美股 考研 联发科 脑机 腾讯 自驾 航拍 芯片 英超 药监局 莫高 另有 获得感 营收 见面会 触陆 证监会 语言模型 豆包 豆瓣酱 财报 走弱
		走强 超导 跨境 躺平 轻轨 运维 进球 追剧 通义 通胀 速览 避坑 链条 锂电池 长三角 长焦 长照 阿里云 陆股 降本 降薪 限号 限行 限购 雅思 集采 露营地 预制菜 首个 首例 首发 首发阵容 首家 首批
		读写分离 储能 光伏 兆瓦时 千瓦时 并网 手冲 治沙 滤杯 首款 首秀 骑行 高质量 高铁站 鸿海 黑科技`) {
		var key [longestHanWord]rune
		copy(key[:], []rune(w))
		out[key] = true
	}
	return out
})

// hanSuffixes end a word of three characters whose first two are a word, and seldom begin one.
const hanSuffixes = "率度性化者员員机機金费費品级級业業节節版段站馆館厅廳室署所厂廠赛賽奖獎权權论論师師型式类類界区區线線层層" +
	"游感值窟额額税稅券证證票报報刊网網台舱艙罪派族热熱日院官"

// hanSuffixAt reports whether the character at i is the end of a word of three: 节 of 电影节. Before another word that it
// may begin it isn't taken for one.
func (p *paragraph) hanSuffixAt(i int) bool {
	return i > 1 && containsRune(hanSuffixes, p.runes[i]) && isHan(p.runes[i-1]) && p.hanWordAt(i-1) &&
		(i < 3 || !p.hanWordAt(i-2) || i > 3 && p.hanWordAt(i-3)) && !p.hanWordAt(i) &&
		(i+1 == len(p.runes) || !p.hanWordAt(i+1))
}

// hanWordAt reports whether runes[i-1] and runes[i] are a common word.
func (p *paragraph) hanWordAt(i int) bool {
	return p.hanWordFrom(i-1, shortestHanWord)
}

// hanWordFrom reports whether runes[i:i+l] are a common word.
func (p *paragraph) hanWordFrom(i, l int) bool { return hanWord(p.runes[i:i+l]) && !p.locative(i) }

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
	if i > 2 && containsRune("后後", p.runes[i]) && p.runes[i-1] == '前' {
		i-- // 前後
	}
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

// hanHeads are words that mostly end the name of an institution, an event or a job, or a term of economy, law or
// science, in simplified characters: 北京国家大剧院, 存款准备金率.
var hanHeads = sync.OnceValue(func() map[[longestHanWord]rune]bool {
	out := map[[longestHanWord]rune]bool{}
	for _, w := range strings.Fields(`剧院 大剧院 歌剧院 音乐厅 博物馆 博物院 美术馆 图书馆 体育馆 体育场 纪念馆 展览馆 科技馆 水族馆 动物园 植物园
		游乐园 大学 学院 中学 小学 幼儿园 医院 银行 机场 车站 火车站 地铁站 书展 博览会 交易会 电影节 音乐节 艺术节 文化节 委员会 理事会 联合会
		基金会 协会 法院 检察院 研究院 研究所 实验室 集团 出版社 公园 广场 大桥 隧道 公路 铁路 运河 水库 锦标赛 联赛 人员 账户 准备金
		准备金率 利率 汇率 指数 余额 存款 贷款 条例 协定 制度 法案 背面 表面 卫星 空间站 望远镜 变奏曲 奏鸣曲 协奏曲 交响曲 进行曲 叙事曲 电站 发电站 变电站 污水厂 教授 记者 律师 医生 教师 经理 主任
		水电站 核电站 教练 工程师 设计师 架构师 分析师 摄影师 研究员 运动员`) {
		var key [longestHanWord]rune
		copy(key[:], []rune(w))
		out[key] = true
	}
	return out
})

// headAt reports whether one of hanHeads is at i, after another word of the same name or term.
func (p *paragraph) headAt(i int) bool {
	const apart = breakAfterHan + leadsHan + trailingHan + hanNumbers
	if p.han == japanese || i < shortestHanWord || !isHan(p.runes[i-1]) || !isHan(p.runes[i-2]) ||
		containsRune(apart, p.runes[i-1]) || containsRune(hanNumbers, p.runes[i-2]) ||
		hanVerb(p.runes[i-2:i]) && !containsRune("发發析", p.runes[i-1]) { // 开发工程师
		return false
	}
	var word [longestHanWord]rune
	simple := simpleHan()
	for l := 0; l < longestHanWord && i+l < len(p.runes); l++ {
		r := p.runes[i+l]
		if r < firstHan || r > lastHan {
			break
		}
		word[l] = rune(simple[r-firstHan])
		if l > 0 && hanHeads()[word] && !(p.phrased && p.insideWords[i+l+1]) {
			return true
		}
	}
	return false
}

// beforeHead reports whether a common word is at i, between a word and one of hanHeads: 灵活 / 就业人员.
func (p *paragraph) beforeHead(i int) bool {
	const both = 2 * shortestHanWord
	return i >= shortestHanWord && i+both <= len(p.runes) && isHan(p.runes[i-1]) && isHan(p.runes[i-2]) &&
		!p.phraseAt(i) && !containsRune(leadsHan+trailingHan+clingsHan, p.runes[i-1]) &&
		p.hanWordFrom(i, shortestHanWord) && p.headAt(i+shortestHanWord)
}
