// Shapes sample strings with HarfBuzz itself in every embedded face and writes render/text/testdata/shapes.json,
// against which the tests of render/text hold the shaper that the program uses. Each glyph is "id@cluster+advance" and,
// where it is moved, ",dx,dy", in font units, in visual order.
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
for (const file of readdirSync(fonts).filter((name) => name.endsWith(".ttf")).sort()) {
  const name = file.replace(".ttf", "");
  const family = name.replace(/-\d.*$/, "");
  const font = new hb.Font(new hb.Face(new hb.Blob(readFileSync(join(fonts, file)))));
  const list = strings[family] ?? (name.endsWith("-400") || name.endsWith("-700") ? [...european, ...more] : european);
  out[name] = Object.fromEntries(list.map((text) => [text, shape(font, text)]));
}
writeFileSync(join(here, "../../../render/text/testdata/shapes.json"), `${JSON.stringify(out, null, 1)}\n`);
