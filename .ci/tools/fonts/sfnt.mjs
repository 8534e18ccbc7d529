// The container of TrueType: tables by tag, read and written. Source: OpenType, "Table Directory" and "head".

// readTables returns copies of the tables of a font by tag.
export function readTables(font) {
  const tables = new Map();
  for (let i = 0; i < font.readUInt16BE(4); i++) {
    const entry = 12 + 16 * i;
    const offset = font.readUInt32BE(entry + 8);
    const table = font.subarray(offset, offset + font.readUInt32BE(entry + 12));
    tables.set(font.toString("latin1", entry, entry + 4), Buffer.from(table));
  }
  return tables;
}

function checksum(bytes) {
  let sum = 0;
  for (let i = 0; i < bytes.length; i += 4) {
    let word = 0;
    for (let k = 0; k < 4; k++) word = word * 256 + (bytes[i + k] ?? 0);
    sum = (sum + word) % 2 ** 32;
  }
  return sum;
}

// writeTables writes tables in the order of their tags, with their checksums.
export function writeTables(version, tables) {
  const tags = [...tables.keys()].sort();
  const power = 2 ** Math.floor(Math.log2(tags.length));
  const header = Buffer.alloc(12 + 16 * tags.length);
  header.writeUInt32BE(version, 0);
  header.writeUInt16BE(tags.length, 4);
  header.writeUInt16BE(16 * power, 6);
  header.writeUInt16BE(Math.log2(power), 8);
  header.writeUInt16BE(16 * (tags.length - power), 10);
  tables.get("head").writeUInt32BE(0, 8);
  const parts = [header];
  let offset = header.length;
  let headAt = 0;
  tags.forEach((tag, i) => {
    const table = tables.get(tag);
    if (tag === "head") headAt = offset;
    const entry = 12 + 16 * i;
    header.write(tag, entry, "latin1");
    header.writeUInt32BE(checksum(table), entry + 4);
    header.writeUInt32BE(offset, entry + 8);
    header.writeUInt32BE(table.length, entry + 12);
    const padded = Buffer.alloc((table.length + 3) & ~3);
    table.copy(padded);
    parts.push(padded);
    offset += padded.length;
  });
  const font = Buffer.concat(parts);
  font.writeUInt32BE((0xb1b0afba - checksum(font) + 2 ** 32) % 2 ** 32, headAt + 8);
  return font;
}
