package text

import (
	"strings"
	"sync"
)

var (
	// thaiNumbers precede a classifier.
	thaiNumbers = strings.Fields(`หนึ่ง สอง สาม สี่ ห้า หก เจ็ด แปด เก้า สิบ ยี่สิบ ร้อย พัน หมื่น แสน
		ล้าน หลาย กี่ ครึ่ง`)
	// thaiPrepositions precede what they belong to: in, of, to, from, and, or, with, by, for, that, as, outside, every;
	// not, will, still, must, should, is; and words that make nouns: the act of, -ness, -er, -ist, people of, cost of,
	// region.
	thaiPrepositions = wordSet(`ใน ของ สู่ จาก และ หรือ กับ
		โดย เพื่อ ที่ ซึ่ง แก่ ต่อ ถึง แห่ง
		ด้วย บน นอก ทุก ไม่ จะ ยัง ต้อง ควร
		เคย กำลัง เป็น คือ ว่า ให้
		การ ความ ผู้ นัก ชาว ค่า ภาค แบบ
		โรค เกาะ กรุง เชิง`)
	// thaiPrefixes are those that are the first part of a word or a name: also royal titles, good-, mount, not, will.
	thaiPrefixes = wordSet(`การ ความ ผู้ นัก ชาว ค่า ภาค
		โรค เกาะ กรุง เชิง สุ ดอย ไม่ จะ กำลัง
		ถนน เด็ก จังหวัด อำเภอ ตำบล แม่น้ำ สงคราม เทศกาล โครงการ
		กระทรวง มหาวิทยาลัย โรงพยาบาล ธนาคาร สนามบิน`)
	// thaiRoyal are titles that are one word with the name after them.
	thaiRoyal = wordSet(`พระ สมเด็จ`)
	// thaiFollowers belong to the word before them: new, old, very, little, small, big, heavy, strong, fast, thick,
	// fresh, hot, spicy, real, high, low, long, first, last, Thai; can, is (after a verb), up, down, or not.
	thaiFollowers = wordSet(`ใหม่ เก่า มาก น้อย เล็ก ใหญ่
		หนัก แรง เร็ว ข้น สด ร้อน เผ็ด แท้
		สูง ต่ำ ยาว แรก สุดท้าย ล่าสุด ไทย
		ได้ อยู่ ไว้ ขึ้น ลง ไหม หรือไม่ เพิ่ม`)
	// thaiParticles are short words that are never part of a name.
	thaiParticles = wordSet(`จัด คุย ยิง พา ชี้ เผย ลั่น ซัด
		มี ได้ มา ไป ก็ แต่ อยู่ นำ คว้า ชนะ แพ้ ทำ ขอ ตั้ง วัน ปี คน เพิ่ม`)
	// thaiTitles begin the name of a person: Mr, Ms, doctors, professors, officers.
	thaiTitles = strings.Fields(`นาย นางสาว นาง น.ส. ด.ช. ด.ญ. ดร. นพ. พญ. ทพ.
		ผศ. รศ. ศ. พล.อ. พล.ต.อ. พล.ต.ท. พล.ต.ต. พล.ต. พล.ท. พ.ต.อ. พ.ต.ท. พ.ต.ต. พ.อ. ร.ต.อ. ร.ต.ท. ด.ต.
		หม่อม ม.ร.ว. ม.ล.`)
	// thaiOffices begin with a title, but aren't names: the prime minister, a mayor, a doctor, an employer, a capitalist.
	thaiOffices = strings.Fields(`นายก นายแพทย์ นายจ้าง นายทุน นายหน้า นางแบบ นางเอก นางฟ้า นางงาม`)
	// thaiWholes are words that the dictionary has in parts. The first of them, the Great, also ends names.
	thaiWholes = strings.Fields(`มหาราช บทสัมภาษณ์ โซนร้อน
		ทีละ หน่วยละ วันละ ปีละ ครั้งละ คนละครึ่ง อาเซียนคัพ
		เศรษฐกิจโลก เมืองไทย ทำเอง พร้อมเพย์ เป๋าตัง
		น้ำข้น ช้างศึก นาทีสุดท้าย ยิงชัย
		รอบรองชนะเลิศ รอบชิงชนะเลิศ ติดต่อเรา
		สำรองข้อมูล ดอกเบี้ยนโยบาย หนักถึงหนักมาก ดาวเคราะห์นอกระบบ
		ยุบพรรค ศูนย์การประชุม นิมมานเหมินท์ ขั้นตอน`)
	// thaiLeads precede a number: the year, the day, the size, the price, aged, only, per cent, around, down, than,
	// within, nearly, about, to, left, level, rank, model, worth, wages, income.
	thaiLeads = strings.Fields(`ปี ที่ ขนาด ราคา อายุ เพียง
		ร้อยละ รอบ ลด กว่า ภายใน เกือบ
		ประมาณ ถึง เหลือ ระดับ อันดับ
		รุ่น วงเงิน มูลค่า นาที เงินเดือน รายได้`)
	// thaiOrdinals precede a number of which no noun follows: phase, floor, item, season, chapter, route, article.
	thaiOrdinals = strings.Fields(`เฟส ชั้น ข้อ ซีซัน ตอน สาย มาตรา ครั้งที่`)
)

// thaiEndings are words that nearly always end a compound which the dictionary doesn't have, such as seed, local and
// product, or belong to the word before them: this, that, than.
var thaiEndings = [...][]rune{
	[]rune("พันธุ์"), []rune("ถิ่น"), []rune("ภัณฑ์"),
	[]rune("นี้"), []rune("นั้น"), []rune("กว่า"),
	[]rune("ที่สุด"),
}

// thaiCompounds are words of headlines that both dictionaries only have the parts of, by their first letter.
var thaiCompounds = sync.OnceValue(func() map[rune][][]rune {
	out := map[rune][][]rune{}
	for _, w := range strings.Fields(`เต็มรูปแบบ แบบง่าย
		ตะวันออกเฉียงใต้ ตะวันออกเฉียงเหนือ
		รายงานข่าว ปรับขึ้น ปรับลด ทีมชาติ
		นักวิ่ง เปิดให้บริการ สีส้ม สีเขียว
		ภาคกลาง แห่งประเทศไทย มะเร็งปอด
		มะเร็งเต้านม วันที่ ครั้งที่ สนามจันทร์
		ค่าไฟ เปิดรับสมัคร รับรู้ ปิดบวก ปิดลบ
		เชิงอนุรักษ์ นักพัฒนา เศรษฐกิจไทย
		ลงพื้นที่ รถไฟความเร็วสูง
		สินค้าออนไลน์ หุ้นไทย อากาศร้อน
		เมืองไทย รอบโลก วันนี้ บ้านเรา ทีละขั้นตอน`) {
		r := []rune(w)
		out[r[0]] = append(out[r[0]], r)
	}
	return out
})
