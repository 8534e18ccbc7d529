// Fetches nothing itself: reads the faces that `npm ci` brought, cuts each to the characters below and writes it to
// fonts/, with the licence of its family and the table in fonts/README.md. The same package-lock.json gives the same
// bytes.
//
// To add a family or a weight: a line in fonts/families.json, which the program reads too, and its package in
// package.json.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";
import { withListCoverage } from "./coverage.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../../../fonts");

// Latin, Greek, Cyrillic and Vietnamese with what running text around them needs. A face keeps of these what it has.
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

// Features that shaping turns on by itself or that the text engine asks for. Stylistic sets and the like would drag in
// some 1,200 alternates of Inter that no card ever shows.
const features = [
  "abvm", "blwm", "calt", "case", "ccmp", "clig", "curs", "dist", "dnom", "fin2", "fin3", "fina", "frac", "init",
  "isol", "kern", "liga", "locl", "mark", "med2", "medi", "mkmk", "mset", "numr", "rclt", "rlig", "stch", "tnum",
];

const names = { 400: "Regular", 600: "SemiBold", 700: "Bold", 800: "ExtraBold" };

const sets = { european, arabic, hebrew };

const families = JSON.parse(readFileSync(join(target, "families.json"), "utf8"));

const characters = (ranges) => {
  const out = [];
  for (const [first, last] of ranges) {
    for (let c = first; c <= last; c++) out.push(String.fromCodePoint(c));
  }
  return out.join("");
};

for (const entry of readdirSync(target)) {
  if (entry.endsWith(".ttf") || entry.endsWith(".OFL.txt")) rmSync(join(target, entry));
}
mkdirSync(target, { recursive: true });

const rows = [];
let total = 0;
for (const family of families) {
  const root = join(here, "node_modules/@expo-google-fonts", family.slug);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  writeFileSync(join(target, `${family.slug}.OFL.txt`), readFileSync(join(root, "LICENSE_FONT")));
  const cuts = family.weights.map((weight) => ({ weight, italic: false }));
  for (const weight of family.italics ?? []) cuts.push({ weight, italic: true });
  for (const { weight, italic } of cuts) {
    const style = `${weight}${names[weight]}${italic ? "_Italic" : ""}`;
    const pascal = family.slug.split("-").map((word) => word[0].toUpperCase() + word.slice(1)).join("");
    const source = readFileSync(join(root, style, `${pascal.replace("Jetbrains", "JetBrains")}_${style}.ttf`));
    const subset = await subsetFont(source, characters(sets[family.characters]), {
      targetFormat: "sfnt", keepFeatures: features, noHinting: true,
    });
    const { font: cut, rewritten } = withListCoverage(Buffer.from(subset));
    const file = `${family.slug}-${weight}${italic ? "-italic" : ""}.ttf`;
    writeFileSync(join(target, file), cut);
    total += cut.length;
    const digest = createHash("sha256").update(cut).digest("hex").slice(0, 12);
    const cells = [
      family.slug, `${weight}${italic ? " italic" : ""}`, version, family.coverage,
      cut.length.toLocaleString("en-US"), `\`${digest}\``,
    ];
    rows.push(`| ${cells.join(" | ")} |`);
    console.log(file, cut.length, `${rewritten} coverages rewritten`);
  }
}
console.log("total", total);

const readme = join(target, "README.md");
const begin = "<!-- table: written by .ci/tools/fonts/subset.mjs -->";
const end = "<!-- end of table -->";
const table = [
  begin,
  "| family | weight | package version | coverage | bytes | SHA-256 |",
  "|---|---|---|---|---|---|",
  ...rows,
  `| all | | | | ${total.toLocaleString("en-US")} | |`,
  end,
].join("\n");
const page = readFileSync(readme, "utf8");
const [before, rest] = page.split(begin);
if (rest === undefined) throw new Error(`${readme} has no table to replace`);
writeFileSync(readme, before + table + rest.split(end)[1]);
