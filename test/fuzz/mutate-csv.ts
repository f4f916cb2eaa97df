import { mutateBytes, splice, words } from './mutate-bytes.js';
import type { Random } from './random.js';

const WORDS = words(`
  "¦""¦"a"¦"a"b¦,¦;¦\t¦|¦\\n¦\\r¦\\r\\n¦\\n\\n¦"\\n¦\\n"¦","¦=1+1¦'=1¦\0¦\ufeff¦\u00a0¦\u200b¦\u2028¦中文¦😀¦-¦ ¦1
  row,status,licenseOrderId,code,message,`).map((it) => it.replaceAll('\\n', '\n').replaceAll('\\r', '\r'));
const TOKENS: readonly Buffer[] = [
  ...WORDS.map((it) => Buffer.from(it)),
  ...WORDS.map((it) => Buffer.from(it, 'utf16le')),
  // Halves of characters, marks of byte order, and pairs that several encodings take for a character.
  ...words('e5¦ff¦fe¦81¦8130¦84319533¦fffe¦feff¦efbbbf¦c4e3¦a4a2¦00').map((it) => Buffer.from(it, 'hex')),
];

/** Some changes to a text table, mostly where fields and records end. */
export function mutateCsv(random: Random, bytes: Buffer): Buffer {
  let changed = bytes;
  for (let times = random.few(5); times > 0; times -= 1) changed = once(random, changed);
  return changed;
}

function once(random: Random, bytes: Buffer): Buffer {
  if (bytes.length === 0 || random.chance(0.5)) return mutateBytes(random, bytes, TOKENS);
  const lines = lineStarts(bytes);
  const at = random.int(lines.length);
  const [start, end] = [lines[at]!, lines[at + 1] ?? bytes.length];
  switch (random.int(6)) {
    case 0:
      return splice(bytes, start, end);
    case 1:
      return splice(bytes, end, end, bytes.subarray(start, end));
    case 2:
      return splice(bytes, start, start, random.pick(TOKENS));
    case 3:
      return splice(bytes, start, start, Buffer.alloc(random.pick([300, 32_767, 32_768, 140_000]), 0x78));
    case 4:
      // Unaligned on purpose half of the time: UTF-16 that is one byte short.
      return splice(bytes, start, start, Buffer.alloc(1 + random.int(4), random.pick([0, 0x0a, 0x0d, 0x22])));
    default:
      return splice(bytes, start, start, Buffer.from('\n'.repeat(random.pick([1, 3, 2000]))));
  }
}

function lineStarts(bytes: Buffer): readonly number[] {
  const starts = [0];
  for (let at = bytes.indexOf(0x0a); at >= 0 && starts.length < 5000; at = bytes.indexOf(0x0a, at + 1)) {
    starts.push(at + 1);
  }
  return starts;
}
