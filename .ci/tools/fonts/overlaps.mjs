// Merges the overlapping contours of a glyph into one outline. Fonts derived from variable ones consist of overlapping
// parts; where two of their edges meet, coverage is counted twice and a joint looks heavy, and stroking the outline
// draws lines through the letter.
//
// Skia (PathKit) computes the union. Its points are rounded to units, and the result is compared with the input.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { readGlyphs, resolved, writeGlyphs } from "./glyf.mjs";
import { readTables, writeTables } from "./sfnt.mjs";

const require = createRequire(import.meta.url);
const skia = await require("pathkit-wasm/bin/pathkit.js")({
  wasmBinary: readFileSync(require.resolve("pathkit-wasm/bin/pathkit.wasm")),
});

// withoutOverlaps returns the bytes of a font in which no glyph overlaps itself, how many were merged, and the numbers
// of those that couldn't be. Advances, bearings and bounding boxes are unchanged.
export function withoutOverlaps(font) {
  const tables = readTables(font);
  const glyphs = readGlyphs(tables);
  const em = tables.get("head").readUInt16BE(18);
  const shifts = glyphs.map((_, gid) => shiftOf(glyphs, tables, gid));
  let merged = 0;
  const failed = [];
  const visit = (gid) => {
    const contours = resolved(glyphs, gid);
    if (!overlaps(contours, em / 400, 0)) return;
    const union = unionOf(contours, em);
    if (!union) {
      failed.push(gid);
      return;
    }
    const glyph = glyphs[gid];
    if (glyph.parts) writeBearing(tables, gid, glyph.box.readInt16BE(0) - shifts[gid]);
    glyphs[gid] = { box: glyph.box, contours: union };
    merged++;
  };
  // Parts first: a composite rarely overlaps if its parts don't.
  for (const composite of [false, true]) {
    glyphs.forEach((glyph, gid) => {
      if (glyph && Boolean(glyph.parts) === composite) visit(gid);
    });
  }
  if (merged === 0) return { font, merged, failed };
  writeGlyphs(tables, glyphs);
  return { font: writeTables(font.readUInt32BE(0), tables), merged, failed };
}

// bearingPlace returns the offset of a glyph's left side bearing in hmtx.
function bearingPlace(tables, gid) {
  const full = tables.get("hhea").readUInt16BE(34);
  return gid < full ? 4 * gid + 2 : 4 * full + 2 * (gid - full);
}

function writeBearing(tables, gid, value) {
  tables.get("hmtx").writeInt16BE(value, bearingPlace(tables, gid));
}

// shiftOf returns how far a glyph is moved to the left when drawn: its minimum x minus its bearing, or that of the part
// whose metrics it uses.
function shiftOf(glyphs, tables, gid) {
  const glyph = glyphs[gid];
  if (!glyph) return 0;
  const part = glyph.parts?.find(({ metrics }) => metrics);
  if (part) return shiftOf(glyphs, tables, part.gid);
  return glyph.box.readInt16BE(0) - tables.get("hmtx").readInt16BE(bearingPlace(tables, gid));
}

// curvesOf returns a contour as quadratic curves [x0, y0, x1, y1, x2, y2]; a line has four numbers.
function curvesOf(contour) {
  const points = [];
  contour.forEach((point, i) => {
    const next = contour[(i + 1) % contour.length];
    points.push(point);
    if (!point.on && !next.on) points.push({ x: (point.x + next.x) / 2, y: (point.y + next.y) / 2, on: true });
  });
  const first = points.findIndex(({ on }) => on);
  const ring = [...points.slice(first), ...points.slice(0, first)];
  const curves = [];
  for (let i = 0; i < ring.length; i++) {
    const a = ring[i], b = ring[(i + 1) % ring.length];
    if (b.on) {
      if (a.x !== b.x || a.y !== b.y) curves.push([a.x, a.y, b.x, b.y]);
      continue;
    }
    const c = ring[(++i + 1) % ring.length];
    curves.push([a.x, a.y, b.x, b.y, c.x, c.y]);
  }
  return curves;
}

