// Shapes sample strings with HarfBuzz itself in every embedded font and writes render/text/testdata/shapes.json, which
// the tests of render/text compare with the program's shaper. Each glyph is "id@cluster+advance" and, if it has an
// offset, ",dx,dy", in font units, in visual order.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as hb from "harfbuzzjs";

const here = dirname(fileURLToPath(import.meta.url));
const fonts = join(here, "../../../fonts");

const european = [
  "AVATAR To Te Ty Wa We P. F, L’été “To” „Vor“ «Ya» – V—A",
  "office affine fjord flow 3x4 1/2 (A) [H] -> a:b 12:30 @x",
];
const more = [
  "Łódź żółć Český Ťuhýk Işık İĞ Şţ Țară œuvre ß ẞ Ľuboš",
  "Trường Đại học Việt Nam: Ẵ Ễ Ự ợ ử",
  "Trường e\u0302\u0301 o\u031b\u0323 q\u0307\u0323",
  "Ταχύτητα ΑΥΤΟ Γιάννης, “Ψυχή” ἀρχή",
  "ГОСТ Тургенев, «Уж» АУДИ Љубав Ґрунт Ўзбек",
  "№5 €20 ₴100 ½ x² H₂O → ↗ ✓",
];
const strings = {
  "noto-sans-arabic": [
    "كيف نقلنا طابور العرض إلى قاعدة جديدة", "لا إله الله محمد ؟ ،", "نصّ مُشَكَّل بِالكامِل",
    "چگونه صف رندر را منتقل کردیم", "ٹیکنالوجی کی دنیا میں ہمارے", "٠١٢٣ ۴۵۶ ء ئ ؤ أ آ",
  ],
  "noto-sans-devanagari": ["हमने रेंडर कतार को नए डेटाबेस में कैसे पहुँचाया", "क्षेत्रज्ञ श्रीमान् र्‍य त्र्य हिन्दी ऑफ़िस"],
  "noto-sans-bengali": ["আমরা কীভাবে নতুন ডাটাবেসে গেলাম", "ক্ষুদ্র ব্যবস্থা স্ত্রী জ্ঞান কো কৌ র্য"],
  "noto-sans-tamil": ["தமிழில் புதிய தரவுத்தளம் எப்படி", "க்ஷ ஸ்ரீ கொ கௌ ணை"],
  "noto-sans-thai": ["เราย้ายคิวการเรนเดอร์ไปยังฐานข้อมูลใหม่ได้อย่างไร", "ที่ น้ำ ปั้น กิ่ง ญู ฐู"],
  "noto-sans-georgian": ["როგორ გადავიტანეთ რიგი ახალ ბაზაში", "ᲗᲑᲘᲚᲘᲡᲘ"],
  "noto-sans-armenian": ["Ինչպես տեղափոխեցինք հերթը նոր շտեմարան", "ﬓ և ՛՜՝՞"],
  "noto-sans-ethiopic": ["ወረፋውን ወደ አዲስ ዳታቤዝ እንዴት እንዳዛወርን", "፩፪፫ ። ፣"],
  "noto-sans-telugu": ["మేము క్యూని కొత్త డేటాబేస్‌కి ఎలా తరలించాము", "క్ష స్త్రీ జ్ఞ కై"],
  "noto-sans-kannada": ["ನಾವು ಸರತಿಯನ್ನು ಹೊಸ ದತ್ತಾಂಶಕ್ಕೆ ಹೇಗೆ ಸರಿಸಿದೆವು", "ಕ್ಷ ಸ್ತ್ರೀ ಕೋ ರ್ಯ"],
  "noto-sans-malayalam": ["ഞങ്ങൾ എങ്ങനെ പുതിയ ഡാറ്റാബേസിലേക്ക് മാറി", "ക്ഷ സ്ത്രീ കോ ന്റെ"],
  "noto-sans-gujarati": ["અમે નવી ડેટાબેઝમાં કેવી રીતે ગયા", "ક્ષ શ્રી જ્ઞ ર્ય કિ"],
  "noto-sans-gurmukhi": ["ਅਸੀਂ ਨਵੇਂ ਡਾਟਾਬੇਸ ਵਿੱਚ ਕਿਵੇਂ ਗਏ", "ਸ਼੍ਰੀ ਪ੍ਰ ਕਿ"],
  "noto-sans-oriya": ["ଆମେ ନୂଆ ଡାଟାବେସକୁ କିପରି ଗଲୁ", "କ୍ଷ ସ୍ତ୍ରୀ କୋ"],
  "noto-sans-sinhala": ["අපි නව දත්ත ගබඩාවට ගියේ කෙසේද", "ක්‍ෂ ශ්‍රී කෝ"],
  "noto-sans-khmer": ["របៀបដែលយើងផ្លាស់ទីជួរទៅមូលដ្ឋានទិន្នន័យថ្មី", "ស្រ្តី ក្រុង ខ្មែរ"],
  "noto-sans-lao": ["ພວກເຮົາຍ້າຍຄິວໄປຖານຂໍ້ມູນໃໝ່ໄດ້ແນວໃດ", "ນ້ຳ ກໍ່ ຫຼ"],
  "noto-sans-myanmar": ["ကျွန်ုပ်တို့ ဒေတာဘေ့စ်အသစ်သို့ ဘယ်လိုပြောင်းခဲ့သလဲ", "င်္ဂ က္က ြွှေ"],
  "noto-serif-tibetan": ["བོད་ཡིག་གི་ཀློག་དེབ་གསར་པ།", "བསྒྲུབས་ རྒྱལ་ སྤྱི་ ཧཱུྃ༔ ༡༢༣ ༄༅། །"],
  "noto-sans-jp": ["私たちは描画の待ち行列を移行した。", "「かな」カナ、ーガ｡ﾊﾟ"],
  "noto-sans-sc": ["我们如何迁移渲染队列。", "“直骨角”——…"],
  "noto-sans-tc": ["我們如何遷移渲染佇列。", "「直骨角」ㄅㄆㄇ"],
  "noto-sans-kr": ["렌더링 대기열을 옮긴 방법", "ㄱㅏ「한글」"],
  "noto-sans-symbols": ["☀ ⚙ ⌘ ① ⓐ"],
  "noto-sans-math": ["∀x∈A ∩ B ⟹ ∑∫√"],
  "noto-sans-symbols-2": ["✂ ✈ ⬢ ⠿ ◆"],
  "noto-sans-hebrew": ["למה העברנו את תור העיבוד", "שָׁלוֹם עוֹלָם בְּרֵאשִׁית", "צה״ל ג׳ירפה 100₪ ״כן״"],
};

