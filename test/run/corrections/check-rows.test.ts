import { readdir, readlink, rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Correction, Fault } from '../../../src/model/row.js';
import { Overlay } from '../../../src/run/corrections/overlay.js';
import {
  correction,
  NODES,
  openChecks,
  randomCorrection,
  randomSheet,
  seeded,
  sheetOf,
} from '../../support/corrected-sheets.js';
import { Fixture } from '../../support/job-runs.js';
import { orderJob } from '../../support/orders.js';

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.open();
});

afterEach(() => fixture.close());

const SEEDS = Number(process.env.CORRECTION_SEEDS ?? 12);

interface Reported {
  readonly status: string;
  readonly faults: readonly string[];
}

function reported(status: string, faults: readonly Fault[]): Reported {
  return { status, faults: faults.map((it) => `${it.row}:${it.column ?? '-'} ${it.message.code}`).sort() };
}

/** What a check of the whole sheet makes of each row. */
async function wholeCheck(job: string, input: string, corrections: readonly Correction[]) {
  const end = await fixture.run(job, { dryRun: true, input, corrections });
  const rows = new Map<number, Reported>();
  for await (const page of fixture.ledger.report.rows(end.run, 'valid'))
    for (const it of page) rows.set(it.row, reported(it.status, it.faults));
  return rows;
}

async function jobFor(source: string, onInvalid = 'abort'): Promise<string> {
  const text = orderJob({ extra: `connection: sandbox\nrun: { onInvalid: ${onInvalid} }\n` });
  return fixture.file('job.yaml', text.replace('orders.csv }', `orders.csv${source} }`));
}

/** Of the files that this process has open, those of that name. */
async function openFiles(name: string): Promise<readonly string[]> {
  const open = await readdir('/proc/self/fd');
  const files = await Promise.all(open.map((it) => readlink(`/proc/self/fd/${it}`).catch(() => '')));
  return files.filter((it) => it.endsWith(name));
}

describe('checks that are kept ready', () => {
  it.runIf(process.platform === 'linux')('hold no file open, and continue without it', async () => {
    const input = await fixture.file('held.xlsx', sheetOf([['SO-1', 'Ann', 'A1', 'many']]));
    const { checks, file } = await openChecks(fixture, await jobFor(''), input);
    try {
      expect(await openFiles('held.xlsx')).toEqual([]);
      await rm(input);
      const overlay = Overlay.of([correction(2, NODES, '5')]);
      const [row] = await checks.check(file, overlay, [2]);
      expect(row).toMatchObject({ row: 2, status: 'valid' });
    } finally {
      await checks.close();
    }
  });
});

describe('a row that is corrected is checked at once', () => {
  it.each(Array.from({ length: SEEDS }, (_, seed) => seed + 1))(
    'as the whole sheet would be, seed %i',
    async (seed) => {
      const random = seeded(seed);
      const sheet = randomSheet(random);
      const input = await fixture.file('in.xlsx', sheetOf(sheet.lines, sheet));
      const job = await jobFor(sheet.source, random(2) === 0 ? 'abort' : 'skip');
      const { checks, file } = await openChecks(fixture, job, input);
      const rows = await wholeCheck(job, input, []);
      const corrections: Correction[] = [];
      try {
        for (let nth = 1; nth <= 6; nth += 1) {
          const it = randomCorrection(random, sheet, nth);
          if (it.row > file.last) continue;
          corrections.push(it);
          const checked = await checks.check(file, Overlay.of(corrections), [it.row]);
          for (const one of checked) rows.set(one.row, reported(one.status, one.faults));
          const all = await wholeCheck(job, input, corrections);
          expect(Object.fromEntries(rows), JSON.stringify({ corrections, sheet })).toEqual(
            Object.fromEntries(all),
          );
        }
      } finally {
        await checks.close();
      }
    },
  );

  it('by a look at few rows, far down a large sheet, with the order that it is a line of', async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => [
      `SO-${n >> 1}`,
      'Customer',
      `A${n}`,
      n === 15_000 ? 'many' : '5',
      '',
    ]);
    const input = await fixture.file('in.xlsx', sheetOf(lines));
    const { checks, file } = await openChecks(fixture, await jobFor(''), input);
    try {
      const invalid = await checks.check(file, Overlay.NONE, [15_002]);
      expect(invalid.find((it) => it.row === 15_003)?.status).toBe('invalid');
      const overlay = Overlay.of([correction(15_002, NODES, '6')]);
      const looked = new Set<number>();
      const row = (number: number) => {
        looked.add(number);
        return file.row(number);
      };
      const checked = await checks.check({ ...file, row }, overlay, [15_002]);
      expect(checked.map((it) => it.status)).not.toContain('invalid');
      expect(checked.map((it) => it.row)).toContain(15_003);
      expect(looked.size).toBeLessThan(50);
    } finally {
      await checks.close();
    }
  });
});