// crossings calls add(row, x, up) for each crossing of a curve with the lines y = (row + .37) step. Axes are swapped
// if rows are columns.
function crossings(curve, step, swapped, add) {
  const o = swapped ? 1 : 0;
  const line = curve.length === 4;
  const x0 = curve[o], y0 = curve[1 - o], x2 = curve[line ? 2 + o : 4 + o], y2 = curve[line ? 3 - o : 5 - o];
  const x1 = line ? (x0 + x2) / 2 : curve[2 + o], y1 = line ? (y0 + y2) / 2 : curve[3 - o];
  const bend = y0 - 2 * y1 + y2, slope = y1 - y0;
  const turn = bend === 0 ? 0 : -slope / bend;
  const ends = turn > 0 && turn < 1 ? [0, turn, 1] : [0, 1];
  const at = (t) => y0 + 2 * t * slope + t * t * bend;
  for (let k = 0; k + 1 < ends.length; k++) {
    const [from, to] = [ends[k], ends[k + 1]];
    const begin = k === 0 ? y0 : at(from), end = to === 1 ? y2 : at(to);
    const up = end > begin ? 1 : -1, low = Math.min(begin, end), high = Math.max(begin, end);
    for (let row = Math.ceil(low / step - .37); (row + .37) * step < high; row++) {
      const y = (row + .37) * step;
      let t;
      if (Math.abs(bend) < 1e-9) t = (y - y0) / (2 * slope);
      else {
        const root = Math.sqrt(Math.max(0, slope * slope - bend * (y0 - y)));
        t = (-slope + up * root) / bend; // the derivative has the sign of up
      }
      t = Math.min(Math.max(t, from), to);
      add(row, x0 + 2 * t * (x1 - x0) + t * t * (x0 - 2 * x1 + x2), up);
    }
  }
}

// spans returns, for each row, the positions where winding changes: [x, winding to the right of it], in order.
function spans(contours, step, swapped) {
  const rows = new Map();
  for (const contour of contours) {
    for (const curve of curvesOf(contour)) {
      crossings(curve, step, swapped, (row, x, up) => {
        if (!rows.has(row)) rows.set(row, []);
        rows.get(row).push([x, up]);
      });
    }
  }
  for (const row of rows.values()) {
    row.sort((a, b) => a[0] - b[0]);
    let winding = 0;
    for (const change of row) change[1] = winding += change[1];
  }
  return rows;
}

// overlaps reports whether contours cover some area twice, or areas in both directions, of more than least units.
function overlaps(contours, step, least) {
  if (contours.length === 0) return false;
  const seen = new Set();
  for (const swapped of [false, true]) {
    for (const row of spans(contours, step, swapped).values()) {
      for (let i = 0; i + 1 < row.length; i++) {
        if (row[i + 1][0] - row[i][0] <= least || row[i][1] === 0) continue;
        if (Math.abs(row[i][1]) > 1) return true;
        seen.add(swapped ? -row[i][1] : row[i][1]);
      }
    }
  }
  return seen.size > 1;
}

// unionOf returns contours that cover the same area as the given ones, without overlaps, or null on failure.
function unionOf(contours, em) {
  // Skia fails for some outlines, and returns a wrong union for a few: those are tried at other positions, where its
  // arithmetic rounds differently.
  for (const move of [0, 37.25, -913.5, 4099.125]) {
    let union = contours;
    // Rounding may make edges overlap that meet at a sharp angle: then once more.
    for (let round = 0; round < 4 && union; round++) {
      union = simplified(union, move, em);
      if (union && !overlaps(union, em / 400, em / 1000)) {
        if (difference(contours, union, em) < most) return union;
        break;
      }
    }
  }
  return null;
}

function simplified(contours, move, em) {
  const commands = [];
  for (const contour of contours) {
    const curves = curvesOf(contour);
    if (curves.length < 2) continue;
    commands.push([skia.MOVE_VERB, curves[0][0] + move, curves[0][1] + move]);
    for (const curve of curves) {
      commands.push([curve.length === 4 ? skia.LINE_VERB : skia.QUAD_VERB, ...curve.slice(2).map((v) => v + move)]);
    }
    commands.push([skia.CLOSE_VERB]);
  }
  const path = skia.FromCmds(commands);
  const done = path.simplify();
  const out = done ? done.toCmds() : null;
  path.delete();
  return out && directed(contoursOf(out, move, em));
}

// contoursOf converts Skia's result to contours of rounded points, or returns null if it has curves that aren't
// quadratic. Points halfway between two control points are omitted, and so are those within a line.
function contoursOf(commands, move, em) {
  const contours = [];
  for (const [verb, ...at] of commands) {
    if (verb === skia.CLOSE_VERB) continue;
    if (verb === skia.MOVE_VERB) contours.push([]);
    else if (verb !== skia.LINE_VERB && verb !== skia.QUAD_VERB) return null;
    for (let i = 0; i < at.length; i += 2) {
      const [x, y] = [at[i] - move, at[i + 1] - move];
      contours.at(-1).push({ x: Math.round(x), y: Math.round(y), on: verb !== skia.QUAD_VERB || i > 0, exact: [x, y] });
    }
  }
  return contours.map(tidy).filter((contour) => contour.length > 2 && wide(contour, em));
}

