// Reads the fonts that `npm ci` installed, subsets each to the characters below and writes it to fonts/, with the
// license of its family and the table in fonts/README.md. The same package-lock.json gives the same bytes.
//
// To add a family or a weight: a line in fonts/families.json, which the program reads too, and its package in
// package.json.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";
import { withListCoverage } from "./coverage.mjs";
import { withoutOverlaps } from "./overlaps.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../../../fonts");

// Latin, Greek, Cyrillic and Vietnamese with the usual punctuation. A font keeps those that it has.
const european = [
  [0x0020, 0x007e], [0x00a0, 0x024f], // Latin, Latin-1, Extended-A and B
  [0x0259, 0x0259], [0x0292, 0x0292], // schwa and ezh, as letters of languages
  [0x02b0, 0x02ff], [0x0300, 0x036f], // modifiers, combining marks
  [0x0370, 0x03ff], [0x1f00, 0x1fff], // Greek, polytonic
  [0x0400, 0x052f], // Cyrillic
  [0x1e00, 0x1eff], // Latin Extended Additional: Vietnamese
  [0x2000, 0x206f], [0x2070, 0x209f], [0x20a0, 0x20cf], // punctuation, superscripts, currency
  [0x2100, 0x214f], [0x2150, 0x218b], // №, ™, ℃, fractions
  [0x2190, 0x21ff], // arrows
  [0x2200, 0x22ff], // mathematical operators
  [0x2318, 0x2318], [0x2325, 0x2326], [0x232b, 0x232b], [0x23ce, 0x23cf], // keys
  [0x25a0, 0x25ff], // geometric shapes
  [0x2605, 0x2606], [0x2610, 0x2612], [0x2660, 0x2667], [0x2713, 0x2718], // stars, boxes, suits, ticks
  [0x2764, 0x2764], // heart
  [0x27e8, 0x27e9], [0x2c60, 0x2c7f], [0xa7b0, 0xa7b7],
  [0xfb00, 0xfb06], // ff, fi, fl as characters
];

// Arabic with its extensions (Persian, Urdu, Pashto, Kurdish, Uyghur), both kinds of digits, and the ligatures of
// names.
const arabic = [
  [0x0020, 0x0020], [0x00a0, 0x00a0], [0x0600, 0x06ff], [0x0750, 0x077f], [0x08a0, 0x08ff],
  [0x200b, 0x200f], [0x2010, 0x2011], [0x204f, 0x204f], [0x25cc, 0x25cc], [0x2e41, 0x2e41],
  [0xfd3e, 0xfd3f], [0xfdf2, 0xfdf2], [0xfdfa, 0xfdfd],
];

const hebrew = [
  [0x0020, 0x0020], [0x00a0, 0x00a0], [0x0590, 0x05ff], [0x200b, 0x200f], [0x2010, 0x2011],
  [0x20aa, 0x20aa], [0x25cc, 0x25cc], [0xfb1d, 0xfb4f],
];

