import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { nearest } from '../../util/nearest.js';
import { ChinesePlausibility } from './plausible-chinese.js';
import { type LineEnds, survey } from './survey.js';
import { readText } from './text.js';

interface FoundEncoding {
  /** A label of the Encoding standard. */
  readonly encoding: string;
  /** The text contains NUL characters. */
  readonly nul: boolean;
  readonly lineEnds: LineEnds;
  readonly warnings: readonly Message[];
}

const BOMS: readonly { readonly encoding: string; readonly bytes: readonly number[] }[] = [
  // UTF-32LE begins like UTF-16LE, so it comes first.
  { encoding: 'utf-32', bytes: [0xff, 0xfe, 0x00, 0x00] },
  { encoding: 'utf-32', bytes: [0x00, 0x00, 0xfe, 0xff] },
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
  { encoding: 'gb18030', bytes: [0x84, 0x31, 0x95, 0x33] },
];

/** Common names that the Encoding standard doesn't have. */
const ALIASES = new Map([
  ['utf-8-sig', 'utf-8'],
  ['cp936', 'gbk'],
  ['ms936', 'gbk'],
  ['cp950', 'big5'],
  ['cp949', 'euc-kr'],
  ['cp932', 'shift_jis'],
  ['cp1250', 'windows-1250'],
  ['utf-16-le', 'utf-16le'],
  ['utf-16-be', 'utf-16be'],
]);

const KNOWN = (
  'utf-8 utf-16le utf-16be gb18030 gbk gb2312 big5 shift_jis euc-jp euc-kr latin1 iso-8859-1 iso-8859-2 ' +
  'iso-8859-7 iso-8859-15 windows-1250 windows-1251 windows-1252 windows-1253 koi8-r'
).split(' ');

/**
 * The encoding of a text file, from all of its bytes, in bounded memory. A byte order mark outranks the encoding that the
 * job names. A file whose encoding isn't certain is refused, never guessed: a wrong guess sends wrong names.
 * @param wanted `auto` or an encoding name
 */
export async function findEncoding(file: string, wanted: string): Promise<FoundEncoding> {
  const named = wanted === 'auto' ? undefined : knownEncoding(file, wanted);
  const seen = await survey(file);
  const bom = BOMS.find(({ bytes }) => bytes.every((byte, index) => seen.head[index] === byte));
  if (bom?.encoding === 'utf-32') throw refusal('source.csv_utf32', file);
  const encoding = bom?.encoding ?? named ?? (seen.utf16 || 'utf-8');
  const { lineEnds } = seen;
  if (encoding === 'utf-8') {
    if (seen.utf8Fault === undefined) {
      if (!bom && !named && seen.mayBeGbk && (await isCommonChinese(file)))
        throw refusal('source.csv_encoding_both', file);
      return { encoding, nul: seen.nul, lineEnds, warnings: [] };
    }
    if (bom ?? named) {
      const offset = seen.utf8Fault;
      throw new ProductError('input', message('source.csv_undecodable', { file, encoding: 'utf-8', offset }));
    }
    const nul = await checkChinese(file);
    const warnings = [message('source.csv_encoding_taken', { file, encoding: 'GB18030' })];
    return { encoding: 'gb18030', nul, lineEnds, warnings };
  }
  let nul = false;
  for await (const text of readText(file, encoding)) nul ||= text.includes('\0');
  // The survey looked at single bytes, which says nothing about line ends of two bytes.
  const ends = encoding.startsWith('utf-16') ? 'mixed' : lineEnds;
  return { encoding, nul, lineEnds: ends, warnings: [] };
}

function refusal(
  code: 'source.csv_utf32' | 'source.csv_encoding_unclear' | 'source.csv_encoding_both',
  file: string,
): ProductError {
  return new ProductError('input', message(code, { file }));
}

/** @throws ProductError usage when there is no such encoding. */
function knownEncoding(file: string, wanted: string): string {
  const plain = wanted.trim().toLowerCase();
  const label = ALIASES.get(plain.replaceAll('_', '-')) ?? plain;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    const near = nearest(plain, KNOWN);
    const params = { file, encoding: wanted };
    throw new ProductError(
      'usage',
      near === undefined
        ? message('source.csv_encoding_far', { ...params, known: KNOWN.slice(0, 6).join(', ') })
        : message('source.csv_encoding_unknown', { ...params, near }),
    );
  }
}

async function checkChinese(file: string): Promise<boolean> {
  const plausibility = new ChinesePlausibility();
  let nul = false;
  try {
    for await (const text of readText(file, 'gb18030')) {
      plausibility.add(text);
      nul ||= text.includes('\0');
    }
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
    throw refusal('source.csv_encoding_unclear', file);
  }
  if (!plausibility.plausible) throw refusal('source.csv_encoding_unclear', file);
  return nul;
}

/** Whether text that is valid UTF-8 is common Chinese when it is read as GB18030. */
async function isCommonChinese(file: string): Promise<boolean> {
  const plausibility = new ChinesePlausibility();
  try {
    for await (const text of readText(file, 'gb18030')) plausibility.add(text);
  } catch (error) {
    if (error instanceof ProductError) return false;
    throw error;
  }
  return plausibility.common;
}
