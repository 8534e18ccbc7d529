// Writes the Thai compounds that ICU's dictionary lacks to render/text/words/thaicompounds.bin.gz, in the form that
// render/text/words.go describes: words of PyThaiNLP (https://github.com/PyThaiNLP/pythainlp, CC0 1.0) of 4 to 12
// letters, without marks, that texts on the web have at least 1,000 times. Arguments: words_th.txt and
// phupha_word_freqs.txt of its folder pythainlp/corpus. It needs zopfli; the result is committed.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

const [least, most, frequent, first] = [4, 12, 1000, 0x0e00];
const target = join(dirname(fileURLToPath(import.meta.url)), "../../../render/text/words");
const [list, frequencies] = process.argv.slice(2).map((file) => readFileSync(file, "utf8").split("\n"));

const known = new Set();
const packed = gunzipSync(readFileSync(join(target, "thai.bin.gz")));
const count = packed.readUInt32BE(0);
for (let i = 0, at = 4 + 2 * count, last = []; i < count; i++) {
  const [shared, added] = [packed[4 + i], packed[4 + count + i]];
  last = [...last.slice(0, shared), ...packed.subarray(at, at += added)];
  known.add(String.fromCodePoint(...last.map((letter) => first + letter)));
}

const times = new Map(frequencies.map((line) => line.split("\t")).map(([word, n]) => [word, Number(n)]));
const words = [...new Set(list.map((word) => word.trim()))].filter((word) => {
  const letters = word.replaceAll(/\p{Mn}/gu, "").length;
  return /^[\u0e01-\u0e4e]+$/.test(word) && letters >= least && letters <= most && !known.has(word) &&
    (times.get(word) ?? 0) >= frequent;
}).sort();

const [shared, added, letters] = [[], [], []];
let last = "";
for (const word of words) {
  let n = 0;
  while (n < last.length && last[n] === word[n]) n++;
  shared.push(n);
  added.push(word.length - n);
  letters.push(...[...word.slice(n)].map((letter) => letter.codePointAt(0) - first));
  last = word;
}
const head = Buffer.alloc(4);
head.writeUInt32BE(words.length);
const file = join(target, "thaicompounds.bin");
writeFileSync(file, Buffer.concat([head, Buffer.from([...shared, ...added, ...letters])]));
execFileSync("zopfli", ["--i50", file]);
rmSync(file);
