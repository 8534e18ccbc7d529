// Signs the test vectors of docs/signing-vectors.json with the function that docs/publishing.md has for JavaScript.
import { readFileSync } from "node:fs";

const docs = new URL("../../../docs/", import.meta.url);
const page = readFileSync(new URL("publishing.md", docs), "utf8");
const code = page.match(/```js\n(import \{ createHmac \}[^]*?)```/)[1];
const { sign } = await import("data:text/javascript," + encodeURIComponent(code + "\nexport { sign };"));
const { key, vectors } = JSON.parse(readFileSync(new URL("signing-vectors.json", docs), "utf8"));
for (const { query, sig } of vectors) {
  const got = new URL(sign("https://masthead.example/og/DemoProject1?" + query, key)).searchParams.get("sig");
  if (got !== sig) throw new Error(`${query}: got the signature ${got}, want ${sig}`);
}
console.log(`${vectors.length} addresses signed as documented`);
