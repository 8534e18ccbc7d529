// Outlines of TrueType fonts: glyphs read from the tables glyf and loca, and written back. Source: OpenType, "glyf".

// A simple glyph is {box, contours}, with the eight bytes of its bounding box and contours as lists of points
// {x, y, on}; a composite is {box, parts}, with parts as {gid, dx, dy, matrix, metrics}; a blank one is null. A glyph
// that was read also has its bytes.

const ON = 1, SHORT_X = 2, SHORT_Y = 4, REPEAT = 8, SAME_X = 16, SAME_Y = 32;
const WORDS = 1, OFFSETS = 2, SCALE = 8, MORE = 0x20, XY_SCALE = 0x40, MATRIX = 0x80, METRICS = 0x200;

export function readGlyphs(tables) {
  const glyf = tables.get("glyf"), loca = tables.get("loca");
  const long = tables.get("head").readInt16BE(50) === 1;
  const place = (i) => (long ? loca.readUInt32BE(4 * i) : 2 * loca.readUInt16BE(2 * i));
  return Array.from({ length: tables.get("maxp").readUInt16BE(4) }, (_, gid) => {
    const bytes = glyf.subarray(place(gid), place(gid + 1));
    if (bytes.length === 0) return null;
    const box = bytes.subarray(2, 10), count = bytes.readInt16BE(0);
    if (count < 0) return { box, parts: readParts(bytes), bytes };
    return { box, contours: readContours(bytes, count), bytes };
  });
}

function readContours(bytes, count) {
  if (count === 0) return [];
  const ends = Array.from({ length: count }, (_, i) => bytes.readUInt16BE(10 + 2 * i));
  const total = ends[count - 1] + 1;
  let at = 10 + 2 * count;
  at += 2 + bytes.readUInt16BE(at); // instructions
  const flags = [];
  while (flags.length < total) {
    const flag = bytes[at++];
    const times = flag & REPEAT ? bytes[at++] : 0;
    for (let i = 0; i <= times; i++) flags.push(flag);
  }
  const values = (short, same) => {
    let value = 0;
    return flags.map((flag) => {
      if (flag & short) value += flag & same ? bytes[at++] : -bytes[at++];
      else if (!(flag & same)) {
        value += bytes.readInt16BE(at);
        at += 2;
      }
      return value;
    });
  };
  const xs = values(SHORT_X, SAME_X), ys = values(SHORT_Y, SAME_Y);
  const points = flags.map((flag, i) => ({ x: xs[i], y: ys[i], on: (flag & ON) !== 0 }));
  return ends.map((end, i) => points.slice(i ? ends[i - 1] + 1 : 0, end + 1));
}

function readParts(bytes) {
  const parts = [];
  let at = 10, flags = MORE;
  const fraction = () => bytes.readInt16BE((at += 2) - 2) / 16384;
  while (flags & MORE) {
    flags = bytes.readUInt16BE(at);
    const gid = bytes.readUInt16BE(at + 2);
    if (!(flags & OFFSETS)) throw new Error("a composite that is put together by points");
    const dx = flags & WORDS ? bytes.readInt16BE(at + 4) : bytes.readInt8(at + 4);
    const dy = flags & WORDS ? bytes.readInt16BE(at + 6) : bytes.readInt8(at + 5);
    at += flags & WORDS ? 8 : 6;
    const matrix = [1, 0, 0, 1];
    if (flags & SCALE) matrix[0] = matrix[3] = fraction();
    else if (flags & XY_SCALE) [matrix[0], matrix[3]] = [fraction(), fraction()];
    else if (flags & MATRIX) for (let i = 0; i < 4; i++) matrix[i] = fraction();
    parts.push({ gid, dx, dy, matrix, metrics: (flags & METRICS) !== 0 });
  }
  return parts;
}

// resolved returns the contours of a glyph, those of a composite's parts at their positions.
export function resolved(glyphs, gid) {
  const glyph = glyphs[gid];
  if (!glyph) return [];
  if (glyph.contours) return glyph.contours;
  return glyph.parts.flatMap(({ gid: part, dx, dy, matrix: [a, b, c, d] }) => resolved(glyphs, part).map(
    (contour) => contour.map(({ x, y, on }) => ({ x: a * x + c * y + dx, y: b * x + d * y + dy, on })),
  ));
}

// writeGlyphs puts glyphs into the tables: those with bytes as they were read.
export function writeGlyphs(tables, glyphs) {
  const parts = [], places = [0];
  let end = 0;
  for (const glyph of glyphs) {
    const bytes = glyph ? glyph.bytes ?? simpleBytes(glyph) : Buffer.alloc(0);
    const padded = Buffer.alloc((bytes.length + 1) & ~1);
    bytes.copy(padded);
    parts.push(padded);
    places.push(end += padded.length);
  }
  const long = end > 2 * 0xffff;
  const loca = Buffer.alloc(places.length * (long ? 4 : 2));
  places.forEach((place, i) => (long ? loca.writeUInt32BE(place, 4 * i) : loca.writeUInt16BE(place / 2, 2 * i)));
  tables.get("head").writeInt16BE(long ? 1 : 0, 50);
  tables.set("loca", loca);
  tables.set("glyf", Buffer.concat(parts));
  writeMost(tables.get("maxp"), glyphs);
}

// writeMost writes the maximum numbers of points and contours of simple and of composite glyphs.
function writeMost(maxp, glyphs) {
  const most = [0, 0, 0, 0];
  glyphs.forEach((glyph, gid) => {
    const contours = resolved(glyphs, gid), at = glyph?.parts ? 2 : 0;
    most[at] = Math.max(most[at], contours.reduce((sum, contour) => sum + contour.length, 0));
    most[at + 1] = Math.max(most[at + 1], contours.length);
  });
  most.forEach((value, i) => maxp.writeUInt16BE(value, 6 + 2 * i));
}

function simpleBytes({ box, contours }) {
  const head = Buffer.alloc(10 + 2 * contours.length + 2);
  head.writeInt16BE(contours.length, 0);
  box.copy(head, 2);
  let count = 0;
  contours.forEach((contour, i) => head.writeUInt16BE((count += contour.length) - 1, 10 + 2 * i));
  const flags = [], xs = [], ys = [];
  let x = 0, y = 0;
  const push = (out, delta, short, same) => {
    if (delta === 0) return same;
    if (Math.abs(delta) > 255) {
      out.push((delta >> 8) & 255, delta & 255);
      return 0;
    }
    out.push(Math.abs(delta));
    return delta > 0 ? short | same : short;
  };
  for (const point of contours.flat()) {
    const flag = (point.on ? ON : 0) | push(xs, point.x - x, SHORT_X, SAME_X) | push(ys, point.y - y, SHORT_Y, SAME_Y);
    [x, y] = [point.x, point.y];
    const last = flags.at(-1);
    if (last && last.flag === flag && last.times < 255) last.times++;
    else flags.push({ flag, times: 0 });
  }
  const packed = flags.flatMap(({ flag, times }) => {
    if (times === 0) return [flag];
    return times === 1 ? [flag, flag] : [flag | REPEAT, times];
  });
  return Buffer.concat([head, Buffer.from(packed), Buffer.from(xs), Buffer.from(ys)]);
}
