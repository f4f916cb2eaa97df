import type { HeaderFooter, PageSetup } from 'exceljs';
import { columnLetters } from '../../util/address.js';
import { cutText } from '../../util/cut-text.js';
import type { ResultTable } from '../contract.js';

const A4 = 9;
const MARGINS = { left: 0.4, right: 0.4, top: 0.65, bottom: 0.65, header: 0.3, footer: 0.3 };
/** Characters across a landscape A4 page that are still readable, at about 55 per cent. */
const PAGE_CHARACTERS = 270;
/** Header and footer hold 255 characters each, codes among them. */
const NAME_BYTES = 100;

/** A landscape page with the columns fitted to its width, or to as many pages as keep them readable. */
export function pageSetup(widths: readonly number[]): Partial<PageSetup> {
  const all = widths.reduce((sum, it) => sum + it, 0);
  return {
    paperSize: A4,
    orientation: 'landscape',
    fitToPage: true,
    fitToWidth: Math.max(1, Math.ceil(all / PAGE_CHARACTERS)),
    fitToHeight: 0,
    margins: MARGINS,
  };
}

/** Header: sheet, REHEARSAL or SANDBOX where it is one, date. Footer: job, run, page. */
export function headerFooter({ sandbox, rehearsal, job, run }: ResultTable): Partial<HeaderFooter> {
  const mark = rehearsal ? 'REHEARSAL' : sandbox ? 'SANDBOX' : undefined;
  const banner = mark === undefined ? '' : `&C&"-,Bold"${mark}`;
  return {
    oddHeader: `&L&A${banner}&R&D`,
    oddFooter: `&L${plain(job)}&C${plain(run)}&R&P / &N`,
  };
}

/** Ampersands begin codes, so they are doubled. */
function plain(name: string): string {
  return cutText(name, NAME_BYTES).replaceAll('&', '&&');
}

/** The range that every printed page repeats: a row, and the first `columns` columns. */
export function printTitles(sheet: string, row: number, columns: number): string {
  const name = `'${sheet.replaceAll("'", "''")}'!`;
  const rows = `${name}$${row}:$${row}`;
  return columns === 0 ? rows : `${name}$A:$${columnLetters(columns)},${rows}`;
}
