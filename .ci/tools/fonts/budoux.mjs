// Writes BudouX's models of Japanese and Chinese to render/text/words, from the npm package budoux: a feature,
// its letters and their score on a line, packed with zopfli.
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const models = join(dirname(require.resolve("budoux")), "data/models");
const target = join(dirname(fileURLToPath(import.meta.url)), "../../../render/text/words");

for (const lang of ["ja", "zh-hans", "zh-hant"]) {
  const { model } = require(join(models, `${lang}.js`));
  const lines = Object.entries(model).flatMap(([feature, scores]) =>
    Object.entries(scores).map(([letters, score]) => `${feature} ${letters} ${score}\n`));
  const file = join(target, `budoux-${lang}.txt`);
  writeFileSync(file, lines.join(""));
  execFileSync("zopfli", ["--i200", file]);
  rmSync(file);
}
