// Writes TeX's hyphenation patterns of some languages to render/text/hyphens, as lists of patterns ("1ba 2b1c"), from
// the npm package hyphen, which has those of hyph-utf8. Only languages whose patterns are under a permissive license:
// hyphens/LICENSE.md there lists them. The lists are packed with zopfli, as the program embeds them.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const target = join(dirname(fileURLToPath(import.meta.url)), "../../../render/text/hyphens");
mkdirSync(target, { recursive: true });

const languages = { de: "de-1996", en: "en-us", es: "es", fr: "fr", it: "it", pt: "pt" };

for (const [lang, file] of Object.entries(languages)) {
  const [levels, trie] = require(`hyphen/patterns/${file}.js`);
  const out = [];
  // A node is the number of its levels, its children by letter, or both.
  const walk = (node, letters) => {
    const [children, level] = Array.isArray(node) ? node : typeof node === "number" ? [{}, node] : [node, undefined];
    if (level !== undefined) {
      const values = levels[level];
      let text = "";
      for (let i = 0; i <= letters.length; i++) text += (values[i] || "") + (letters[i] ?? "");
      out.push(text);
    }
    for (const [letter, child] of Object.entries(children)) walk(child, [...letters, letter]);
  };
  walk(trie, []);
  const packed = join(target, `${lang}.txt`);
  writeFileSync(packed, `${out.sort().join("\n")}\n`);
  execFileSync("zopfli", ["--i200", packed]);
  rmSync(packed);
  console.log(`hyphens ${lang}: ${out.length} patterns`);
}