const shape = (font, text) => {
  const buffer = new hb.Buffer();
  buffer.addText(text);
  buffer.guessSegmentProperties();
  hb.shape(font, buffer);
  const positions = buffer.getGlyphPositions();
  return buffer.getGlyphInfos().map((info, i) => {
    const { xAdvance, xOffset, yOffset } = positions[i];
    return `${info.codepoint}@${info.cluster}+${xAdvance}${xOffset || yOffset ? `,${xOffset},${yOffset}` : ""}`;
  }).join(" ");
};

const out = {};
const files = [...readdirSync(fonts), ...readdirSync(join(fonts, "large")).map((name) => `large/${name}`)];
for (const file of files.filter((name) => name.endsWith(".ttf")).sort()) {
  const name = file.replace("large/", "").replace(".ttf", "");
  const family = name.replace(/-\d.*$/, "");
  const font = new hb.Font(new hb.Face(new hb.Blob(readFileSync(join(fonts, file)))));
  const list = strings[family] ?? (name.endsWith("-400") || name.endsWith("-700") ? [...european, ...more] : european);
  out[name] = Object.fromEntries(list.map((text) => [text, shape(font, text)]));
}
writeFileSync(join(here, "../../../render/text/testdata/shapes.json"), `${JSON.stringify(out, null, 1)}\n`);
