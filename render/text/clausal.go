package text

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// This file is for lines of Chinese, Japanese and Thai, which may end nearly anywhere, but are read by clauses: between
// two marks, or in Thai between two spaces. A line that ends inside of one costs something; see also evenness. For
// Korean see korean.go.

// Penalties of a break inside a clause, in addition to that of its words.
const (
	penaltyOutside    = -.04 // where a clause ends
	penaltyInside     = .040 // in Thai, before a number; in Chinese, after why
	penaltyNouns      = .090 // between two words, neither of which is known for beginning or ending a phrase
	penaltyList       = .060 // … or after a word of a list
	penaltyPointEnd   = .020 // after a middle dot
	penaltyMixed      = .050 // a line has a part of one clause and a part of another, for each
	penaltyThaiVerb   = .220 // after a verb, or a word that begins a phrase
	penaltyAmount     = .210 // between a word and its number
	penaltyLongLabel  = .190 // between a long noun of Japanese and its number, see longLabel
	penaltyHead       = .210 // before the last word of a Chinese name or term, see hanHeads
	penaltyBeforeHead = .150 // … or before the word before it
)

// evenness is how much of the squared deviation of lines from their mean counts where they are read by clauses.
const evenness = .5

// clausalSaving is how much of what a smaller size must save it has to save there.
const clausalSaving = .7

// clausalGain is what a spare size has to save if words that belong together are parted at it, too.
const clausalGain = .1

// The smallest share of a size that one with better lines has there.
const (
	leastClausal = .72
	leastFaulty  = .65 // … where what belongs together is parted
	leastParted  = .57 // … a compound or a word is
	leastKorean  = .70 // leastFaulty of Korean
)

// saving returns how much of what a smaller size must save it has to save.
func (p *paragraph) saving() float64 {
	switch {
	case p.clausal():
		return clausalSaving
	case p.isKorean():
		return koreanSaving
	}
	return 1
}

// tooSmall reports whether a smaller step is no alternative to b, or to the best block of the steps between them.
func (p *paragraph) tooSmall(b, best *Block, step Step) bool {
	if !p.clausal() && !p.isKorean() {
		return false
	}
	least := leastClausal
	switch {
	case best.worst >= penaltyCompound:
		least = leastParted
	case best.worst >= faultPenalty && p.isKorean():
		least = leastKorean
	case best.worst >= faultPenalty:
		least = leastFaulty
	}
	return p.metrics(step.SizePx, true).size < least*b.SizePx
}

// clausal reports whether a text is read by clauses.
func (p *paragraph) clausal() bool {
	return p.class == cjk && p.han != korean || p.class == tall && p.stacked
}

// findClauses sets p.clauses: how many clauses end before each position, and whether one ends there, of a text that is
// read by clauses. They end at marks and before dashes, and at brackets and quotes with more than shortPair letters; in
// Thai at spaces that no number is beside.
func (p *paragraph) findClauses() {
	n := len(p.runes)
	p.clauses = zeroed(p.clauses, n+1)
	count := int16(0)
	open := -1 // where brackets opened
	for i := 1; i < n; i++ {
		last, next := p.runes[i-1], p.runes[i]
		ends := false
		switch {
		case p.class == tall:
			ends = last == ' ' && !unicode.IsDigit(next) && !p.thaiSerial(i) && !p.thaiName(i) &&
				(i < 2 || !unicode.IsDigit(p.runes[i-2]) || thaiOpens(p.thaiWordFrom(i)))
		case last == '\u3000', last == '、' && p.han == japanese && i > longestTopic, endsClauseEast(last),
			last == ' ' && i > 1 && containsRune(",:;!?", p.runes[i-2]) && !p.listsAmounts(i),
			next == '—' && last != '—' && last >= firstEast:
			ends = !closesWord(next)
		case unicode.In(next, unicode.Ps, unicode.Pi):
			ends = p.longPair(i)
		}
		if unicode.In(last, unicode.Ps, unicode.Pi) {
			open = i - 1
		} else if closesWord(last) && open >= 0 {
			ends = ends || i-open-2 > shortPair && !closesWord(next) && !p.isParticle(next) && !endsClauseEast(next)
			open = -1
		}
		if ends {
			count++
			p.clauses[i] = -count
		} else {
			p.clauses[i] = count
		}
	}
	p.clauses[n] = -count - 1
}

// longestTopic is the length of the longest beginning of a Japanese title that is who does something rather than a
// clause, with its mark: トヨタ、.
const longestTopic = 4

