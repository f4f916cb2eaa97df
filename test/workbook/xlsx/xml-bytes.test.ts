import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unescapeText } from '../../../src/source/xlsx/xml-text.js';
import { XmlBytes } from '../../../src/workbook/xlsx/row-xml.js';

function written(text: string): string {
  const xml = new XmlBytes();
  xml.text(text);
  return xml.take().toString('utf8');
}

describe('text within XML is escaped', () => {
  it.each([
    ['a < b & "c" > \'d\'', 'a &lt; b &amp; &quot;c&quot; &gt; &apos;d&apos;'],
    ['line\nbreak\tand tab', 'line\nbreak\tand tab'],
    ['a\r\nb', 'a_x000D_\nb'],
    ['\u0000\u001f\u007f', '_x0000__x001F__x007F_'],
    ['\uffff\ufffe', '_xFFFF__xFFFE_'],
    ['_x0041_', '_x005F_x0041_'],
    ['_x004_ _x00410 _X0041_ snake_x', '_x004_ _x00410 _X0041_ snake_x'],
    ['_x0041_x0041_', '_x005F_x0041_x005F_x0041_'],
    ['_x0041\r_x0042\ufffe_x0043&_', '_x005F_x0041_x000D__x005F_x0042_xFFFE__x0043&amp;_'],
    ['\ud83d', '_xD83D_'],
    ['\udc00\ud83d!', '_xDC00__xD83D_!'],
    ['é Ω 张伟 😀 \ufffd', 'é Ω 张伟 😀 \ufffd'],
  ])('%j is written %j', (text, wanted) => {
    expect(written(text)).toBe(wanted);
  });

  it('holds every character: as itself, or as what spreadsheets show as it', () => {
    for (let code = 0; code <= 0xffff; code += 1) {
      const char = String.fromCharCode(code);
      const named = written(char).replace(/_x([0-9A-F]{4})_/g, (_, hex) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
      const shown = named
        .replace('&lt;', '<')
        .replace('&gt;', '>')
        .replace('&quot;', '"')
        .replace('&apos;', "'")
        .replace('&amp;', '&');
      if (shown !== char) expect.fail(`U+${code.toString(16)} is written ${named}`);
    }
  });
});

describe('text that looks escaped stays text', () => {
  it('are read again as what was written, whatever they stand next to', () => {
    const atoms = [
      '_',
      'x',
      '0041',
      '_x0041',
      '_x0041_',
      '_x005F_',
      '\r',
      '\u0001',
      '\uffff',
      '&',
      '中',
      '\n',
      '😀',
    ];
    const texts = fc.array(fc.constantFrom(...atoms), { maxLength: 12 }).map((it) => it.join(''));
    const property = fc.property(texts, (text) => {
      expect(unescapeText(written(text).replaceAll('&amp;', '&'))).toBe(text);
    });
    fc.assert(property, { numRuns: 2000 });
  });
});

describe('pieces are passed on whole', () => {
  it('follow each other, and none is there twice once they were taken', () => {
    const xml = new XmlBytes();
    xml.ascii('<v>');
    xml.text('€');
    xml.ascii('</v>');
    expect(xml.length).toBe(10);
    expect(xml.take().toString('utf8')).toBe('<v>€</v>');
    expect(xml.length).toBe(0);
    xml.ascii('next');
    expect(xml.take().toString('utf8')).toBe('next');
  });

  it('may be larger than their first buffer', () => {
    const xml = new XmlBytes();
    const wanted: string[] = [];
    for (let size = 1; size < 400_000; size *= 3) {
      const text = '字&'.repeat(size);
      xml.text(text);
      wanted.push(text.replaceAll('&', '&amp;'));
    }
    expect(xml.take().toString('utf8') === wanted.join('')).toBe(true);
  });
});
