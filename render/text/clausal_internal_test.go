package text

import (
	"strings"
	"testing"
)

// TestJudge_linesOfClausesEndWhereTheyAreRead checks the penalties of lines that end at the “|” of a text: below 0 at
// the end of a clause, and otherwise those of a fault.
func TestJudge_linesOfClausesEndWhereTheyAreRead(t *testing.T) {
	e := NewEngine()
	for _, c := range []struct {
		lang, text string
		fault      bool
	}{
		{"zh-Hans", "首批研究成果发布：|28亿年前仍有火山活动", false}, {"zh-Hans", "票价最低280元起，|周五上演", false},
		{"zh-Hant", "港股收市|｜恒指下跌", false}, {"ja", "日本経済を救うのか|——市場規模の光と影", false},
		{"ja", "日本橋区間の地下化、|出入口を廃止", false}, {"ja", "「働き方改革」|から7年、残業時間は", true}, {"ja", "刊行を語る|「物語は井戸を掘るようなもの」", false},
		{"th", "คงดอกเบี้ยนโยบายที่ 1.25%| คาดเศรษฐกิจปีหน้าโต 1.8%", false},
		{"th", "คลื่นลมแรง| เรือเล็กควรงดออกจากฝั่ง", false},
		{"zh-Hans", "长焦售价|6499元起", true}, {"zh-Hans", "羽毛球每小时|30元", true}, {"zh-Hans", "上海月薪|35–55K", true},
		{"zh-Hant", "恒指跌|387點", true}, {"zh-Hant", "恒指失守|兩萬六", true}, {"zh-Hant", "總冠軍賽|G5開打", true},
		{"zh-Hans", "如何用Docker| Compose部署可扩展的微服务", true}, {"ja", "16のApp| RouterでPPRへ移行する", true},
		{"ja", "クラウドファンディング|で9億円", true}, {"ja", "楽しむセルフ|メディケーションの税制", true},
		{"ko", "한 달 사용기:| 215g, 4.2mm가 바꾼 접이식", false}, {"ko", "노벨 문학상 이후,| 동네 책방에", false},
		{"th", "ทดลองติดตั้ง PostgreSQL 18 บน| Ubuntu 24.04", true}, {"th", "ทุ่มงบลงทุน 5 ปี ลุย|ก๊าซธรรมชาติ", true},
		{"th", "ทำงานที่บ้านได้ เงินเดือน| 60,000–90,000 บาท", true}, {"th", "ธนาคารคงดอกเบี้ย|นโยบายที่ 1.25%", true},
		{"th", "วิธีต่อใบขับขี่ออนไลน์| 2569 ทำตามนี้", true}, {"th", "พาช้างศึกเฉือนเวียดนาม| 2-1 ทะลุรอบรองชนะเลิศ", true},
		{"th", "สมเด็จพระ|นเรศวรมหาราช", true}, {"th", "ที่ 1.25% คาด|เศรษฐกิจปีหน้าโต", true},
		{"zh-Hans", "央行宣布下调存款|准备金率0.5个百分点", true}, {"zh-Hans", "北京国家|大剧院12月19日上演", true},
		{"zh-Hant", "2026台北國際|書展2月3日登場", true}, {"zh-Hans", "直接发放至个人|账户", true},
		{"zh-Hans", "至个人账户，灵活|就业人员纳入保障范围", true},
		{"ja", "2026年秋からコード|決済「teppay」開始", true}, {"ja", "新作長編『街とその|不確かな壁』の英訳刊行を語る", true},
		{"ko", "제30회| 부산국제영화제, 박찬욱 감독", true}, {"ko", "관세 10%p| 인하·희토류 수출 통제", true},
		{"th", "ลลิษา มโนบาล จากเด็ก|บุรีรัมย์สู่ศิลปินระดับโลก", true},
		{"th", "รีวิว iPhone 17 Pro| Max หลังใช้จริง", true}, {"th", "เชียงใหม่ปิดถนน|นิมมานเหมินท์จัดเทศกาล", true},
		{"zh-Hant", "一座圖書館？——專訪|建築師談國家歌劇院", true},
	} {
		st := Inter.Title(0)
		st.Lang = c.lang
		p := &e.para
		e.compose(p, strings.Replace(c.text, "|", "", 1), st)
		p.judge()
		at, found := len([]rune(c.text[:strings.IndexByte(c.text, '|')])), false
		for _, b := range p.breaks {
			if b.end == at {
				found = true
				if c.fault && b.penalty < faultPenalty || !c.fault && b.penalty >= 0 {
					t.Errorf("%s: %.3f", c.text, b.penalty)
				}
			}
		}
		if !found && !c.fault {
			t.Errorf("%s: no line may end there", c.text)
		}
	}
}