// The scripts whose blocks are kept completely. Indic scripts share danda and double danda.
const blocks = {
  devanagari: [[0x0900, 0x097f], [0x1cd0, 0x1cff], [0xa8e0, 0xa8ff]],
  bengali: [[0x0964, 0x0965], [0x0980, 0x09ff]],
  gurmukhi: [[0x0964, 0x0965], [0x0a00, 0x0a7f]],
  gujarati: [[0x0964, 0x0965], [0x0a80, 0x0aff]],
  oriya: [[0x0964, 0x0965], [0x0b00, 0x0b7f]],
  tamil: [[0x0964, 0x0965], [0x0b80, 0x0bff]],
  telugu: [[0x0964, 0x0965], [0x0c00, 0x0c7f]],
  kannada: [[0x0964, 0x0965], [0x0c80, 0x0cff]],
  malayalam: [[0x0964, 0x0965], [0x0d00, 0x0d7f]],
  sinhala: [[0x0d80, 0x0dff]],
  thai: [[0x0e00, 0x0e7f]],
  lao: [[0x0e80, 0x0eff]],
  myanmar: [[0x1000, 0x109f], [0xaa60, 0xaa7f], [0xa9e0, 0xa9ff]],
  tibetan: [[0x0f00, 0x0fff]],
  khmer: [[0x1780, 0x17ff], [0x19e0, 0x19ff]],
  georgian: [[0x10a0, 0x10ff], [0x1c90, 0x1cbf], [0x2d00, 0x2d2f]],
  armenian: [[0x0530, 0x058f], [0xfb13, 0xfb17]],
  ethiopic: [[0x1200, 0x139f], [0x2d80, 0x2ddf], [0xab00, 0xab2f]],
};
for (const ranges of Object.values(blocks)) {
  ranges.push([0x0020, 0x0020], [0x00a0, 0x00a0], [0x200b, 0x200d], [0x25cc, 0x25cc]);
}

// The characters of older encodings, which are those in common use: the double bytes of an encoding within some rows.
const rows = (encoding, leads, trails = [0xa1, 0xfe]) => {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const out = [];
  for (let lead = leads[0]; lead <= leads[1]; lead++) {
    for (let trail = trails[0]; trail <= trails[1]; trail++) {
      let text = "";
      try { text = decoder.decode(Uint8Array.of(lead, trail)); } catch { continue; }
      if ([...text].length === 1) out.push([text.codePointAt(0), text.codePointAt(0)]);
    }
  }
  return out;
};
const of = (text) => [...text].map((letter) => [letter.codePointAt(0), letter.codePointAt(0)]);

