import { mutateBytes, splice, words } from './mutate-bytes.js';
import type { Random } from './random.js';

/** What a reader of spreadsheets' XML is sensitive to: markup, references, addresses. */
const WORDS = words(`
  &amp; ¦&#x0;¦&#10;¦&#x1F600;¦&#xD800;¦&nbsp;¦&¦&lt¦&#99999999999;¦<![CDATA[a<b]]>¦<![CDATA[¦]]>¦<!-- c -->¦<!--¦-->
  <?p i?>¦<?¦<!DOCTYPE a>¦<!ENTITY a "b">¦<row>¦</row>¦<row r="1">¦<row r="1048576"/>¦<row r="0"/>¦<row/>¦<c/>
  <c r="A1"/>¦<c><v>7</v></c>¦<c r="XFD1" t="s"><v>0</v></c>¦<c t="s"><v>99999</v></c>¦<c t="str"><v>a</v></c>
  <c t="inlineStr"><is><t>x</t></is></c>¦<c t="d"><v>2026-01-31</v></c>¦<v/>¦<v>¦</v>¦</c>¦<f>1</f>¦<f>¦<is>¦</is>
  <t>¦</t>¦<r><t>a</t></r>¦<rPh sb="0" eb="1"><t>x</t></rPh>¦<si><t>s</t></si>¦<si/>¦</si>¦<sheetData>¦</sheetData>
  <sheetData/>¦</worksheet>¦<mc:AlternateContent><mc:Choice>¦</mc:Choice></mc:AlternateContent>¦</sst>¦<x:row>
  <sheet name="N" sheetId="1" r:id="rId1"/>¦ r="A1"¦ r="1"¦ t="s"¦ t="e"¦ s="4294967295"¦ hidden="1"¦ xmlns:x="y"
   xml:space="preserve"¦x:¦_x000D_¦_x005F_¦_x¦\r\n¦\r¦\0¦\ufeff¦\u00e9¦中文¦😀¦"¦'¦<¦>¦/¦=¦ ¦\t`);
const NUMBERS = words(`
  0¦-0¦-1¦1¦60¦0.1¦1e3¦1E+400¦1e-400¦1e999999¦99999999999999999999¦1048576¦1048577¦16384¦16385¦2147483648¦4294967296
  2958465¦2958466¦0.30000000000000004¦NaN¦Infinity¦¦١٢¦00012¦1.7976931348623157e308¦1${'0'.repeat(400)}¦${'9'.repeat(300)}`);
const TOKENS = WORDS.map((it) => Buffer.from(it));
const ENCODINGS = words('UTF-8¦UTF-16¦utf-16le¦ISO-8859-1¦GBK¦gb18030¦US-ASCII¦x-none¦utf-7');

/** One change to a part's XML: where tags begin, in values, in the encoding, or anywhere. */
export function mutateXml(random: Random, xml: Buffer, others: readonly Buffer[]): Buffer {
  if (xml.length === 0) return Buffer.from(random.pick(TOKENS));
  switch (random.int(10)) {
    case 0:
    case 1:
      return mutateBytes(random, xml, TOKENS);
    case 2:
    case 3:
      return betweenTags(random, xml);
    case 4:
      return replaceRun(random, xml, isDigit, NUMBERS);
    case 5:
      return replaceValue(random, xml);
    case 6:
      return insertAtTag(random, xml, random.pick(TOKENS));
    case 7:
      return reencoded(random, xml);
    case 8: {
      const other = random.pick(others);
      return insertAtTag(random, xml, tagRange(random, other));
    }
    default:
      return insertAtTag(random, xml, long(random));
  }
}

/** The place of a `<` at or behind a random place, or the end. */
function tagStart(random: Random, xml: Buffer): number {
  const at = xml.indexOf(0x3c, random.int(xml.length));
  return at < 0 ? xml.length : at;
}

/** Some tags with what is between them. */
function tagRange(random: Random, xml: Buffer): Buffer {
  const start = tagStart(random, xml);
  return xml.subarray(start, tagEnd(random, xml, start));
}

function tagEnd(random: Random, xml: Buffer, start: number): number {
  let end = start;
  for (let count = random.few(12); count > 0; count -= 1) {
    const next = xml.indexOf(0x3c, end + 1);
    if (next < 0) return xml.length;
    end = next;
  }
  return end;
}

function betweenTags(random: Random, xml: Buffer): Buffer {
  const start = tagStart(random, xml);
  const end = tagEnd(random, xml, start);
  const range = xml.subarray(start, end);
  const kind = random.int(3);
  if (kind === 0) return splice(xml, start, end);
  if (kind === 1) return splice(xml, end, end, range);
  const to = tagStart(random, xml);
  return splice(xml, to, to, range);
}

function insertAtTag(random: Random, xml: Buffer, put: Buffer): Buffer {
  const at = random.chance(0.5)
    ? tagStart(random, xml)
    : Math.max(0, xml.indexOf(0x3e, random.int(xml.length)) + 1);
  return splice(xml, at, at, put);
}

function replaceRun(
  random: Random,
  xml: Buffer,
  is: (byte: number) => boolean,
  values: readonly string[],
): Buffer {
  let start = random.int(xml.length);
  while (start < xml.length && !is(xml[start]!)) start += 1;
  let end = start;
  while (end < xml.length && is(xml[end]!)) end += 1;
  return splice(xml, start, end, Buffer.from(random.pick(values)));
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function replaceValue(random: Random, xml: Buffer): Buffer {
  const start = xml.indexOf('="', random.int(xml.length));
  const end = start < 0 ? -1 : xml.indexOf(0x22, start + 2);
  if (end < 0) return xml;
  return splice(xml, start + 2, end, Buffer.from(random.pick(random.chance(0.5) ? NUMBERS : WORDS)));
}

function reencoded(random: Random, xml: Buffer): Buffer {
  const text = xml.toString('utf8');
  const kind = random.int(5);
  if (kind === 0) return Buffer.from(text, 'utf16le');
  if (kind === 1) return Buffer.from(`\ufeff${text}`, 'utf16le');
  if (kind === 2) return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  const declared = text.replace(/encoding="[^"]*"/, `encoding="${random.pick(ENCODINGS)}"`);
  return Buffer.from(declared, kind === 3 ? 'latin1' : 'utf8');
}

/** Text about as long as a cell may be, or a great many small things. */
function long(random: Random): Buffer {
  const length = random.pick([255, 4096, 32_766, 32_767, 32_768, 65_536, 70_000]);
  const kind = random.int(5);
  if (kind === 0) return Buffer.alloc(length, 0x20);
  if (kind === 1) return Buffer.alloc(length, 0x78);
  if (kind === 2) return Buffer.from('<a>'.repeat(length / 64));
  if (kind === 3) return Buffer.from(`<row><c t="str"><v>${'x'.repeat(length)}</v></c></row>`);
  return Buffer.from('中'.repeat(length));
}
