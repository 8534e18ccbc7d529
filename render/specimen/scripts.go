package specimen

import (
	"fmt"
	"image"
	"image/color"

	"masthead/render"
	"masthead/render/palette"
)

// Designs returns how many pairs of template and kind there are.
func Designs() (n int) {
	for _, t := range render.Templates() {
		n += len(t.Kinds)
	}
	return n
}

// Different returns the i-th of cards that all differ, in text, theme and logo: the first len(pages)·Designs() are one
// for each page and design.
func Different(pages []Page, i int) render.Request {
	design, slug, kind := i/len(pages)%Designs(), "", render.OG
	for _, t := range render.Templates() {
		for _, k := range t.Kinds {
			if design == 0 {
				slug, kind = t.Slug, k
			}
			design--
		}
	}
	r := pages[i%len(pages)].Request(slug, kind)
	r.Title, r.Seed = fmt.Sprintf("%s %d", r.Title, i), fmt.Sprint("https://example.com/", i)
	r.SiteName = fmt.Sprintf("%s %c", r.SiteName, 'A'+rune(i%26))
	r.Font, r.Dark = render.Fonts()[i%len(render.Fonts())], i/3%2 == 0
	r.Accent = palette.RGB(uint32(i) * 2654435761 >> 8)
	r.Logo = image.NewNRGBA(image.Rect(0, 0, 180, 180))
	for y := 30; y < 150; y++ {
		for x := 30; x < 150; x++ {
			r.Logo.SetNRGBA(x, y, color.NRGBA{R: uint8(i), G: uint8(i >> 8), B: uint8(x), A: 255})
		}
	}
	return r
}

// Scripts returns a text in each living script that the faces set, the signs and the emoji among them: Latin is the
// first.
func Scripts() []Page { return scripts }

