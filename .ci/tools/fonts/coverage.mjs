// Rewrites coverage tables of GSUB and GPOS from ranges (format 2) to lists (format 1) if the shaper would
// misread them.
//
// go-text/typesetting up to v0.3.5 filters lookups by a digest of their coverage, and loses every range that comes
// after one of 63 glyphs or more (issue 278, fixed after that release). Lists of glyphs are not affected, so the
// coverage of each affected lookup is rewritten as a list at the end of its table. Drop this file once a
// later release is pinned.

import { readTables, writeTables } from "./sfnt.mjs";

// withListCoverage returns the bytes of a font whose layout tables have no coverage that the digest misreads, and the
// number of rewritten coverages.
export function withListCoverage(font) {
  const tables = readTables(font);
  let rewritten = 0;
  for (const tag of ["GSUB", "GPOS"]) {
    if (!tables.has(tag)) continue;
    const { table, count } = rewriteLayout(tables.get(tag), tag);
    tables.set(tag, table);
    rewritten += count;
  }
  return { font: rewritten ? writeTables(font.readUInt32BE(0), tables) : font, rewritten };
}

// subtables returns the lookups of a table: for each, its subtables as {at, type}, extensions resolved.
function lookupsOf(table, tag) {
  const extension = tag === "GSUB" ? 7 : 9;
  const list = table.readUInt16BE(8);
  const lookups = [];
  for (let i = 0; i < table.readUInt16BE(list); i++) {
    const lookup = list + table.readUInt16BE(list + 2 + 2 * i);
    const subtables = [];
    for (let j = 0; j < table.readUInt16BE(lookup + 4); j++) {
      let at = lookup + table.readUInt16BE(lookup + 6 + 2 * j);
      let type = table.readUInt16BE(lookup);
      if (type === extension) {
        type = table.readUInt16BE(at + 2);
        at += table.readUInt32BE(at + 4);
      }
      subtables.push({ at, type });
    }
    lookups.push(subtables);
  }
  return lookups;
}

// coverageField returns the position of the coverage offset of a subtable's first input glyph.
function coverageField(table, tag, { at, type }) {
  const format = table.readUInt16BE(at);
  const context = tag === "GSUB" ? 5 : 7;
  if (format === 3 && type === context) return at + 6;
  if (format === 3 && type === context + 1) return at + 2 + 2 + 2 * table.readUInt16BE(at + 2) + 2;
  return at + 2;
}

// readCoverage returns the ranges of a coverage; of a list, ranges of one glyph.
function readCoverage(table, at) {
  const ranges = [];
  const format = table.readUInt16BE(at);
  for (let i = 0; i < table.readUInt16BE(at + 2); i++) {
    const entry = at + 4 + i * (format === 1 ? 2 : 6);
    const first = table.readUInt16BE(entry);
    ranges.push([first, format === 1 ? first : table.readUInt16BE(entry + 2)]);
  }
  return { format, ranges };
}

const shifts = [4, 0, 6];

// loses reports whether the digest of some coverages, in order, would reject one of their glyphs, by emulating the
// faulty filter.
function loses(coverages) {
  const digest = [0n, 0n, 0n];
  const full = (1n << 64n) - 1n;
  for (const { format, ranges } of coverages) {
    for (const [first, last] of ranges) {
      if (format === 2 && digest.some((d) => d === full)) continue;
      shifts.forEach((shift, i) => {
        for (let g = first >> shift; g <= last >> shift && g - (first >> shift) < 64; g++) {
          digest[i] |= 1n << BigInt(g & 63);
        }
      });
    }
  }
  return coverages.some(({ ranges }) => ranges.some(([first, last]) => {
    for (let g = first; g <= last; g++) {
      if (shifts.some((shift, i) => (digest[i] & (1n << BigInt((g >> shift) & 63))) === 0n)) return true;
    }
    return false;
  }));
}

function rewriteLayout(table, tag) {
  const written = new Map(); // key of a list -> its place
  let count = 0;
  for (const subtables of lookupsOf(table, tag)) {
    const fields = subtables.map((subtable) => ({ at: subtable.at, field: coverageField(table, tag, subtable) }));
    const coverages = fields.map(({ at, field }) => readCoverage(table, at + table.readUInt16BE(field)));
    if (!loses(coverages) && !coverages.some((coverage) => loses([coverage]))) continue;
    fields.forEach(({ at, field }, i) => {
      if (coverages[i].format !== 2) return;
      const glyphs = coverages[i].ranges.flatMap(
        ([first, last]) => Array.from({ length: last - first + 1 }, (_, k) => first + k),
      );
      const key = glyphs.join();
      let place = written.get(key);
      if (place === undefined || place - at > 0xffff || place < at) {
        place = table.length + (table.length & 1);
        const list = Buffer.alloc(place - table.length + 4 + 2 * glyphs.length);
        const start = place - table.length;
        list.writeUInt16BE(1, start);
        list.writeUInt16BE(glyphs.length, start + 2);
        glyphs.forEach((g, k) => list.writeUInt16BE(g, start + 4 + 2 * k));
        table = Buffer.concat([table, list]);
        written.set(key, place);
      }
      if (place - at > 0xffff) {
        throw new Error(`${tag}: no room for a coverage: ${place - at} bytes after its subtable`);
      }
      table.writeUInt16BE(place - at, field);
      count++;
    });
  }
  return { table, count };
}