// listsAmounts reports whether runes[i] is a digit after a comma and what ends in a digit or a Latin letter: 215g,
// 4.2mm.
func (p *paragraph) listsAmounts(i int) bool {
	return i > 2 && unicode.IsDigit(p.runes[i]) && p.runes[i-2] == ',' && p.runes[i-3] < 0x80 && alphanumeric(p.runes[i-3])
}

// longPair reports whether brackets or quotes with more than shortPair letters open at i.
func (p *paragraph) longPair(i int) bool {
	const longest = 60 // letters
	for j := i + 1; j < len(p.runes) && j-i < longest; j++ {
		if closesWord(p.runes[j]) {
			return j-i-1 > shortPair
		}
	}
	return false
}

// clauseAt reports whether a clause ends at a position, or the text begins there.
func (p *paragraph) clauseAt(i int) bool { return i == 0 || p.clauses[i] < 0 }

// unevenness returns the demerits of a line from start to a break, of this width, as compared with the mean, in a box
// of width w.
func (p *paragraph) unevenness(start int, b *lineBreak, width, mean, w float64) float64 {
	off := (width - mean) / w
	switch {
	case p.isKorean():
		return koreanEvenness*off*off + p.koreanLine(start, b, width, mean)
	case !p.clausal():
		return p.raggedShare(b) * off * off
	}
	return evenness*off*off + p.mixedPenalty(start, b)
}

// mixedPenalty returns the penalty of a line that has parts of two clauses.
func (p *paragraph) mixedPenalty(start int, b *lineBreak) (penalty float64) {
	from, to := p.clauses[start], p.clauses[b.next]
	inside := max(to, -to-1) - max(from, -from)
	if start == 0 {
		inside = max(to, -to-1)
	}
	if inside <= 0 {
		return 0
	}
	if from >= 0 && start > 0 {
		penalty += penaltyMixed
	}
	if to >= 0 {
		penalty += penaltyMixed
	}
	return penalty
}

// insideClause returns the penalty of a break inside a clause.
func (p *paragraph) insideClause(b lineBreak) float64 {
	if !p.clausal() || b.end == 0 || b.next >= len(p.runes) {
		return 0
	}
	last, next := p.runes[b.end-1], p.runes[b.next]
	switch {
	case last == '、' && p.han != japanese:
		return penaltyList
	case p.clauseAt(b.next):
		return penaltyOutside
	case p.class == tall:
		return p.insideThai(b)
	case unicode.In(next, unicode.Ps, unicode.Pi), p.labelTo(b.end):
		return 0
	case last == '·', last == '・':
		return penaltyPointEnd
	case closesWord(last) && isHan(next) && (p.han == japanese || b.end == b.next && !p.phraseBegins(b.next)):
		return penaltyNouns
	case p.amountAt(b) && b.weak:
		if p.han != japanese {
			return penaltyAmount - penaltyPhrase
		} else if p.hanBefore(b.end) >= longLabel {
			return penaltyLongLabel - penaltyCompound
		}
		return 0
	case p.amountAt(b):
		return penaltyAmount
	case p.han == japanese:
		return 0
	case b.end == b.next && (p.headAt(b.next) || p.describesNext(b.next)):
		return penaltyHead
	case b.end == b.next && p.beforeHead(b.next):
		return penaltyBeforeHead
	case p.releasedAt(b):
		return penaltyModel
	case p.asksHanBefore(b.next):
		return penaltyInside
	case isHan(last) && isHan(next) && !p.phraseAt(b.end), !isHan(next) && containsRune(leadsHan+"到", last):
		return penaltyNouns
	}
	return 0
}

// endsClauseEast reports whether a clause ends with a mark.
func endsClauseEast(r rune) bool { return containsRune("，；：。！？…｜／", r) }

// longLabel is the number of Chinese characters of a Japanese noun that may be parted from its number, since it is made
// of two: 市場規模 / 3兆5,000億円.
const longLabel = 4

// hanBefore returns the number of Chinese characters in a row that end at i.
func (p *paragraph) hanBefore(i int) (n int) {
	for n < i && isHan(p.runes[i-n-1]) {
		n++
	}
	return n
}

// amountAt reports whether a line would begin with a number, other than one of a date, that belongs to the Chinese
// characters before it: 售价 / 6499元; or with a number that a letter precedes, such as G5.
func (p *paragraph) amountAt(b lineBreak) bool {
	if b.end < b.next || !isHan(p.runes[b.end-1]) || p.runes[b.end-1] == '的' {
		return false
	}
	i := b.next
	if p.han != japanese && i+1 < len(p.runes) && containsRune(hanNumbers, p.runes[i]) &&
		containsRune("百千万萬亿億", p.runes[i+1]) {
		return true // 失守 / 兩萬六
	}
	if p.runes[i] < 0x80 && unicode.IsUpper(p.runes[i]) && i+1 < len(p.runes) && unicode.IsDigit(p.runes[i+1]) {
		return true
	}
	if !unicode.IsDigit(p.runes[i]) {
		return false
	}
	for i < len(p.runes) && (unicode.IsDigit(p.runes[i]) || containsRune(".,:", p.runes[i])) {
		i++
	}
	return i == len(p.runes) || !containsRune("年月日", p.runes[i])
}

