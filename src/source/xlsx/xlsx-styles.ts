import { NumberFormat } from './number-format.js';
import { attributes, ElementPath, eachToken } from './xml-part.js';
import { START } from './xml-scan.js';
import { unescapeText } from './xml-text.js';
import type { PackagePart, ZipPackage } from './zip.js';

/** Formats that a file names by number only (ECMA-376 § 18.8.30); 27 to 36 and 50 to 58 as in mainland China. */
export const BUILTIN_FORMATS: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '"$"#,##0;\\-"$"#,##0',
  6: '"$"#,##0;[Red]\\-"$"#,##0',
  7: '"$"#,##0.00;\\-"$"#,##0.00',
  8: '"$"#,##0.00;[Red]\\-"$"#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'm/d/yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yyyy h:mm',
  27: 'yyyy"年"m"月"',
  28: 'm"月"d"日"',
  29: 'm"月"d"日"',
  30: 'm-d-yy',
  31: 'yyyy"年"m"月"d"日"',
  32: 'h"时"mm"分"',
  33: 'h"时"mm"分"ss"秒"',
  34: '上午/下午h"时"mm"分"',
  35: '上午/下午h"时"mm"分"ss"秒"',
  36: 'yyyy"年"m"月"',
  37: '#,##0_);(#,##0)',
  38: '#,##0_);[Red](#,##0)',
  39: '#,##0.00_);(#,##0.00)',
  40: '#,##0.00_);[Red](#,##0.00)',
  41: '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)',
  42: '_("$"* #,##0_);_("$"* (#,##0);_("$"* "-"_);_(@_)',
  43: '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
  44: '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
  50: 'yyyy"年"m"月"',
  51: 'm"月"d"日"',
  52: 'yyyy"年"m"月"',
  53: 'm"月"d"日"',
  54: 'm"月"d"日"',
  55: '上午/下午h"时"mm"分"',
  56: '上午/下午h"时"mm"分"ss"秒"',
  57: 'yyyy"年"m"月"',
  58: 'm"月"d"日"',
  71: 'd/m/yyyy',
  72: 'd-mmm-yy',
  73: 'd-mmm',
  74: 'mmm-yy',
  75: 'h:mm',
  76: 'h:mm:ss',
  77: 'd/m/yyyy h:mm',
  78: 'mm:ss',
  79: '[h]:mm:ss',
  80: 'mm:ss.0',
  81: 'd/m/yy',
};

/** Excel's own limits are 65,490 styles, and a few hundred formats of 255 characters. */
const MAX_STYLES = 100_000;
const MAX_FORMATS = 10_000;
const MAX_CODE = 1024;

/** Number formats by style number; undefined is General. A style missing in the workbook is General, too. */
export type Styles = readonly (NumberFormat | undefined)[];

export interface ReadStyles {
  readonly formats: Styles;
  /** Numbers of the styles whose font is struck out. */
  readonly struck: ReadonlySet<number>;
}

/** @throws ProductError input if the part cannot be read. */
export async function readStyles(zip: ZipPackage, part: PackagePart | undefined): Promise<ReadStyles> {
  if (!part) return { formats: [], struck: new Set() };
  const custom = new Map<number, string>();
  const used: number[] = [];
  const struckFonts = new Set<number>();
  const struck = new Set<number>();
  let fonts = 0;
  const path = new ElementPath();
  await eachToken(zip, part, (token, scanner) => {
    path.see(token, scanner);
    if (token !== START) return;
    const at = `${path}`;
    if (at === '/styleSheet/numFmts/numFmt') {
      const given = attributes(scanner);
      const code = unescapeText(given.get('formatCode') ?? '');
      custom.set(Number(given.get('numFmtId')), code.length > MAX_CODE ? '' : code);
    } else if (at === '/styleSheet/fonts/font') {
      fonts += 1;
    } else if (at === '/styleSheet/fonts/font/strike') {
      if (isStruck(attributes(scanner))) struckFonts.add(fonts - 1);
    } else if (at === '/styleSheet/cellXfs/xf') {
      // applyNumberFormat and applyFont are ignored: Excel shows the format and the font whatever their values.
      const given = attributes(scanner);
      if (struckFonts.has(Number(given.get('fontId') ?? 0))) struck.add(used.length);
      used.push(Number(given.get('numFmtId') ?? 0));
    }
    if (used.length > MAX_STYLES || custom.size > MAX_FORMATS) throw scanner.broken();
  });
  const known = new Map<number, NumberFormat | undefined>();
  const formats = used.map((id) => {
    if (!known.has(id)) known.set(id, formatOf(custom.get(id) ?? BUILTIN_FORMATS[id] ?? ''));
    return known.get(id);
  });
  return { formats, struck };
}

/** Whether an element `strike` with these attributes strikes out: true unless its value is false. */
export function isStruck(given: ReadonlyMap<string, string>): boolean {
  return !/^(?:0|false|off)$/.test(given.get('val') ?? '1');
}

export function formatOf(code: string): NumberFormat | undefined {
  return code === '' || /^general$/i.test(code) ? undefined : new NumberFormat(code);
}
