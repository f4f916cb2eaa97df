import { BUILTIN_FORMATS } from './builtin-formats.js';
import { NumberFormat } from './number-format.js';
import { attributes, ElementPath, eachToken } from './part-tokens.js';
import { START } from './xml-scan.js';
import { unescapeText } from './xml-text.js';
import type { PackagePart, ZipPackage } from './zip.js';

/** Excel's own limits are 65,490 styles, and a few hundred formats of 255 characters. */
const MAX_STYLES = 100_000;
const MAX_FORMATS = 10_000;
const MAX_CODE = 1024;

/** Number formats by style number; undefined is General. A style that the workbook lacks is General too. */
export type Styles = readonly (NumberFormat | undefined)[];

export interface ReadStyles {
  readonly formats: Styles;
  /** Numbers of the styles whose font is struck out. */
  readonly struck: ReadonlySet<number>;
}

/** @throws ProductError input when the part can't be read. */
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
      // applyNumberFormat and applyFont are not looked at: Excel shows the format and the font whatever they say.
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

/** Whether an element `strike` with these attributes strikes out: it does unless it says no. */
export function isStruck(given: ReadonlyMap<string, string>): boolean {
  return !/^(?:0|false|off)$/.test(given.get('val') ?? '1');
}

/** Of a format's code; undefined for General. */
export function formatOf(code: string): NumberFormat | undefined {
  return code === '' || /^general$/i.test(code) ? undefined : new NumberFormat(code);
}
