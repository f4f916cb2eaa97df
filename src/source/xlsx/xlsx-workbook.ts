import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { SheetInfo } from '../source.js';
import { attributes, ElementPath, eachToken } from './xml-part.js';
import { START } from './xml-scan.js';
import { unescapeText } from './xml-text.js';
import { MAX_ENTRIES, type PackagePart, type ZipPackage } from './zip.js';

export interface Relationship {
  readonly id: string;
  /** The last word of its type, `worksheet`, which is the same in the transitional and the strict namespaces. */
  readonly type: string;
  /** Its target; undefined if the package has no such part. */
  readonly part: PackagePart | undefined;
}

/** Relationships of a part, or of the package (`''`); none if there is no such part. */
export async function relationships(zip: ZipPackage, source: string): Promise<readonly Relationship[]> {
  const cut = source.lastIndexOf('/') + 1;
  const folder = source.slice(0, cut);
  const rels = zip.part(`${folder}_rels/${source.slice(cut)}.rels`);
  if (!rels) return [];
  const found: Relationship[] = [];
  const path = new ElementPath();
  await eachToken(zip, rels, (token, scanner) => {
    path.see(token, scanner);
    if (token !== START || `${path}` !== '/Relationships/Relationship') return;
    const given = attributes(scanner);
    if (given.get('TargetMode')?.toLowerCase() === 'external') return;
    if (found.length === MAX_ENTRIES) throw scanner.broken();
    const type = given.get('Type') ?? '';
    found.push({
      id: given.get('Id') ?? '',
      type: type.slice(type.lastIndexOf('/') + 1),
      part: target(zip, folder, given.get('Target') ?? ''),
    });
  });
  return found;
}

/** Targets are absolute, or relative to the folder of the part that names them. */
function target(zip: ZipPackage, folder: string, reference: string): PackagePart | undefined {
  const slashed = reference.replaceAll('\\', '/');
  const whole = slashed.startsWith('/') ? slashed : folder + slashed;
  const steps: string[] = [];
  for (const step of whole.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  const name = steps.join('/');
  return zip.part(name) ?? zip.part(unquoted(name));
}

function unquoted(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

export interface WorksheetPart {
  readonly info: SheetInfo;
  readonly part: PackagePart;
}

/** The workbook part's content, and its other parts. */
export interface Workbook {
  /** Worksheets in tab order. */
  readonly worksheets: readonly WorksheetPart[];
  /** Day 0 is 1904-01-01. */
  readonly date1904: boolean;
  /** The workbook requires a calculation of its formulas on opening, or the last calculation was not completed. */
  readonly pending: boolean;
  readonly sharedStrings: PackagePart | undefined;
  readonly styles: PackagePart | undefined;
}

interface SheetElement {
  readonly name: string;
  readonly relationship: string;
  readonly state: string;
}

/** Tabs without cells. */
const OTHER_TABS: ReadonlySet<string> = new Set(['chartsheet', 'dialogsheet', 'xlMacrosheet', 'macrosheet']);

/** The kind of workbook in a package, by its content; for kinds with a workbook part, that part. */
export type WorkbookKind =
  | { readonly kind: 'xlsx' | 'xlsb'; readonly part: PackagePart }
  | { readonly kind: 'ods' };

/**
 * Finds a workbook's sheets by their relationships.
 * @throws ProductError input: no worksheet, a worksheet without content.
 */
export async function readWorkbook(zip: ZipPackage, part: PackagePart): Promise<Workbook> {
  const { sheets, date1904, pending } = await readElements(zip, part);
  const related = await relationships(zip, part.name);
  const byId = new Map(related.map((it) => [it.id, it]));
  const worksheets = sheets.flatMap((sheet, index): WorksheetPart[] => {
    const relationship = byId.get(sheet.relationship);
    if (relationship && OTHER_TABS.has(relationship.type)) return [];
    if (!relationship?.part) {
      const params = { file: zip.file, sheet: sheet.name };
      throw new ProductError('input', message('source.xlsx_sheet_missing', params));
    }
    const info = { name: sheet.name, position: index + 1, visibility: visibility(sheet.state) };
    return [{ info, part: relationship.part }];
  });
  if (worksheets.length === 0) {
    throw new ProductError('input', message('source.xlsx_no_sheets', { file: zip.file }));
  }
  const folder = part.name.slice(0, part.name.lastIndexOf('/') + 1);
  return {
    worksheets,
    date1904,
    pending,
    sharedStrings: ofType(related, 'sharedStrings') ?? zip.part(`${folder}sharedStrings.xml`),
    styles: ofType(related, 'styles') ?? zip.part(`${folder}styles.xml`),
  };
}

function ofType(related: readonly Relationship[], type: string): PackagePart | undefined {
  return related.find((it) => it.type === type && it.part)?.part;
}

/** @throws ProductError input: no workbook, another kind of document. */
export async function findWorkbook(zip: ZipPackage): Promise<WorkbookKind> {
  const { file } = zip;
  if (zip.part('mimetype') && zip.part('content.xml')) return { kind: 'ods' };
  const part =
    ofType(await relationships(zip, ''), 'officeDocument') ??
    zip.part('xl/workbook.xml') ??
    zip.part('xl/workbook.bin');
  if (zip.part('ppt/presentation.xml') || zip.part('word/document.xml')) {
    throw new ProductError('input', message('source.xlsx_is_other_office', { file }));
  }
  if (!part) throw new ProductError('input', message('source.xlsx_no_workbook', { file }));
  return { kind: part.name.toLowerCase().endsWith('.bin') ? 'xlsb' : 'xlsx', part };
}

async function readElements(
  zip: ZipPackage,
  part: PackagePart,
): Promise<{ sheets: readonly SheetElement[]; date1904: boolean; pending: boolean }> {
  const sheets: SheetElement[] = [];
  let date1904 = false;
  let pending = false;
  let root = '';
  const path = new ElementPath();
  await eachToken(zip, part, (token, scanner) => {
    path.see(token, scanner);
    if (token !== START) return;
    const at = `${path}`;
    if (scanner.depth === 1) root = at;
    if (at === '/workbook/workbookPr') {
      date1904 = isTrue(attributes(scanner).get('date1904'));
    } else if (at === '/workbook/calcPr') {
      const given = attributes(scanner);
      pending = isTrue(given.get('fullCalcOnLoad')) || !isTrue(given.get('calcCompleted') ?? '1');
    } else if (at === '/workbook/sheets/sheet') {
      if (sheets.length === MAX_ENTRIES) throw scanner.broken();
      const given = attributes(scanner);
      sheets.push({
        name: unescapeText(given.get('name') ?? ''),
        relationship: given.get('id') ?? '',
        state: given.get('state') ?? 'visible',
      });
    }
  });
  if (root !== '/workbook') {
    throw new ProductError('input', message('source.xlsx_no_workbook', { file: zip.file }));
  }
  return { sheets, date1904, pending };
}

function visibility(state: string): SheetInfo['visibility'] {
  if (state === 'veryHidden') return 'very_hidden';
  return state === 'hidden' ? 'hidden' : 'visible';
}

function isTrue(word: string | undefined): boolean {
  return word === '1' || word === 'true' || word === 'on';
}
