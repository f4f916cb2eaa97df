import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { openSource } from '../../src/source/open-source.js';
import { type WorkbookContent, workbook } from '../fixtures/workbook.js';

const folder = mkdtempSync(path.join(tmpdir(), 'xlsx-escapes-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The texts of the first row. */
async function firstRow(content: WorkbookContent): Promise<string[]> {
  const file = path.join(folder, 'book.xlsx');
  writeFileSync(file, workbook(content));
  const source = await openSource(file);
  try {
    const texts: string[] = [];
    for await (const chunk of source.rows(source.sheets[0]!)) {
      for (const { column, text } of chunk[0]!.cells()) texts[column - 1] = text;
      break;
    }
    return Array.from(texts, (text) => text ?? '');
  } finally {
    await source.close();
  }
}

/** Every place that a text may are in: one element or several, shared, in the cell, or a formula's result. */
function everywhere(pieces: readonly string[]): WorkbookContent {
  const whole = pieces.join('');
  const runs = pieces.map((it) => `<r><t>${it}</t></r>`).join('');
  return {
    strings: `<si><t>${whole}</t></si><si>${runs}</si><si><!-- not plain --><t xml:space="preserve">${whole}</t></si>`,
    sheet:
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c>' +
      `<c r="D1" t="inlineStr"><is><t>${whole}</t></is></c><c r="E1" t="inlineStr"><is>${runs}</is></c>` +
      `<c r="F1" t="str"><v>${whole}</v></c><c r="G1" t="str"><f>A1</f><v>${whole}</v></c></row>`,
  };
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** One element's text by a way that shares nothing with the reader: markup first, then escapes from left to right. */
function decoded(xml: string): string {
  let text = '';
  for (let rest = xml.replaceAll(/\r\n?/g, '\n'); rest !== ''; ) {
    const cdata = /^<!\[CDATA\[(.*?)\]\]>/s.exec(rest);
    const reference = /^&(?:#x([0-9a-f]+)|#([0-9]+)|([a-z]+));/i.exec(rest);
    if (cdata) text += cdata[1];
    else if (reference) {
      const [, hex, decimal, name] = reference;
      text += name ? NAMED[name] : String.fromCodePoint(Number.parseInt(hex ?? decimal!, hex ? 16 : 10));
    } else text += rest[0];
    rest = rest.slice((cdata ?? reference)?.[0].length ?? 1);
  }
  let shown = '';
  for (let at = 0; at < text.length; ) {
    const begins = text[at] === '_' && text[at + 1] === 'x' && text[at + 6] === '_';
    const digits = text.slice(at + 2, at + 6);
    if (begins && [...digits].every((it) => '0123456789abcdefABCDEF'.includes(it))) {
      shown += String.fromCharCode(Number.parseInt(digits, 16));
      at += 7;
    } else {
      shown += text[at];
      at += 1;
    }
  }
  return Buffer.from(shown).toString();
}

const PARTS = [
  ...[
    '_x000D_',
    '_x005F_',
    '_x0041_',
    '_xd83d__xDE00_',
    '_x4E2D_',
    '_x00e9_',
    '_xDE00_',
    '_X0041_',
    '_x00G1_',
  ],
  ...['_x', '_', '__', 'x', '0041', '_x00', '41_', 'x0041_', '\n', '\r\n', '\r'],
  ...['&#20013;', '&#x4E2D;', '&#233;', '&#x1F600;', '&#95;', '&#x5F;', '&#x78;', '&#48;', '&#13;', '&#10;'],
  ...['&amp;', '&lt;', '&gt;', '&quot;', '&apos;', '<![CDATA[_x0041_ <&]]>', '<![CDATA[_x00]]>'],
  ...['text', ' ', '中文', 'é', '😀'],
];

describe('escapes in texts are resolved once', () => {
  it.each([
    ['_x000D_ before a reference &#20013;', '\r before a reference 中'],
    ['&#20013; _x000D_', '中 \r'],
    ['_x005F_x0041_ &#x4E2D; _x0042_', '_x0041_ 中 B'],
    ['&#95;x0041_&#20013;', 'A中'],
    ['&#x5F;x005F_x000D_&#233;&amp;', '_x000D_é&'],
  ])('are resolved whatever stands next to them: %s', async (xml, wanted) => {
    const texts = await firstRow(everywhere([xml]));
    expect(texts).toEqual(Array.from({ length: 7 }, () => wanted));
  });

  it('are those of one element: two runs make none together, and what one resolves to is not resolved again', async () => {
    const texts = await firstRow(everywhere(['_x00', '41_ _x005F_', 'x0042_']));
    expect([texts[1], texts[4]]).toEqual(['_x0041_ _x0042_', '_x0041_ _x0042_']);
  });

  it('that stand for half a character become U+FFFD, which is an error of its cell', async () => {
    expect((await firstRow(everywhere(['a_xD83D_']))).at(0)).toBe('a\ufffd');
  });

  it('agree with a simple reader, in every place that a text may be in', async () => {
    const texts = fc.array(fc.array(fc.constantFrom(...PARTS), { maxLength: 8 }), {
      minLength: 1,
      maxLength: 3,
    });
    const property = fc.asyncProperty(texts, async (atoms) => {
      const pieces = atoms.map((it) => it.join(''));
      const [whole, runs] = [decoded(pieces.join('')), pieces.map(decoded).join('')];
      const wanted = [whole, runs, whole, whole, runs, whole, whole];
      const seen = await firstRow(everywhere(pieces));
      expect(wanted.map((_, index) => seen[index] ?? '')).toEqual(wanted);
    });
    await fc.assert(property, { numRuns: 300 });
  });
});
