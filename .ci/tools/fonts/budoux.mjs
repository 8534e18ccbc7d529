// Writes BudouX's models of Japanese and Chinese to render/text/words, from the npm package budoux, unchanged.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const models = join(dirname(require.resolve("budoux")), "data/models");
const target = join(dirname(fileURLToPath(import.meta.url)), "../../../render/text/words");

for (const lang of ["ja", "zh-hans", "zh-hant"]) {
  const { model } = require(join(models, `${lang}.js`));
  writeFileSync(join(target, `budoux-${lang}.json`), `${JSON.stringify(model)}\n`);
}