const same = (a, b) => a.x === b.x && a.y === b.y;

// tidy returns a contour without redundant points.
function tidy(contour) {
  let points = contour;
  for (let before = Infinity; points.length < before;) {
    before = points.length;
    points = points.filter((point, i) => {
      const last = points.at(i - 1), next = points[(i + 1) % points.length];
      if (!point.on) return !(same(point, last) && last.on || same(point, next) && next.on);
      if (same(point, last) && last.on) return false;
      const cross = (point.x - last.x) * (next.y - point.y) - (point.y - last.y) * (next.x - point.x);
      const along = (point.x - last.x) * (next.x - point.x) + (point.y - last.y) * (next.y - point.y);
      return !(last.on && next.on && cross === 0 && along > 0 && i > 0 && i + 1 < points.length);
    });
  }
  return points.filter((point, i) => {
    const last = points.at(i - 1), next = points[(i + 1) % points.length];
    if (!point.on || last.on || next.on) return true;
    const half = (k) => (last.exact[k] + next.exact[k]) / 2 - point.exact[k];
    return Math.hypot(half(0), half(1)) > .02;
  }).map(({ x, y, on }) => ({ x, y, on }));
}

// area returns the area within a contour, counterclockwise, and the length of its polygon.
function area(contour) {
  let sum = 0, length = 0;
  for (const curve of curvesOf(contour)) {
    const [x0, y0] = curve, [x2, y2] = curve.slice(-2);
    sum += (x0 * y2 - x2 * y0) / 2;
    if (curve.length === 6) {
      const [, , x1, y1] = curve;
      sum += ((x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)) / 3; // two thirds of the triangle
    }
    length += Math.hypot(x2 - x0, y2 - y0);
  }
  return { sum, length };
}

// wide reports whether a contour is more than a sliver left by rounding.
function wide(contour, em) {
  const { sum, length } = area(contour);
  return Math.abs(sum) > length * em / 4000;
}

// directed returns contours with filled ones clockwise and holes counterclockwise, as in TrueType.
function directed(contours) {
  if (!contours) return null;
  return contours.map((contour, i) => {
    const curve = curvesOf(contour).reduce((a, b) => (span(b) > span(a) ? b : a));
    const [x, y] = middle(curve);
    const others = contours.filter((_, k) => k !== i).flatMap(curvesOf);
    // The line through that point: step and row are chosen so that it is at its height.
    let depth = 0;
    const step = 1e6, height = y / step - .37;
    for (const other of others) {
      const moved = other.map((v, k) => (k % 2 ? v - height * step : v));
      crossings(moved, step, false, (row, at) => {
        if (row === 0 && at < x) depth++;
      });
    }
    const clockwise = area(contour).sum < 0;
    return clockwise === (depth % 2 === 0) ? contour : [contour[0], ...contour.slice(1).reverse()];
  });
}

const span = (curve) => Math.hypot(curve.at(-2) - curve[0], curve.at(-1) - curve[1]);

// middle returns the point of a curve at half its parameter, a little off any round number.
function middle(curve) {
  const t = .4871, u = 1 - t;
  if (curve.length === 4) return [u * curve[0] + t * curve[2], u * curve[1] + t * curve[3]];
  return [0, 1].map((k) => u * u * curve[k] + 2 * u * t * curve[2 + k] + t * t * curve[4 + k]);
}

// The maximum difference of a pixel's coverage, at cells pixels per em, between a glyph and its union: rounding moves
// an edge by half a unit.
const cells = 100, most = .16;

// difference returns the maximum difference of a pixel's coverage between two sets of contours.
function difference(a, b, em) {
  const rowsOf = 8, size = em / cells, step = size / rowsOf;
  const coverage = new Map();
  for (const [contours, sign] of [[a, 1], [b, -1]]) {
    for (const [row, changes] of spans(contours, step, false)) {
      for (let i = 0; i + 1 < changes.length; i++) {
        if (changes[i][1] === 0) continue;
        const from = changes[i][0] / size, to = changes[i + 1][0] / size;
        for (let cell = Math.floor(from); cell < to; cell++) {
          const key = Math.floor(row / rowsOf) * 65536 + cell;
          const part = Math.min(to, cell + 1) - Math.max(from, cell);
          coverage.set(key, (coverage.get(key) ?? 0) + sign * part / rowsOf);
        }
      }
    }
  }
  return Math.max(0, ...[...coverage.values()].map(Math.abs));
}
