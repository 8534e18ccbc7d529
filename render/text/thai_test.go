package text_test

import (
	"strings"
	"testing"

	"masthead/render/text"
)

// TestBreaks_thaiWords checks words that the dictionaries lack: foreign ones with letters that are words, those of two
// words, and what belongs to the word before it.
func TestBreaks_thaiWords(t *testing.T) {
	t.Parallel()
	e := text.NewEngine()
	for _, want := range []string{
		"สกัด|แอนโทไซยานิน|จาก|ข้าวเหนียว",
		"แอนโทไซยานิน|ไว้|ได้",
		"เขียน|บอต|แจ้งเตือน|ระดับน้ำ|ใน|คลอง",
		"เสร็จ|ก่อน|หน้าฝน",
		"เที่ยว|น่าน|วันเดียว|กับ|เพื่อน|จาก|บ้านเดียวกัน",
		"ขาย|กล้วย|กิโลละ|สิบ|บาท",
	} {
		if got := e.Breaks(strings.ReplaceAll(want, "|", "")); got != want {
			t.Errorf("\n got %s\nwant %s", got, want)
		}
	}
}

// TestFit_thaiWordsStayWhole holds that no line of a Thai title ends inside a foreign word or an ordinal number,
// between a number and its unit or a word and its model, inside a name, or between an office and the name.
func TestFit_thaiWordsStayWhole(t *testing.T) {
	t.Parallel()
	e := text.NewEngine()
	for _, c := range []struct{ statement, title string }{
		{"foreign word", "เทคนิคใหม่ของการเอน·แค·ป·ซู·เล·ชันสำหรับโรงงานยาขนาดเล็กในไทย"},
		{"compound", "เขียนโปรแกรมแจ้ง·เตือนระดับน้ำในคลองก่อนหน้า·ฝนด้วยตัวเอง"},
		{"ordinal in a word", "ถ้าฟังดี ๆ ในเพลง·ที่·สี่จะได้ยินเสียงรถไฟผ่านหน้าบ้านพอดี"},
		{"ordinal in a word", "คุยกับช่างปั้นหม้อรุ่น·ที่·ห้าเรื่องเตาเผาและดินของหมู่บ้าน"},
		{"model", "วิธีลดค่าฝุ่น~PM2.5 ด้วยต้นไม้ในห้องนอน"},
		{"office", "เทศบาลเคาะงบซ่อมถนน นายกฯ~วิ·ชัย~ศรี·วร·กุล ยันเสร็จก่อนปีใหม่"},
		{"person talked to", "กาแฟใต้ร่มไม้บนยอดดอย คุยกับนลิน~อา·เยอ เรื่องราคาที่คนปลูกตั้งเอง"},
	} {
		t.Run(c.statement, func(t *testing.T) { parts(t, e, "th", c.title) })
	}
}

// TestFit_thaiNumbersEndWhereTheyCountNothing holds that a line may end after an ordinal number, and after “one” that
// follows its noun.
func TestFit_thaiNumbersEndWhereTheyCountNothing(t *testing.T) {
	t.Parallel()
	e := text.NewEngine()
	for _, want := range []string{"เสียงรถไฟในเพลงที่สี่|ที่ไม่มีใครเคยฟัง", "เช้าวันหนึ่ง|ตลาดน้ำก็หายไป"} {
		st := text.Inter.Title(0)
		st.Lang = "th"
		b := e.Fit(strings.ReplaceAll(want, "|", ""), st, text.Box{W: 640, H: 300}, text.Steps(2, 72))
		if got := strings.Join(linesOf(b), "|"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestLine_thaiCutsEndAtWords cuts a title at many widths: not inside a word that the dictionary lacks, nor after a
// preposition.
func TestLine_thaiCutsEndAtWords(t *testing.T) {
	t.Parallel()
	st := text.Inter.Title(60)
	st.Lang = "th"
	e := text.NewEngine()
	for w := 500.0; w < 1500; w += 15 {
		got := e.Line("ความคงตัวของข้าวเหนียวดำภายหลังการแปรรูปด้วยมอลโทเดกซ์ทรินร่วมกับโปรตีนถั่วเขียว", st, w).Text()
		for _, end := range []string{"มอ…", "มอล…", "มอลโท…", "มอลโทเดกซ์ท…", "ภายหลัง…", "ร่วมกับ…"} {
			if strings.HasSuffix(got, end) {
				t.Errorf("%v px: %s", w, got)
			}
		}
	}
}

// TestFitStack_thaiNumbersStayWithTheirUnits lays out a description at many widths.
func TestFitStack_thaiNumbersStayWithTheirUnits(t *testing.T) {
	t.Parallel()
	title, st := text.Inter.Title(0), text.Inter.Text(30, 400)
	title.Lang, st.Lang = "th", "th"
	e := text.NewEngine()
	for w := 590.0; w <= 640; w += 10 {
		_, b := e.FitStack(text.Stack{
			Title: "หนังกลางแปลงริมน้ำ", TitleStyle: title, TitleBox: text.Box{W: w, H: 300}, Ladder: text.Steps(2, 72),
			Text: "ฉายหนังฟิล์ม 35 มม. สามคืนติดบนจอผ้าใบขนาด 12 เมตร มีตลาดของกินและวงดนตรีเปิดก่อนฉาย " +
				"เตรียมเสื่อกับยากันยุงมาเอง ฝนตกย้ายเข้าหอประชุม",
			TextStyle: st, TextWidth: w, TextLines: 3, Gap: 30, MaxHeight: 500,
		})
		if got := strings.Join(linesOf(b), "|"); strings.Contains(got, "12|") || got == "" {
			t.Errorf("%v px: %s", w, got)
		}
	}
}

// TestFit_thaiPlacesStayWhole fits a title that is cut into narrow boxes.
func TestFit_thaiPlacesStayWhole(t *testing.T) {
	t.Parallel()
	st := text.Inter.Title(0)
	st.Lang = "th"
	e := text.NewEngine()
	const title = "เทศบาลเคาะงบ 386 ล้านบาทขุดลอกบึงทุ่งสร้าง นายกฯ วิชัย ศรีวรกุล ยันเสร็จก่อนหน้าฝน"
	for w := 540.; w <= 580; w += 40 {
		b := e.Fit(title, st, text.Box{W: w, H: 300}, text.Steps(2, 104, 92, 84, 76).Then(3, 68, 60))
		got := strings.Join(linesOf(b), "|")
		if strings.Contains(got, "บึง|") || strings.Contains(got, "ทุ่ง|") {
			t.Errorf("%v px: %s", w, got)
		}
	}
}
