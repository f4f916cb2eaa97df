import { inflateRawSync } from 'node:zlib';
import { type ZipEntry, zip } from '../fixtures/zip.js';
import { EDGES, mutateBytes, words } from './mutate-bytes.js';
import { mutateXml } from './mutate-xml.js';
import type { Random } from './random.js';

export interface UnpackedEntry {
  readonly name: string;
  readonly data: Buffer;
}

const END = 0x06054b50;
const DIRECTORY = 0x02014b50;
/** Fields behind an entry's signature in the directory: offset and size in bytes. */
const DIRECTORY_FIELDS: readonly (readonly [number, number])[] = [
  ...([
    [4, 2],
    [6, 2],
    [8, 2],
    [10, 2],
    [16, 4],
    [20, 4],
    [24, 4],
    [28, 2],
    [30, 2],
    [32, 2],
  ] as const),
  ...([
    [34, 2],
    [38, 4],
    [42, 4],
  ] as const),
];
const LOCAL_FIELDS: readonly (readonly [number, number])[] = [
  [4, 2],
  [6, 2],
  [8, 2],
  [14, 4],
  [18, 4],
  [22, 4],
  [26, 2],
  [28, 2],
];
const END_FIELDS: readonly (readonly [number, number])[] = [
  [4, 2],
  [8, 2],
  [10, 2],
  [12, 4],
  [16, 4],
  [20, 2],
];
const ZIP_TOKENS = words('504b0304¦504b0102¦504b0506¦504b0606¦504b0607¦ffffffff¦00000000').map((it) =>
  Buffer.from(it, 'hex'),
);

/** The entries of a sound package; undefined when it isn't one. Written apart from the reader that is tested. */
export function unpack(bytes: Buffer): readonly UnpackedEntry[] | undefined {
  try {
    const end = bytes.lastIndexOf(Buffer.from('504b0506', 'hex'));
    if (end < 0 || bytes.readUInt32LE(end) !== END) return undefined;
    const entries: UnpackedEntry[] = [];
    let at = bytes.readUInt32LE(end + 16);
    for (let count = bytes.readUInt16LE(end + 10); count > 0; count -= 1) {
      if (bytes.readUInt32LE(at) !== DIRECTORY) return undefined;
      const [nameLength, extra, comment] = [28, 30, 32].map((it) => bytes.readUInt16LE(at + it)) as number[];
      const name = bytes.toString('utf8', at + 46, at + 46 + nameLength!);
      const local = bytes.readUInt32LE(at + 42);
      const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
      const packed = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
      const stored = bytes.readUInt16LE(at + 10) === 0;
      if (!name.endsWith('/')) entries.push({ name, data: stored ? packed : inflateRawSync(packed) });
      at += 46 + nameLength! + extra! + comment!;
    }
    return entries.length > 0 ? entries : undefined;
  } catch {
    return undefined;
  }
}

/** The package's bytes with one change to them as stored. */
export function mutatePackageBytes(random: Random, bytes: Buffer): Buffer {
  return random.chance(0.5) ? mutateBytes(random, bytes, ZIP_TOKENS) : mutateField(random, bytes);
}

function mutateField(random: Random, bytes: Buffer): Buffer {
  const [signature, fields] = random.pick([
    ['504b0102', DIRECTORY_FIELDS],
    ['504b0304', LOCAL_FIELDS],
    ['504b0506', END_FIELDS],
  ] as const);
  const wanted = Buffer.from(signature, 'hex');
  let at = bytes.indexOf(wanted, random.int(bytes.length));
  if (at < 0) at = bytes.lastIndexOf(wanted);
  const [offset, size] = random.pick(fields);
  if (at < 0 || at + offset + size > bytes.length) return bytes;
  const changed = Buffer.from(bytes);
  const before = changed.readUIntLE(at + offset, size);
  const near = before + random.int(5) - 2;
  const value = random.chance(0.5) ? random.pick(EDGES) : random.chance(0.5) ? near : random.int(2 ** 32);
  changed.writeUIntLE(((value % 2 ** (8 * size)) + 2 ** (8 * size)) % 2 ** (8 * size), at + offset, size);
  return changed;
}

/** The package with some of its parts changed and everything else about it in order, and which parts were not. */
export function mutateParts(
  random: Random,
  entries: readonly UnpackedEntry[],
  others: readonly UnpackedEntry[],
): { readonly bytes: Buffer; readonly intact: ReadonlySet<string> } {
  const touched = new Map<string, Buffer>();
  for (let count = random.few(3); count > 0; count -= 1) {
    const it = wanted(random, entries);
    let data = touched.get(it.name) ?? it.data;
    const alike = others.filter((other) => kindOf(other.name) === kindOf(it.name)).map((other) => other.data);
    for (let times = random.few(4); times > 0; times -= 1) {
      data = mutateXml(random, data, alike.length > 0 ? alike : [it.data]);
    }
    touched.set(it.name, data);
  }
  const made: ZipEntry[] = entries.map((it) => ({
    name: it.name,
    data: touched.get(it.name) ?? it.data,
    method: random.chance(0.7) ? 0 : 8,
  }));
  if (random.chance(0.08)) rearrange(random, made);
  const intact = new Set(entries.filter((it) => !touched.has(it.name)).map((it) => it.name));
  return { bytes: zip(made), intact };
}

/** Sheets and texts far more often than the rest: that is where rows are. */
function wanted(random: Random, entries: readonly UnpackedEntry[]): UnpackedEntry {
  const near = entries.filter((it) => /sheet|workbook|styles|strings|\.rels$/i.test(it.name));
  const rows = entries.filter((it) => /sheet\d*\.xml$|sharedstrings/i.test(it.name));
  const from = random.chance(0.6) ? rows : random.chance(0.8) ? near : entries;
  return random.pick(from.length > 0 ? from : entries);
}

function rearrange(random: Random, entries: ZipEntry[]): void {
  const at = random.int(entries.length);
  const it = entries[at]!;
  switch (random.int(5)) {
    case 0:
      entries.splice(at, 1);
      break;
    case 1:
      entries.push(it);
      break;
    case 2:
      entries[at] = {
        ...it,
        name: random.pick([`../${it.name}`, it.name.toUpperCase(), `/${it.name}`, `${it.name}\0`]),
      };
      break;
    case 3:
      entries[at] = { ...it, crc: random.int(2 ** 32) };
      break;
    default:
      entries[at] = { ...it, size: random.pick(EDGES) };
  }
}

function kindOf(name: string): string {
  return name.toLowerCase().replace(/^.*\//, '').replace(/\d+/g, '');
}
