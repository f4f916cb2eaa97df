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

/** @throws ProductError input when the part can't be read. */
export async function readStyles(zip: ZipPackage, part: PackagePart | undefined): Promise<Styles> {
  if (!part) return [];
  const custom = new Map<number, string>();
  const used: number[] = [];
  const path = new ElementPath();
  await eachToken(zip, part, (token, scanner) => {
    path.see(token, scanner);
    if (token !== START) return;
    const at = `${path}`;
    if (at === '/styleSheet/numFmts/numFmt') {
      const given = attributes(scanner);
      const code = unescapeText(given.get('formatCode') ?? '');
      custom.set(Number(given.get('numFmtId')), code.length > MAX_CODE ? '' : code);
    } else if (at === '/styleSheet/cellXfs/xf') {
      // applyNumberFormat is not looked at: Excel shows the format whatever it says.
      used.push(Number(attributes(scanner).get('numFmtId') ?? 0));
    }
    if (used.length > MAX_STYLES || custom.size > MAX_FORMATS) throw scanner.broken();
  });
  const formats = new Map<number, NumberFormat | undefined>();
  return used.map((id) => {
    if (!formats.has(id)) formats.set(id, formatOf(custom.get(id) ?? BUILTIN_FORMATS[id] ?? ''));
    return formats.get(id);
  });
}

/** Of a format's code; undefined for General. */
export function formatOf(code: string): NumberFormat | undefined {
  return code === '' || /^general$/i.test(code) ? undefined : new NumberFormat(code);
}