// TestFit_clausesOnLinesOfTheirOwn checks the lines of titles that are read by clauses, in boxes of a width in em of
// their first size: a term or a list that is wider than that makes the title smaller, and no line is left with the last
// word of a clause.
func TestFit_clausesOnLinesOfTheirOwn(t *testing.T) {
	e := NewEngine()
	for _, c := range []struct {
		lang, lines string
		em          float64
		ladder      Ladder
	}{
		{"zh-Hans", "家庭版麻婆豆腐：|麻、辣、烫、酥、嫩，|一次做对", 8, Steps(3, 80)},
		{"ja", "「推し活」は|日本経済を救うのか|——市場規模|3兆5,000億円の光と影", 11.5, Steps(3, 80).Then(4, 72, 64)},
	} {
		st := Inter.Title(0)
		st.Lang = c.lang
		box := Box{W: 72 * c.em, H: 420}
		b := e.Fit(strings.ReplaceAll(c.lines, "|", ""), st, box, c.ladder.WithSpares(48))
		var lines []string
		for _, l := range b.Lines {
			lines = append(lines, l.Text)
		}
		if got := strings.Join(lines, "|"); got != c.lines {
			t.Errorf("%s at %g px, not %s", got, b.SizePx, c.lines)
		}
	}
}

// TestFit_linesOfTitlesInBoxes checks the lines of titles of Asia in the boxes and with the sizes of designs.
func TestFit_linesOfTitlesInBoxes(t *testing.T) {
	e := NewEngine()
	for _, c := range []struct {
		statement, lang, lines string
		w, h                   float64
		ladder                 Ladder
	}{
		{
			"a noun of two words and its number", "ja", "「推し活」は|日本経済を救うのか|——市場規模|3兆5,000億円の光と影",
			992, 552, Steps(2, 116, 104).Then(3, 96, 88, 80),
		},
		{
			"who does it is no clause", "ja", "トヨタ、全固体電池を|搭載したEVを|2027年にも|市場投入へ|航続距離は1,000km超",
			740, 460, Steps(2, 156, 136).Then(5, 116, 104, 92, 80),
		},
		{
			"a project and its name", "th", "ครม. ไฟเขียวโครงการ ‘คนละครึ่งพลัส’|เฟส 2 วงเงิน 44,000 ล้านบาท|ลงทะเบียน 1 ม.ค. 70",
			1056, 224, Steps(1, 104, 92, 84, 76, 68).Then(2, 68, 64).Then(3, 58, 54, 50),
		},
		{
			"a dash", "zh-Hant", "為什麼我們需要|一座圖書館？|——專訪建築師伊東豊雄談|「臺中國家歌劇院」之後",
			612, 252, Steps(2, 96, 84).Then(3, 72, 64).Then(4, 60),
		},
		{
			"lakh and crore", "hi", "शेयर बाज़ार:|सेंसेक्स 742 अंक टूटा,|निवेशकों के|4.3 लाख करोड़ रुपये डूबे",
			740, 560, Steps(5, 132, 116, 104, 92, 80).Then(6, 80, 72).Then(7, 64),
		},
		{
			"lists at a spare size", "zh-Hant", "租屋補貼懶人包：|申請資格、金額試算、|應備文件一次看，|最高每月可領8,000元",
			848, 490, Steps(3, 140, 128, 116, 104).Then(4, 100).Then(5, 96),
		},
		{
			"a name at a spare size", "th", "รีวิว iPhone 17 Pro Max|หลังใช้จริง 1 เดือน คุ้มไหม|กับราคา 48,900 บาท",
			848, 490, Steps(3, 140, 128, 116, 104).Then(4, 100).Then(5, 96),
		},
	} {
		st := Inter.Title(0)
		st.Lang = c.lang
		title := strings.NewReplacer("へ|", "へ\u3000", "|", "").Replace(c.lines)
		if c.lang != "ja" && c.lang != "zh-Hant" {
			title = strings.ReplaceAll(c.lines, "|", " ")
		}
		b := e.Fit(title, st, Box{W: c.w, H: c.h}, c.ladder.WithSpares(48))
		var lines []string
		for _, l := range b.Lines {
			lines = append(lines, strings.TrimSpace(l.Text))
		}
		if got := strings.Join(lines, "|"); got != c.lines {
			t.Errorf("%s: %s at %g px, not %s", c.statement, got, b.SizePx, c.lines)
		}
	}
}