var scripts = []Page{
	{"latin", "Why we moved our render queue to Postgres", "What we learned in six months of replacing one database with another.", "Engineering", "Northlane", "en"},
	{"vietnamese", "Tại sao chúng tôi chuyển sang Postgres", "Những gì chúng tôi đã học được trong sáu tháng.", "Kỹ thuật", "Ngõ Bắc", "vi"},
	{"greek", "Γιατί μεταφέραμε την ουρά μας στην Postgres", "Τι μάθαμε σε έξι μήνες από την αντικατάσταση μιας βάσης.", "Μηχανική", "Βόρειος δρόμος", "el"},
	{"cyrillic", "Почему мы перенесли очередь в Postgres", "Чему мы научились за шесть месяцев замены одной базы другой.", "Разработка", "Северный переулок", "ru"},
	{"arabic", "لماذا نقلنا قائمة الانتظار إلى Postgres", "ما تعلمناه في ستة أشهر من استبدال قاعدة بأخرى.", "الهندسة", "نورثلين", "ar"},
	{"hebrew", "למה העברנו את תור הרינדור ל-Postgres", "מה למדנו בשישה חודשים של החלפת מסד נתונים.", "הנדסה", "נורת׳ליין", "he"},
	{"devanagari", "हमने अपनी कतार को Postgres पर क्यों ले जाया", "छह महीने में हमने क्या सीखा।", "इंजीनियरिंग", "नॉर्थलेन", "hi"},
	{"bengali", "কেন আমরা আমাদের সারি Postgres-এ সরিয়েছি", "ছয় মাসে আমরা যা শিখেছি।", "প্রকৌশল", "নর্থলেন", "bn"},
	{"tamil", "நாங்கள் ஏன் எங்கள் வரிசையை மாற்றினோம்", "ஆறு மாதங்களில் நாங்கள் கற்றது.", "பொறியியல்", "வடக்கு", "ta"},
	{"thai", "ทำไมเราจึงย้ายคิวการเรนเดอร์ไปยัง Postgres", "สิ่งที่เราได้เรียนรู้ในหกเดือน", "วิศวกรรม", "นอร์ธเลน", "th"},
	{"japanese", "レンダリングキューをPostgresに移行した理由", "六か月、一度の障害、四割のコスト削減。", "開発", "ノースレーン", "ja"},
	{"simplified-chinese", "为什么我们把渲染队列迁移到了 Postgres", "六个月、一次故障、成本降低百分之四十。", "工程", "北巷", "zh-Hans"},
	{"traditional-chinese", "為什麼我們把算繪佇列遷移到了 Postgres", "六個月、一次故障、成本降低百分之四十。", "工程", "北巷", "zh-Hant"},
	{"korean", "렌더링 대기열을 Postgres로 옮긴 이유", "여섯 달 동안 배운 것들입니다.", "엔지니어링", "노스레인", "ko"},
	{"georgian", "რატომ გადავიტანეთ ჩვენი რიგი ახალ ბაზაში", "რა ვისწავლეთ ექვს თვეში.", "ინჟინერია", "ჩრდილოეთი", "ka"},
	{"armenian", "Ինչու մենք տեղափոխեցինք մեր հերթը", "Ինչ սովորեցինք վեց ամսում։", "Ճարտարագիտություն", "Հյուսիս", "hy"},
	{"ethiopic", "ለምን ወረፋችንን ወደ አዲስ ቋት አዛወርን", "በስድስት ወር ውስጥ የተማርነው።", "ምህንድስና", "ሰሜን", "am"},
	{"telugu", "మేము మా వరుసను ఎందుకు మార్చాము", "ఆరు నెలల్లో మేము నేర్చుకున్నది.", "ఇంజనీరింగ్", "ఉత్తరం", "te"},
	{"kannada", "ನಾವು ನಮ್ಮ ಸರತಿಯನ್ನು ಏಕೆ ಬದಲಾಯಿಸಿದೆವು", "ಆರು ತಿಂಗಳಲ್ಲಿ ನಾವು ಕಲಿತದ್ದು.", "ಎಂಜಿನಿಯರಿಂಗ್", "ಉತ್ತರ", "kn"},
	{"malayalam", "ഞങ്ങൾ എന്തിനാണ് വരി മാറ്റിയത്", "ആറ് മാസത്തിൽ ഞങ്ങൾ പഠിച്ചത്.", "എഞ്ചിനീയറിംഗ്", "വടക്ക്", "ml"},
	{"gujarati", "અમે અમારી કતાર કેમ બદલી", "છ મહિનામાં અમે શું શીખ્યા.", "ઇજનેરી", "ઉત્તર", "gu"},
	{"gurmukhi", "ਅਸੀਂ ਆਪਣੀ ਕਤਾਰ ਕਿਉਂ ਬਦਲੀ", "ਛੇ ਮਹੀਨਿਆਂ ਵਿੱਚ ਅਸੀਂ ਕੀ ਸਿੱਖਿਆ।", "ਇੰਜੀਨੀਅਰਿੰਗ", "ਉੱਤਰ", "pa"},
	{"odia", "ଆମେ କାହିଁକି ଆମର ଧାଡ଼ି ବଦଳାଇଲୁ", "ଛଅ ମାସରେ ଆମେ ଯାହା ଶିଖିଲୁ।", "ଇଞ୍ଜିନିୟରିଂ", "ଉତ୍ତର", "or"},
	{"sinhala", "අපි අපේ පෝලිම වෙනස් කළේ ඇයි", "මාස හයකින් අප ඉගෙන ගත් දේ.", "ඉංජිනේරු", "උතුර", "si"},
	{"khmer", "ហេតុអ្វីបានជាយើងប្តូរជួររបស់យើង", "អ្វីដែលយើងបានរៀនក្នុងរយៈពេលប្រាំមួយខែ", "វិស្វកម្ម", "ខាងជើង", "km"},
	{"lao", "ເປັນຫຍັງພວກເຮົາຈຶ່ງຍ້າຍຄິວ", "ສິ່ງທີ່ພວກເຮົາໄດ້ຮຽນຮູ້ໃນຫົກເດືອນ", "ວິສະວະກຳ", "ເໜືອ", "lo"},
	{"burmese", "ကျွန်ုပ်တို့ တန်းစီကို ဘာကြောင့် ပြောင်းခဲ့သလဲ", "ခြောက်လအတွင်း သင်ယူခဲ့သည်များ။", "အင်ဂျင်နီယာ", "မြောက်", "my"},
	{"tibetan", "ང་ཚོས་གྲལ་སྒྲིག་རྙིང་པ་ཅིའི་ཕྱིར་བརྗེས་པ་རེད།", "ཟླ་བ་དྲུག་གི་རིང་ལ་བསླབས་པ་ཚང་མ།", "བཟོ་སྐྲུན།", "བྱང་ལམ།", "bo"},
	{"signs", "∀x ∈ ℝ: √x → ∞, ₿ 1⁄3 ∩ ∪ ⌘⇧", "Signs ✓ ★ ☎ ⚙ ♞ ∑ ∫ that letters' faces lack.", "Maths", "Northlane", "en"},
	{"emoji", "🚀 Ship it on Friday 👩‍👩‍👧‍👦 🇩🇪 👍🏽", "Emoji in titles are part of how people write. 🎉", "Life ❤️", "Northlane", "en"},
}