// phraseAt reports whether a Chinese phrase probably begins or ends before runes[i]: a particle, a counter, a word of
// one character that belongs to the next one, or a verb is beside it.
func (p *paragraph) phraseAt(i int) bool {
	return containsRune(breakAfterHan+"着著起", p.runes[i-1]) || i > 1 && unicode.IsDigit(p.runes[i-2]) ||
		i > 1 && hanVerb(p.runes[i-2:i]) || p.countedWord(i) || p.phraseBegins(i)
}

// phraseBegins reports whether a word of one character that belongs to the next one, or a verb, is at i.
func (p *paragraph) phraseBegins(i int) bool {
	r := p.runes[i]
	return (containsRune(leadsHan, r) || containsRune(clingsHan, r)) && !(i+1 < len(p.runes) && p.hanWordAt(i+1)) ||
		i+2 <= len(p.runes) && hanVerb(p.runes[i:i+2])
}

// hanVerb reports whether two characters are a common verb of Chinese headlines.
func hanVerb(letters []rune) bool {
	var word [2]rune
	simple := simpleHan()
	for i, r := range letters {
		if r < firstHan || r > lastHan {
			return false
		}
		word[i] = rune(simple[r-firstHan])
	}
	return hanVerbs()[word]
}

// hanVerbs are the verbs of hanVerb, in simplified characters.
var hanVerbs = sync.OnceValue(func() map[[2]rune]bool {
	out := map[[2]rune]bool{}
	for _, w := range strings.Fields(`宣布 下调 上调 发布 释放 开售 上演 加盟 负责 部署 整顿 开放 延长 发放 纳入 触陆 停电 失守 需要 专访
		登场 抵用 公布 亮相 推出 启动 举行 举办 召开 出席 回应 表示 指出 透露 曝光 揭晓 入选 夺冠 击败 战胜 险胜 逆转 晋级 淘汰 落幕 开幕
		闭幕 上映 定档 上线 下线 上市 下架 发行 收购 融资 获得 获批 获奖 提名 突破 超过 达到 降至 升至 跌破 涨超 下跌 上涨 反弹 收涨 收跌
		暴跌 暴涨 提高 降低 减少 增加 增长 取消 恢复 暂停 停止 禁止 限制 实施 执行 施行 生效 通过 批准 审议 修订 修改 调整 优化 升级 更新
		改造 建成 竣工 开工 动工 通车 投运 开通 投入 使用 发现 证实 确认 证明 解读 分析 探讨 了解 学习 掌握 教你 告诉 帮助 支持 反对 拒绝
		接受 同意 要求 呼吁 提醒 警告 预计 预测 迎来 进入 离开 前往 抵达 返回 来到 走进 走出 成为 作为 当选 担任 就任 辞职 卸任 离职 入职
		招聘 报名 申请 办理 领取 发送 下载 安装 配置 运行 开发 制作 编写 构建 实现 完成 结束 开始 继续 保持 维持 加强 推进 推动 促进 加快
		带动 引发 导致 造成 影响 遭遇 面临 应对 解决 处理 调查 逮捕 起诉 涉嫌 处罚 重返 移师 体验 值得 如何 怎么 为何 称霸 出战 迎战
		落地 覆盖 优先 直接 举报 开启 打造 助力 聚焦 见证 揭开 关闭 关停 改名 更名 搬迁 出炉 起飞 降落 撞上 确诊 身亡 受伤 遇难 失踪
		获救 救出 连任 访问 会见 会晤 签署 达成 签约 转会 加入 退出 宣告 宣称 承认 否认 道歉 致歉 感谢 悼念 纪念 庆祝 看待 看好 看空
		迁移 重写 重构 切换 替换 取代 修复 破解 拆解 对话 走近 读懂 看懂 搞定 告别 拥抱 直击 探访 揭秘 盘点 亮出 拿下 夺得 摘得`) {
		var key [2]rune
		copy(key[:], []rune(w))
		out[key] = true
	}
	return out
})