// Quotes, dashes and dots that are as wide as a letter in Chinese and Japanese; CJK punctuation; full-width forms.
const eastern = [
  [0x00b7, 0x00b7], [0x2014, 0x2015], [0x2018, 0x2019], [0x201c, 0x201d], [0x2025, 0x2026], [0x2e3a, 0x2e3a],
  [0x3000, 0x303f], [0xff01, 0xff60], [0xffe0, 0xffe6],
];
const kana = [[0x3041, 0x30ff], [0x31f0, 0x31ff], [0x3200, 0x33ff], [0xff61, 0xff9f]];
const cjk = {
  // With the extensions of Windows, and the characters of the common list (jōyō) and of names that are not of level 1.
  japanese: [
    ...eastern, ...kana, ...rows("euc-jp", [0xb0, 0xcf]), ...rows("shift_jis", [0xfa, 0xfc], [0x40, 0xfc]), ...of("𠮟塡剝頰亀凜堯檜槇瑤遙桧彌惠慧昊晏晟暉曖曙栞桔梗楓楢榊樺毬沓洸渚漣澪煌煕熙" +
      "燎燦燿爾犀猪玖珂珈珊珀玲琢琉琥琶琵瑚瑛瑞瑠瑶瑳璃瓢皐皓眸睦瞥瞭瞳矩碧碩磯祐祢禎禽禾秦稀稔稜穣竣笈笹笙笠筈筑箔篇篠簞簾籾粥糊" +
      "絆綾緋縞繡繫羚耀聡聖肴胡胤脩脹脾腎膝膳臆臼舜艶芙芭苺茉茜莉莞菅菖菩萌萠葡葦葵蒐蒲蒼蓉蓋蓬蔑蔓蔣蔭蕉蕎蕗薔薗薙蘇蘭虎蜜蝦蝶螺蟬蟹蠟" +
      "袈裟裡裳訊訣註詢詣詮詫誼諄諏諒諦謎讃讚豹貰賑赳跨蹄蹟輔輯輿轟辰辻迂迄迪迦這逗逞遁遼邑祁鄭酉醇醍醐醬釉釘釧鋒鋸錐錆錫鍋鍬鍵鎌鎧閃閏" +
      "隼雀雁雛雫霞靖鞄鞍鞘鞠鞭頁頌頗顚颯饗馨馴馳駕駿驍魁魯鮎鯉鯛鰯鱒鱗鳩鳶鳳鴨鴻鵜鵬鷗鷲鷺鷹麒麟麿黎黛鼎炒喰彷彿朦朧躊躇咄嗟憑靄囁呟" +
      "咀嚼嗚咽絢爛纏縷屏彗鬱籠葛龍龜巫祓禰祠祇祐" +
      "彙楷諧毀嗅惧憬錮傲刹恣摯羞箋踪緻嘲貪訃璧哺喩瘍拉辣慄丼眞菫邉渕蛯竈鵺鸞鮨鰺鰤鱧鮑鰊鯰鱈鰆鰈鮟鱇鯱鱚鮃鯔餃饅饂飩饌餡麩糀醂蒟蒻蕁膵腟轢囮罠燵縺" +
      "躾儚嚙噓琲燗欅霙贄鋏鍼絣裃襷褌褄袷鉈鑢脛謳囃擽轆轤龕贔屓懺悔篳笊溂輌閖鞆茣蓙莚頽擡鴉梟駱駝蜻蛉蜥蜴蝙蝠髑髏檻祟棘綺絨毯緞瞼睫臍瞑凛穹憐戀畫膠"),
  ],
  simplifiedChinese: [...eastern, ...rows("gbk", [0xb0, 0xf7]), ...of("囧镕喆玥堃昇晞珺璟甯祎翀苡頔龑靓嘚瑟啰嗦")],
  // With the characters of written Cantonese.
  traditionalChinese: [
    ...eastern, [0x3105, 0x312f], [0x02c7, 0x02c7], [0x02ca, 0x02cb], [0x02d9, 0x02d9], ...rows("big5", [0xa4, 0xc6], [0x40, 0xfe]),
    ...of("嘅啲咗喺嚟冇佢哋嗰咁噉嘢乜啱攞揾搵瞓諗睇俾畀啩囉喎㗎咩嘥掟掹攰嬲孖屘痾瞌靚餸褸氹埗涌邨裏綫羣麪啫喱咭唞嗌噏撳撚"),
  ],
  hangul: [[0xac00, 0xd7a3], [0x3131, 0x318e]],
  korean: [[0x3131, 0x318e], [0x3000, 0x303f], [0x00b7, 0x00b7], [0xff01, 0xff60], ...rows("euc-kr", [0xb0, 0xc8])],
};

// Symbols that no letter family has: letterlike, arrows, mathematics, technical, enclosed, geometric, miscellaneous,
// dingbats, Braille, more arrows, cards and game pieces.
const symbols = [
  [0x0020, 0x0020], [0x2000, 0x206f], [0x20a0, 0x20cf], [0x20dd, 0x20ef], [0x2100, 0x23ff], [0x2440, 0x27ff], [0x2800, 0x28ff],
  [0x2900, 0x2bff], [0x1f100, 0x1f1e5], [0x1f650, 0x1f67f], [0x1f780, 0x1f8ff],
];
const math = [[0x0020, 0x0020], [0x2032, 0x2037], [0x20d0, 0x20ef], [0x2100, 0x214f], [0x2190, 0x22ff], [0x2300, 0x232b], [0x27c0, 0x27ff],
  [0x2900, 0x2aff], [0x2b00, 0x2b4f]];

const sets = {
  european, arabic, hebrew, ...blocks, ...cjk, symbols, math,
};

// Features that shaping enables by itself or that the text engine requests. Stylistic sets and similar features would
// include some 1,200 alternates of Inter that no card ever shows.
const features = [
  "abvm", "blwm", "calt", "case", "ccmp", "clig", "curs", "dist", "dnom", "fin2", "fin3", "fina", "frac", "init",
  "isol", "kern", "liga", "locl", "mark", "med2", "medi", "mkmk", "mset", "numr", "rclt", "rlig", "stch", "tnum",
  // of the scripts of India and South-East Asia, and of hangul
  "abvf", "abvs", "akhn", "blwf", "blws", "cfar", "cjct", "half", "haln", "ljmo", "nukt", "pref", "pres", "pstf",
  "psts", "rkrf", "rphf", "tjmo", "vatu", "vjmo",
];

