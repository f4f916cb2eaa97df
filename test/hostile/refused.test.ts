import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '../../src/app/failure.js';
import { compound } from '../fixtures/compound.js';
import { encrypted } from '../fixtures/encrypt.js';
import type { ZipEntry } from '../fixtures/zip.js';
import { zip } from '../fixtures/zip.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob } from '../support/orders.js';
import { book, csv, HEADER, ORDERS, rows, worksheet } from './order-files.js';

let fixture: Fixture;
let platform: FakePlatform;

beforeEach(async () => {
  fixture = await Fixture.open();
  platform = await new FakePlatform(ordersDone).start();
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

interface Refused {
  readonly title: string;
  /** Also what the message must name. */
  readonly file: string;
  readonly bytes: () => string | Uint8Array;
  /** Where in the file. */
  readonly place?: string;
  /** What to do, in the message's own words. */
  readonly advice: RegExp;
  /** 3 where the spreadsheet is invalid, 2 where the job or the kind of file is. */
  readonly exit?: 2 | 3;
  readonly job?: string;
}

const SHEET = 'xl/worksheets/sheet1.xml';
const entry = (name: string, data = ''): ZipEntry => ({ name, data });
const withEntries =
  (...entries: readonly ZipEntry[]) =>
  () =>
    book({ entries });
const LONG = 'x'.repeat(32_768);
const longer = ORDERS.map((it, at) => (at === 1 ? [it[0]!, LONG, it[2]!, it[3]!] : it));
const twice = [...HEADER, 'ＮＯＤＥＳ '];
const twiceRows = ORDERS.map((it) => [...it, '9']);
const whereStatus = orderJob().replace(
  'file: orders.csv',
  `file: orders.csv, where: 'row["Status"] == "ok"'`,
);

/** Every reason for which a whole file is refused, and what the person who made it reads then. */
const REFUSED: readonly Refused[] = [
  {
    title: 'an entry name that leads out of the package',
    file: 'names.xlsx',
    bytes: withEntries(entry('xl/../../../etc/cron.d/x')),
    place: 'xl/../../../etc/cron.d/x',
    advice: /save the workbook again/,
  },
  {
    title: 'an entry twice, whose content would be anyone’s guess',
    file: 'twice.xlsx',
    bytes: withEntries(entry(SHEET, worksheet(rows())), entry(SHEET.toUpperCase(), worksheet(rows()))),
    place: SHEET.toUpperCase(),
    advice: /[Ss]ave the workbook again/,
  },
  {
    title: 'more than 10,000 entries',
    file: 'entries.xlsx',
    bytes: withEntries(
      ...Array.from({ length: 10_000 }, (_, at) => ({ name: `x/${at}`, data: '', method: 0 })),
    ),
    place: '10000',
    advice: /Save the workbook again/,
  },
  {
    title: 'a table of contents larger than any workbook has',
    file: 'contents.xlsx',
    bytes: withEntries(...Array.from({ length: 300 }, (_, at) => entry(`${'n'.repeat(60_000)}${at}`))),
    advice: /Copy or download it again/,
  },
  {
    title: 'more than 4 GB unpacked',
    file: 'inflated.xlsx',
    bytes: withEntries({ name: 'a', data: '', size: 0xfffffff0 }, { name: 'b', data: '', size: 4096 }),
    place: '4 GB',
    advice: /Split it into smaller workbooks/,
  },
  {
    title: 'a cell over 32,767 characters in a workbook',
    file: 'cell.xlsx',
    bytes: () => book({ sheet: rows(longer) }),
    place: 'Data!B3',
    advice: /Shorten it/,
  },
  {
    title: 'a cell over 32,767 characters in a CSV',
    file: 'cell.csv',
    bytes: () => csv(longer),
    place: 'B3',
    advice: /Shorten it/,
  },
  {
    title: 'a document type definition',
    file: 'dtd.xlsx',
    bytes: () =>
      book({ sheet: `<?xml version="1.0"?><!DOCTYPE w [<!ENTITY a "SO-1">]>${worksheet(rows()).slice(38)}` }),
    place: SHEET,
    advice: /refused/,
  },
  {
    title: 'an entity that XML does not know',
    file: 'entity.xlsx',
    bytes: () => book({ sheet: rows().replace('Customer 2', '&company;') }),
    place: '&company;',
    advice: /Open the file in Excel, let it repair it/,
  },
  {
    title: 'an encrypted workbook without its password',
    file: 'secret.xlsx',
    bytes: () => encrypted(book(), 'not given'),
    place: 'source.password',
    advice: /remove the password in Excel/,
    exit: 2,
  },
  {
    title: 'an encrypted workbook that is cut off within',
    file: 'secret.xlsx',
    bytes: () => compound({ EncryptedPackage: Buffer.alloc(600), EncryptionInfo: Buffer.alloc(600) }),
    advice: /Open it in Excel and save it as/,
  },
  {
    title: 'a cut-off .xls named .xlsx',
    file: 'old.xlsx',
    bytes: () => compound({ Workbook: Buffer.alloc(9000) }).subarray(0, 5000),
    advice: /Copy or download it again/,
  },
  {
    title: 'a cut-off .xls under its own name',
    file: 'old.xls',
    bytes: () => compound({ Workbook: Buffer.alloc(9000) }).subarray(0, 5000),
    advice: /Copy or download it again/,
  },
  {
    title: 'a text document named .ods',
    file: 'letter.ods',
    bytes: () =>
      zip([{ name: 'mimetype', data: 'application/vnd.oasis', method: 0 }, entry('content.xml', '<a/>')]),
    advice: /Choose the workbook/,
  },
  {
    title: 'HTML named .xlsx',
    file: 'page.xlsx',
    bytes: () => '<html><body><table><tr><td>SO-1</td></tr></table></body></html>',
    advice: /save it as \.xlsx/,
  },
  {
    title: 'a truncated zip',
    file: 'cut.xlsx',
    bytes: () => book().subarray(0, -40),
    advice: /Copy or download it again/,
  },
  {
    title: 'a CSV whose encoding cannot be told',
    file: 'latin.csv',
    bytes: () => Buffer.from(csv([['SO-1', 'Müller & Söhne', 'A1', '5']]), 'latin1'),
    advice: /Save it as "CSV UTF-8", or name the encoding/,
  },
  {
    title: 'an unclosed quote',
    file: 'quote.csv',
    bytes: () => csv([ORDERS[0]!, ['SO-2', '"Customer 2', 'A2', '5'], ORDERS[2]!]),
    place: 'row 3',
    advice: /Close it, or double it/,
  },
  {
    title: 'NULs in a CSV',
    file: 'nul.csv',
    bytes: () => csv([ORDERS[0]!, ['SO-2', 'Cust\0mer', 'A2', '5']]),
    place: 'B3',
    advice: /Export it again/,
  },
  {
    title: 'a CSV row of more fields than a sheet has columns',
    file: 'wide.csv',
    bytes: () => `${csv()}${'x,'.repeat(20_000)}\n`,
    place: 'row 5',
    advice: /Export the file again, or set the delimiter/,
  },
  {
    title: 'a required column missing',
    file: 'missing.xlsx',
    bytes: () => book({ sheet: rows(ORDERS, ['Order', 'Customer', 'Asset', 'Notes']) }),
    exit: 2,
    place: 'Data',
    advice: /Nodes/,
  },
  {
    title: 'two headers that fold to one that the map uses',
    file: 'folded.xlsx',
    bytes: () => book({ sheet: rows(twiceRows, twice) }),
    place: 'D and E',
    advice: /[Rr]ename|[Rr]emove/,
  },
  {
    title: 'the same two headers in a CSV',
    file: 'folded.csv',
    bytes: () => csv(twiceRows, twice),
    place: 'D and E',
    advice: /[Rr]ename|[Rr]emove/,
  },
  {
    title: 'two headers that fold to one that the condition uses',
    file: 'where.csv',
    bytes: () =>
      csv(
        ORDERS.map((it) => [...it, 'ok', 'no']),
        [...HEADER, 'Status', 'STATUS'],
      ),
    place: 'E and F',
    advice: /[Rr]ename|[Rr]emove/,
    job: whereStatus,
  },
];

describe('a file that is refused as a whole sends nothing and says what to do', () => {
  it.each(REFUSED)('$title', async ({ file, bytes, place, advice, exit = 3, job }) => {
    const input = await fixture.file(file, bytes());
    const jobFile = await fixture.file('job.yaml', job ?? orderJob());
    const reported: string[] = [];
    for (const dryRun of [true, false]) {
      const error = await fixture.run(jobFile, { input, dryRun, connection: platform.connection() }).then(
        (end) => end,
        (reason: unknown) => reason,
      );
      const failure = failureOf(error, 'en');
      const all = [failure.text, ...failure.others].join('\n');
      expect(failure.exitCode, all).toBe(exit);
      expect(all).toContain(file);
      if (place !== undefined) expect(all).toContain(place);
      expect(all).toMatch(advice);
      expect(failureOf(error, 'zh').text).toMatch(/[\u4e00-\u9fff]{4}/);
      reported.push(all);
    }
    expect(reported[1]).toBe(reported[0]);
    expect(platform.seen).toHaveLength(0);
    // Nothing of the file is left in the ledger but that it was refused.
    const runs = await fixture.ledger.runs.list(1000);
    expect(runs).toHaveLength(2);
    for (const run of runs) {
      expect(run).toMatchObject({ state: 'invalid', requests: 0, rows: 0, items: 0, exitCode: exit });
      expect(await fixture.ledger.runs.counts(run.id)).toEqual({});
    }
  });

  it('while the same orders in a sound file are sent', async () => {
    const jobFile = await fixture.file('job.yaml', orderJob());
    const input = await fixture.file('sound.xlsx', book());
    const end = await fixture.run(jobFile, { input, connection: platform.connection() });
    expect(end).toMatchObject({ counts: { succeeded: 3 }, exitCode: 0 });
    expect(platform.seen).toHaveLength(3);
  });
});
