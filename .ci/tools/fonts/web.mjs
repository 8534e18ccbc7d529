// Writes the fonts of the web pages to pkg/web/ui/fonts/ as WOFF2: Latin only, with the few features that pages use.
// The program finds them by name, and gives each an address with the digest of its bytes.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../../../pkg/web/ui/fonts");

// The limit for all five together, in bytes.
const most = 130_000;

// Western and Central European text with its punctuation, and the arrows and signs of our own texts.
const latin = [
  [0x0020, 0x007e], [0x00a0, 0x017f], [0x0218, 0x021b], [0x02c6, 0x02c7], [0x02d8, 0x02dd], [0x1e9e, 0x1e9e],
  [0x2010, 0x2015], [0x2018, 0x201e], [0x2020, 0x2022], [0x2026, 0x2026], [0x2030, 0x2030], [0x2032, 0x2033],
  [0x2039, 0x203a], [0x2044, 0x2044], [0x20ac, 0x20ac], [0x2116, 0x2116], [0x2122, 0x2122], [0x2190, 0x2193],
  [0x2212, 0x2212], [0x2248, 0x2248], [0x2260, 0x2260], [0x2264, 0x2265],
];

const ascii = [[0x0020, 0x007e], [0x00a0, 0x00ff], [0x2013, 0x2014], [0x2018, 0x201d], [0x2026, 0x2026]];

const faces = [
  ["instrument-serif", "400Regular", "InstrumentSerif", latin, ["kern", "liga", "ccmp", "locl", "mark"]],
  ["instrument-serif", "400Regular_Italic", "InstrumentSerif", ascii, ["kern", "liga", "ccmp"]],
  ["inter", "400Regular", "Inter", latin, ["kern", "ccmp", "locl", "mark", "tnum", "case"]],
  ["inter", "600SemiBold", "Inter", latin, ["kern", "ccmp", "locl", "mark", "tnum", "case"]],
  ["jetbrains-mono", "400Regular", "JetBrainsMono", latin, ["ccmp", "locl", "mark"]],
];

const characters = (ranges) => {
  const out = [];
  for (const [first, last] of ranges) for (let c = first; c <= last; c++) out.push(String.fromCodePoint(c));
  return out.join("");
};

mkdirSync(target, { recursive: true });
for (const entry of readdirSync(target)) if (entry.endsWith(".woff2")) rmSync(join(target, entry));

let total = 0;
for (const [slug, style, pascal, ranges, keepFeatures] of faces) {
  const source = readFileSync(
    join(here, "node_modules/@expo-google-fonts", slug, style, `${pascal}_${style}.ttf`),
  );
  const cut = await subsetFont(source, characters(ranges), { targetFormat: "woff2", keepFeatures, noHinting: true });
  const file = `${slug}-${style.slice(0, 3)}${style.endsWith("Italic") ? "-italic" : ""}.woff2`;
  writeFileSync(join(target, file), cut);
  total += cut.length;
  console.log(file, cut.length);
}
console.log("total", total);
if (total > most) throw new Error(`the faces of the pages have ${total} bytes, at most ${most}`);