// insideThai is insideClause for Thai: spaces are between phrases, and beside numbers.
func (p *paragraph) insideThai(b lineBreak) float64 {
	last, next := p.runes[b.end-1], p.runes[b.next]
	if b.end < b.next {
		switch {
		case p.thaiSerial(b.next):
			return penaltyNouns
		case unicode.Is(unicode.Pi, next):
			return penaltyNamed
		case p.thaiModel(b.next):
			return penaltyModel - penaltySentence
		case !thai(last) || !unicode.IsDigit(next):
			return 0
		case p.standsAlone(b.next):
			return penaltyAmount // a year, a score
		}
		return penaltyInside
	}
	if !thai(last) || !thai(next) {
		return 0
	}
	before, after := p.thaiWordBefore(b), p.thaiWordAfter(b)
	switch {
	case thaiVerbs[before]:
		return penaltyThaiVerb
	case thaiOpens(after):
		return 0
	}
	return penaltyNouns
}

// thaiName reports whether the space before runes[i] is inside a name: it is between two Latin words or numbers, or a
// quotation mark or a model follows it.
func (p *paragraph) thaiName(i int) bool {
	next := p.runes[i]
	return i > 1 && (unicode.Is(unicode.Pi, next) && thai(p.runes[i-2]) || p.thaiModel(i) ||
		p.runes[i-2] < firstDevanagari && unicode.IsUpper(next))
}

// thaiModel reports whether a word of capitals and digits is at i, after one of Thai: ฝุ่น PM2.5.
func (p *paragraph) thaiModel(i int) bool {
	const longest = 8 // characters
	word := p.wordAfter(i)
	return i > 1 && thai(p.runes[i-2]) && len(word) <= longest && unicode.IsUpper(p.runes[i]) &&
		slices.ContainsFunc(word, unicode.IsDigit)
}

// thaiSerial reports whether one of thaiOrdinals and a number are at i: “เฟส 2”.
func (p *paragraph) thaiSerial(i int) bool {
	word := p.thaiWordFrom(i)
	end := i + len([]rune(word))
	return end+1 < len(p.runes) && p.runes[end] == ' ' && unicode.IsDigit(p.runes[end+1]) &&
		endsInNumber([]rune(word), thaiOrdinals)
}

// thaiOpens reports whether a phrase probably begins with a Thai word: a verb or a preposition.
func thaiOpens(word string) bool {
	return thaiVerbs[word] || thaiPrepositions[word] && !thaiPrefixes[word] && !thaiAttributes[word]
}

// leadsThai reports whether a Thai word that belongs to what follows is before b: a preposition or a verb.
func (p *paragraph) leadsThai(b lineBreak) bool {
	word := p.thaiWordBefore(b)
	return thaiPrepositions[word] || thaiVerbs[word]
}

// partsThai reports whether a break is inside a Thai word that the dictionary lacks, or between words that are one.
func (p *paragraph) partsThai(b lineBreak) bool {
	return b.end == b.next && p.class == tall && p.thaiPenalty(b) >= penaltyWord
}

// thaiWordFrom returns the word at i.
func (p *paragraph) thaiWordFrom(i int) string { return p.thaiWordAfter(lineBreak{end: i, next: i}) }

// standsAlone reports whether a number at i counts nothing: a year, or a score.
func (p *paragraph) standsAlone(i int) bool {
	const yearDigits = 4
	end := i
	for end < len(p.runes) && unicode.IsDigit(p.runes[end]) {
		end++
	}
	if end-i == yearDigits && (p.runes[i] == '2' || p.runes[i] == '1' && p.runes[i+1] == '9') {
		return end == len(p.runes) || blank(p.runes[end])
	}
	return end-i <= 2 && end+1 < len(p.runes) && (p.runes[end] == '-' || p.runes[end] == '–') &&
		unicode.IsDigit(p.runes[end+1])
}

var (
	// thaiVerbs are verbs of headlines, which belong to what follows.
	thaiVerbs = wordSet(`คง คาด ลุย จัด ปิด เปิด ขอ แนะ เตือน เผย ยัน ชี้ สั่ง พบ ค้นพบ ลด เฉือน ถล่ม ชนะ แพ้ บุก
		ทุ่ม ยื่น นัด คุย ดัน เร่ง รับ แจก ห้าม งด พา ทะลุ คว้า จับ ยิง เสนอ ประกาศ เปิดตัว
		เปิดประวัติ รีวิว ติดตั้ง ใช้ ทำ มี ควร ต้อง ปรับ ยัง จะ ห่าง ด้วย พร้อม หลัง ก่อน จนถึง
		ตั้งแต่ แล้ว แต่ เพราะ เมื่อ หาก`)
	// thaiAttributes are prepositions that make a term with the word before them: outside, like.
	thaiAttributes = wordSet(`นอก ทุก แบบ`)
)
