// Packs the drawings of Twemoji into fonts/emoji.bin: each as flat shapes, a color and a path, so that the program
// draws them sharply at any size without an SVG parser. fonts/emoji.go reads it, and documents the format.
//
// The drawings have no gradients, strokes (except one) or use elements: only paths, circles and ellipses with a fill,
// in groups with a fill or a transform. Anything else is an error.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import svgpath from "svgpath";

const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, "node_modules/@twemoji/svg");
const unit = 64; // steps of a coordinate in a unit of the 36x36 drawing: a tenth of a pixel at 240 px

const named = { azure: "f0ffff", green: "008000", navy: "000080", red: "ff0000" };
const k = 0.5522847498; // of a cubic that draws a quarter of a circle

const ellipse = (cx, cy, rx, ry) => `M${cx - rx} ${cy}` +
  `C${cx - rx} ${cy - k * ry} ${cx - k * rx} ${cy - ry} ${cx} ${cy - ry}` +
  `C${cx + k * rx} ${cy - ry} ${cx + rx} ${cy - k * ry} ${cx + rx} ${cy}` +
  `C${cx + rx} ${cy + k * ry} ${cx + k * rx} ${cy + ry} ${cx} ${cy + ry}` +
  `C${cx - k * rx} ${cy + ry} ${cx - rx} ${cy + k * ry} ${cx - rx} ${cy}z`;

