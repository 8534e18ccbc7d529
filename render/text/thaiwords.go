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
	// not, will, still, must, should, is; words that make nouns: the act of, -ness, -er, -ist, people of, cost of, region;
	// after, within, under, between, for, about, with, by.
	thaiPrepositions = wordSet(`ใน ของ สู่ จาก และ หรือ กับ
		โดย เพื่อ ที่ ซึ่ง แก่ ต่อ ถึง แห่ง
		ด้วย บน นอก ทุก ไม่ จะ ยัง ต้อง ควร
		เคย กำลัง เป็น คือ ว่า ให้
		การ ความ ผู้ นัก ชาว ค่า ภาค แบบ
		โรค เกาะ กรุง เชิง
		ภายหลัง ภายใน ภายใต้ ระหว่าง สำหรับ เกี่ยวกับ ร่วมกับ ตาม`)
	// thaiPrefixes are those that are the first part of a word or a name: also royal titles, good-, mount, not, will.
	thaiPrefixes = wordSet(`การ ความ ผู้ นัก ชาว ค่า ภาค
		โรค เกาะ กรุง เชิง สุ ช่าง ดอย ไม่ จะ กำลัง
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
	// thaiAbbreviatedOffices are before a person's name, after a space: prime minister or mayor, governor, ministers.
	thaiAbbreviatedOffices = strings.Fields(`นายกฯ ผู้ว่าฯ รมว. รมช. รมต. ส.ส. ส.ว.`)
	// thaiTalks are before the name of whom somebody talks to.
	thaiTalks = strings.Fields(`คุยกับ พูดคุยกับ บทสนทนากับ สนทนากับ สัมภาษณ์ บทสัมภาษณ์`)
	// thaiTopics begin what somebody talks about: about, chapter, lesson, why, how, way, life, world.
	thaiTopics = wordSet(`เรื่อง ตอน บทเรียน ทำไม อย่างไร วิธี ชีวิต โลก`)
	// thaiPlaces are the first word of the name of a place: lakes, streams, mountains, islands, bays, beaches, waterfalls,
	// dams, temples, streets.
	thaiPlaces = wordSet(`บึง หนอง ห้วย คลอง ดอย ภู เกาะ อ่าว หาด น้ำตก เขื่อน วัด ซอย ถนน สะพาน แม่น้ำ ตำบล อำเภอ`)
	// thaiOrdinalNumbers follow -th.
	thaiOrdinalNumbers = wordSet(`หนึ่ง สอง สาม สี่ ห้า หก เจ็ด แปด เก้า สิบ`)
	// thaiUnits follow a number, as classifiers of time, of sizes and of what is counted most.
	thaiUnits = wordSet(`เมตร เซนติเมตร มิลลิเมตร กิโลเมตร ไร่ ลิตร มิลลิลิตร กรัม กิโลกรัม ตัน องศา
		วินาที นาที ชั่วโมง วัน คืน สัปดาห์ เดือน ปี ครั้ง โมง วัตต์ กิโลวัตต์ เมกะวัตต์ ล้าน พัน หมื่น แสน
		คน ราย ตัว ชิ้น แผ่น เล่ม คัน หลัง แห่ง จังหวัด ประเทศ เปอร์เซ็นต์ ดอลลาร์ ยูโร เยน หยวน`)
	// thaiWholes are words that the dictionary has in parts. The first of them, the Great, also ends names.
	thaiWholes = strings.Fields(`มหาราช บทสัมภาษณ์ โซนร้อน
		ทีละ คนละครึ่ง อาเซียนคัพ
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

// thaiTails are words that belong to the one before them: per, and one or the same.
var thaiTails = wordSet(`ละ เดียว เดียวกัน`)

// thaiCompounds are words of headlines that both dictionaries only have the parts of, or less, by their first letter.
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
		เมืองไทย รอบโลก วันนี้ บ้านเรา ทีละขั้นตอน
		แจ้งเตือน แจ้งข่าว ขุดลอก อนุมูลอิสระ เรือหัวโทง วันหยุดยาว วันเสาร์ วันจันทร์ วันอังคาร วันพุธ
		วันพฤหัสบดี วันศุกร์ วันพ่อ วันเด็ก ปลายสัปดาห์ ต้นปี สิ้นปี ที่อยู่ ข้อมูลส่วนบุคคล ชุดข้อมูล
		ร้านก๋วยเตี๋ยว ร้านขนม น้ำมะพร้าว น้ำซุป น้ำมันหอย ข้าวหอมมะลิ พริกแกง ต้มข่าไก่ ลาบหมู หมูทอด
		หมูปิ้ง ปลาทอด กล้วยทอด หอยทอด หอยแมลงภู่ กุ้งเผา รถตู้ รถยนต์ไฟฟ้า รถรับส่ง รับส่ง จอดรถ
		ปั่นจักรยาน โรงคั่ว โรงเบียร์ คนทำงาน ผู้ใช้ ผู้ซื้อ ผู้เล่น ผู้ชม ผู้ติดเชื้อ ผู้ดูแลระบบ นักสะสม
		นักปั่น ช่างต่อเรือ ช่างทอ ชาวเน็ต บ้านมือสอง ห้องฉุกเฉิน หน้าเว็บ หน้าแรก หน้าหลัก ทำมือ ทอมือ
		หางาน การเดินทาง การออกแบบ การจัดการ การอ่าน การขาย การนอน การนอนหลับ การกิน การออกกำลังกาย ความเย็น
		ความคงตัว ความยาว ความละเอียด เปิดจอง เปิดซอร์ส ปิดร้าน ขึ้นเวที จัดสวน จัดเต็ม สั่งปิด ส่งฟรี
		ส่งข้อความ ส่งด่วน นำชม วางจำหน่าย เริ่มงาน ตั้งแคมป์ เก็บเงิน เก็บออม กู้คืน กู้ยืม กู้บ้าน
		จ่ายเงิน ค่าฝุ่น ค่าเทอม ค่าเริ่มต้น ค่าส่ง เงินเยียวยา ตลาดทุน หุ้นกู้ กองถ่าย ลดหย่อนภาษี โลกร้อน
		ภาวะโลกร้อน ก๊าซเรือนกระจก พลังงานสะอาด พลังงานแสงอาทิตย์ ฝุ่นควัน หมอกควัน คุณภาพอากาศ ไฟดับ
		ฝนตกหนัก เครื่องปรับอากาศ เครื่องแม่ข่าย รหัสต้นฉบับ ชื่อผู้ใช้ บัญชีผู้ใช้ บัตรทอง หนังสือนิทาน
		หนังสือเสียง หนังสั้น หนังสยองขวัญ ดนตรีสด ตอนพิเศษ ฉบับสมบูรณ์ ฉบับปรับปรุง สุขภาพดี โรคซึมเศร้า
		โรคอ้วน โรคไต มะเร็งตับ แพทย์แผนไทย ตรวจสุขภาพ ตรวจพบ สังคมสูงวัย สอบเข้า ริมโขง ยอดผู้ชม ผลบอล
		ผลเลือกตั้ง ปลูกผัก ปลูกข้าว ปลูกต้นไม้ ผักสวนครัว พรรคร่วม สภาเทศบาล แก้หนี้ หนี้ครัวเรือน
		แรงงานต่างด้าว อาหารพื้นบ้าน อาหารไทย บอลโลก บอลไทย ฟุตบอลโลก ฟุตบอลไทย ฟุตบอลหญิง แชมป์เอเชีย
		รอบคัดเลือก ตัวช่วย ตัวประมวลผล แบบประเมิน ไม่เคย ไม่ได้ ไม่ควร ไม่กี่ กี่โมง เศรษฐกิจพอเพียง
		ร่วมลงทุน ย้อนอดีต ต่อคิว สีน้ำ สีขาว สีดำ สีฟ้า สีทอง สีผิว เมืองเก่า เมืองรอง เมืองน่าอยู่ ทั่วไทย
		ภาคตะวันออก ภาคประชาชน หมดไฟ หมดหนี้ อายุน้อย อายุยืน รุ่นพี่ อันดับหนึ่ง ย่อยง่าย กินง่าย ทำง่าย
		อ่านง่าย เข้าฉาย เข้าฟรี เข้าพัก เข้าเมือง เข้าชิง เข้าวัด จุดตรวจ จุดเติมน้ำ จุดเปลี่ยน
		จุดหมายปลายทาง ริมทาง ถนนคนเดิน คนเดิน ผ้าทอ ผ้าทอมือ ผ้าผืน หม้อหุงข้าว เบสไฟฟ้า กีตาร์โปร่ง ซอด้วง
		ซอสพริก อุณหภูมิห้อง หอดูดาว ดูดาว ดูหนัง ดูแลผู้ป่วย ซื้อของ ถอดบทเรียน สตาร์ทอัพ สตรีมมิง พอดแคสต์
		เฟรมเวิร์ก แดชบอร์ด อินฟลูเอนเซอร์ เน็ตฟลิกซ์ ยูทูบ ติ๊กต็อก รีโพ โพรไบโอติก คาร์บอนเครดิต พิซซา
		พาสตา แคปซูล บอต แชตบอต เชอร์รี หน้าฝน หน้าหนาว หน้าร้อน หน้าแล้ง`) {
		r := []rune(w)
		out[r[0]] = append(out[r[0]], r)
	}
	return out
})