const names = { 400: "Regular", 600: "SemiBold", 700: "Bold", 800: "ExtraBold" };

const families = JSON.parse(readFileSync(join(target, "families.json"), "utf8"));

const characters = (ranges) => {
  const out = new Set();
  for (const [first, last] of ranges) {
    for (let c = first; c <= last; c++) out.add(String.fromCodePoint(c));
  }
  return [...out].join("");
};

// fileName is a family's name as spelled by its package: JetBrainsMono, NotoSansJP.
const fileName = (slug) => slug.split("-").map((word) => {
  if (["jp", "kr", "sc", "tc"].includes(word)) return word.toUpperCase();
  return word[0].toUpperCase() + word.slice(1);
}).join("").replace("Jetbrains", "JetBrains");

const large = join(target, "large");
mkdirSync(large, { recursive: true });
for (const folder of [target, large]) {
  for (const entry of readdirSync(folder)) {
    if (entry.endsWith(".ttf") || entry.endsWith(".OFL.txt")) rmSync(join(folder, entry));
  }
}

const lines = [];
const unmerged = []; // glyphs
let total = 0;
for (const family of families) {
  const root = join(here, "node_modules/@expo-google-fonts", family.slug);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  writeFileSync(join(target, `${family.slug}.OFL.txt`), readFileSync(join(root, "LICENSE_FONT")));
  const cuts = family.weights.map((weight) => ({ weight, italic: false }));
  for (const weight of family.italics ?? []) cuts.push({ weight, italic: true });
  for (const { weight, italic } of cuts) {
    const style = `${weight}${names[weight]}${italic ? "_Italic" : ""}`;
    const source = readFileSync(join(root, style, `${fileName(family.slug)}_${style}.ttf`));
    const subset = await subsetFont(source, characters(sets[family.characters]), {
      targetFormat: "sfnt", keepFeatures: features, noHinting: true,
    });
    const file = `${family.slug}-${weight}${italic ? "-italic" : ""}.ttf`;
    const { font: plain, merged, failed } = withoutOverlaps(Buffer.from(subset));
    for (const gid of failed) unmerged.push(`${gid} of ${file}`);
    const { font: cut, rewritten } = withListCoverage(plain);
    writeFileSync(join(family.large ? large : target, file), cut);
    total += cut.length;
    const digest = createHash("sha256").update(cut).digest("hex").slice(0, 12);
    const cells = [
      family.slug, `${weight}${italic ? " italic" : ""}`, version, family.coverage,
      cut.length.toLocaleString("en-US"), `\`${digest}\``,
    ];
    lines.push(`| ${cells.join(" | ")} |`);
    console.log(file, cut.length, `${merged} outlines merged, ${rewritten} coverages rewritten`);
  }
}
console.log("total", total);
if (unmerged.length > 0) throw new Error(`no union of the contours of glyph ${unmerged.join(", ")}`);

const readme = join(target, "README.md");
const begin = "<!-- table: written by .ci/tools/fonts/subset.mjs -->";
const end = "<!-- end of table -->";
const table = [
  begin,
  "| family | weight | package version | coverage | bytes | SHA-256 |",
  "|---|---|---|---|---|---|",
  ...lines,
  `| all | | | | ${total.toLocaleString("en-US")} | |`,
  end,
].join("\n");
const page = readFileSync(readme, "utf8");
const [before, rest] = page.split(begin);
if (rest === undefined) throw new Error(`${readme} has no table to replace`);
writeFileSync(readme, before + table + rest.split(end)[1]);
