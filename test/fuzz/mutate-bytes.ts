import type { Random } from './random.js';

/** Values that lengths and offsets are wrong by most often. */
export const EDGES: readonly number[] = [
  0, 1, 2, 7, 8, 15, 16, 30, 46, 255, 256, 32_767, 32_768, 65_535, 65_536, 0x7fffffff, 0x80000000, 0xfffffffe,
  0xffffffff,
];

/** A list written as lines of words parted by `¦`; blanks at a word's ends stay, but for a line's indent of two. */
export function words(list: string): readonly string[] {
  return list.replace(/^\n {2}/, '').split(/¦|\n {2}/);
}

export function splice(bytes: Buffer, start: number, end: number, put: Uint8Array = Buffer.alloc(0)): Buffer {
  return Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(end)]);
}

/** A stretch of the bytes, mostly short. */
function stretch(random: Random, bytes: Buffer): readonly [start: number, end: number] {
  const start = random.int(bytes.length);
  const longest = random.chance(0.7) ? 40 : bytes.length;
  return [start, Math.min(bytes.length, start + 1 + random.int(longest))];
}

/** One change that knows nothing of what the bytes mean. `tokens`: what the format is sensitive to. */
export function mutateBytes(random: Random, bytes: Buffer, tokens: readonly Uint8Array[]): Buffer {
  if (bytes.length === 0) return Buffer.from(random.pick(tokens));
  const [start, end] = stretch(random, bytes);
  switch (random.int(8)) {
    case 0: {
      const changed = Buffer.from(bytes);
      for (let times = random.few(8); times > 0; times -= 1) {
        const at = random.int(changed.length);
        changed[at] = changed[at]! ^ (1 << random.int(8));
      }
      return changed;
    }
    case 1: {
      const changed = Buffer.from(bytes);
      for (let times = random.few(4); times > 0; times -= 1) {
        changed[random.int(changed.length)] = random.int(256);
      }
      return changed;
    }
    case 2:
      return splice(bytes, start, end);
    case 3:
      return splice(bytes, end, end, bytes.subarray(start, end));
    case 4: {
      const to = random.int(bytes.length);
      return splice(bytes, to, to, bytes.subarray(start, end));
    }
    case 5:
      return bytes.subarray(0, start);
    case 6:
      return splice(bytes, start, start, random.pick(tokens));
    default:
      return splice(bytes, start, end, random.pick(tokens));
  }
}