const attributes = (tag) => Object.fromEntries([...tag.matchAll(/([\w:-]+)="([^"]*)"/g)].map((m) => [m[1], m[2]]));

// color returns RRGGBBAA, or null without a fill.
const color = (a) => {
  const fill = a.fill ?? "#000";
  if (fill === "none") return null;
  let hex = fill.startsWith("#") ? fill.slice(1).toLowerCase() : named[fill];
  if (!hex) throw new Error(`colour ${fill}`);
  if (hex.length === 3) hex = [...hex].map((digit) => digit + digit).join("");
  const alpha = Math.round(255 * Number(a.opacity ?? 1) * Number(a["fill-opacity"] ?? 1));
  return hex + alpha.toString(16).padStart(2, "0");
};

// shapes returns the filled paths of a drawing, from back to front, with all transforms applied.
const shapes = (svg) => {
  const out = [];
  const stack = [];
  const body = svg.replace(/<defs>.*?<\/defs>/gs, "").replace(/<\?xml.*?\?>|<!--.*?-->/gs, "");
  for (const [, closing, name, rest] of body.matchAll(/<(\/?)([\w]+)([^>]*)>/g)) {
    if (closing) {
      if (name === "g") stack.pop();
      continue;
    }
    const own = attributes(rest);
    if (name === "svg") continue;
    if (name === "g") {
      if (!rest.endsWith("/")) stack.push(own);
      continue;
    }
    const a = Object.assign({}, ...stack, own);
    const [cx, cy] = [Number(a.cx ?? 0), Number(a.cy ?? 0)];
    let d;
    if (name === "path") d = a.d;
    else if (name === "circle") d = ellipse(cx, cy, Number(a.r), Number(a.r));
    else if (name === "ellipse") d = ellipse(cx, cy, Number(a.rx), Number(a.ry));
    else throw new Error(`element ${name}`);
    const fill = color(a);
    if (fill === null) continue;
    let path = svgpath(d).abs().unshort().unarc();
    for (const { transform } of [own, ...stack.toReversed()]) if (transform) path = path.transform(transform);
    out.push({ fill, path: path.abs() });
  }
  return out;
};

const varint = (bytes, n) => {
  for (; n > 127; n = Math.floor(n / 128)) bytes.push((n % 128) + 128);
  bytes.push(n);
};
const signed = (bytes, n) => varint(bytes, n < 0 ? -2 * n - 1 : 2 * n);

// pack writes a path: runs of commands of one kind (kind + 4 * count), each with its points relative to the previous.
const ops = { M: 0, L: 1, C: 2, Z: 3 };
const pack = (path) => {
  let [x, y, startX, startY] = [0, 0, 0, 0]; // in steps
  const commands = [];
  path.iterate((segment) => {
    let [op, ...n] = segment;
    if (op === "H") [op, n] = ["L", [n[0], y / unit]];
    if (op === "V") [op, n] = ["L", [x / unit, n[0]]];
    if (op === "Q") {
      const [px, py] = [x / unit, y / unit];
      n = [px + 2 / 3 * (n[0] - px), py + 2 / 3 * (n[1] - py),
        n[2] + 2 / 3 * (n[0] - n[2]), n[3] + 2 / 3 * (n[1] - n[3]), n[2], n[3]];
      op = "C";
    }
    if (op === "z" || op === "Z") {
      [x, y] = [startX, startY];
      commands.push({ op: "Z", deltas: [] });
      return;
    }
    if (!(op in ops)) throw new Error(`command ${op}`);
    const deltas = [];
    for (let i = 0; i < n.length; i += 2) {
      const [nextX, nextY] = [Math.round(n[i] * unit), Math.round(n[i + 1] * unit)];
      deltas.push(nextX - x, nextY - y);
      [x, y] = [nextX, nextY];
    }
    if (op === "M") [startX, startY] = [x, y];
    commands.push({ op, deltas });
  });
  const runs = [];
  for (const { op, deltas } of commands) {
    const last = runs.at(-1);
    if (last && last.op === op && last.count < 63) {
      last.count++;
      last.deltas.push(...deltas);
    } else runs.push({ op, count: 1, deltas });
  }
  const bytes = [];
  varint(bytes, runs.length);
  for (const { op, count, deltas } of runs) {
    bytes.push(ops[op] + 4 * count);
    for (const d of deltas) signed(bytes, d);
  }
  return Buffer.from(bytes);
};

const colors = new Map();
const paths = new Map();
const parts = [];
let length = 0;
const emoji = [];
for (const file of readdirSync(source).filter((name) => name.endsWith(".svg"))) {
  const sequence = file.replace(".svg", "").split("-").map((hex) => parseInt(hex, 16)).filter((c) => c !== 0xfe0f);
  const record = [];
  const drawn = shapes(readFileSync(join(source, file), "utf8"));
  varint(record, drawn.length);
  for (const { fill, path } of drawn) {
    if (!colors.has(fill)) colors.set(fill, colors.size);
    const bytes = pack(path);
    const key = bytes.toString("latin1");
    if (!paths.has(key)) {
      paths.set(key, length);
      parts.push(bytes);
      length += bytes.length;
    }
    varint(record, colors.get(fill));
    varint(record, paths.get(key));
  }
  emoji.push({ key: Buffer.from(String.fromCodePoint(...sequence), "utf8"), record: Buffer.from(record) });
}
emoji.sort((a, b) => Buffer.compare(a.key, b.key));

const header = Buffer.alloc(16);
header.write("MHE1", 0, "latin1");
header.writeUInt32LE(emoji.length, 4);
header.writeUInt32LE(colors.size, 8);
header.writeUInt32LE(emoji.reduce((sum, e) => sum + 1 + e.key.length + e.record.length, 0), 12);
const offsets = Buffer.alloc(4 * emoji.length);
const records = [];
let at = 0;
emoji.forEach(({ key, record }, i) => {
  offsets.writeUInt32LE(at, 4 * i);
  records.push(Buffer.of(key.length), key, record);
  at += 1 + key.length + record.length;
});
const out = Buffer.concat([header, Buffer.from([...colors.keys()].join(""), "hex"), offsets, ...records, ...parts]);
writeFileSync(join(here, "../../../fonts/emoji.bin"), out);
console.log(`emoji.bin: ${emoji.length} drawings, ${paths.size} paths, ${colors.size} colours, ${out.length} bytes`);