// TestFitStack_linesOfDescriptionEndWell checks that a description which would part what belongs together takes a
// little more width, or one of the lines that are left below the same title.
func TestFitStack_linesOfDescriptionEndWell(t *testing.T) {
	t.Parallel()
	e := NewEngine()
	for _, c := range []struct {
		lang, lines string
		px, w       float64
		most        int
	}{
		{"zh-Hans", "曲目包括肖邦《第一叙事曲》|与巴赫《哥德堡变奏曲》，|学生凭证件可购买半价票。", 32, 640, 3},
		{"th", "ย้อนเหตุการณ์ พ.ศ. 2135 |ผ่านพงศาวดารไทยและพม่า |พร้อมข้อถกเถียงของนักประวัติศาสตร์รุ่นใหม่", 32, 640, 3},
		{"en", "What changed in the client, which |options were removed, and a codemod |that does most of it for you.", 28, 504, 3},
		{"pl", "Zamiast Krupówek: |Polana Stare Kościeliska, willa Koliba |i bacówka u pana Andrzeja. |Mapa i ceny w środku.", 28, 520, 4},
		{"pl", "Zamiast Krupówek: Polana Stare |Kościeliska, willa Koliba i bacówka |u pana Andrzeja. Mapa i ceny w środku.", 28, 520, 3},
		{"de", "Es sind nur 15 Arbeitstage, für Alleinerziehende 30. |Das Formular gibt es bei der Krankenkasse.", 30, 760, 2},
	} {
		s := Stack{
			Title: "Acme", TitleStyle: Inter.Title(0), TitleBox: Box{W: c.w}, Ladder: Steps(1, 60), MaxHeight: 400,
			Text: strings.ReplaceAll(c.lines, "|", ""), TextStyle: Inter.Text(c.px, 400), TextWidth: c.w, TextLines: c.most,
		}
		s.TextStyle.Lang = c.lang
		_, b := e.FitStack(s)
		var lines []string
		for _, l := range b.Lines {
			lines = append(lines, strings.TrimSpace(l.Text))
		}
		if got := strings.Join(lines, "|"); got != strings.ReplaceAll(c.lines, " |", "|") {
			t.Errorf("%s, not %s", got, c.lines)
		}
		s.MaxHeight = 100 // of two lines
		if _, b := e.FitStack(s); b != nil && len(b.Lines) > 2 {
			t.Errorf("%q in %d lines, above its foot", c.lines, len(b.Lines))
		}
	}
}
