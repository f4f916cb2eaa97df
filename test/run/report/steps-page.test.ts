import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ItemOutcome } from '../../../src/model/item.js';
import { gatherPage, writeHtmlReport } from '../../../src/run/report/html-report.js';
import { systemClock } from '../../../src/util/clock.js';
import { Fixture } from '../../support/job-runs.js';
import { LEFT_OUT, onboardJob, STOPPED_BEFORE, stepsRun } from '../../support/steps-ledger.js';

const DONE: ItemOutcome = { status: 'succeeded', code: '0' };
const UNKNOWN: ItemOutcome = { status: 'unknown', message: 'no answer came' };

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.open();
  const input = await fixture.file('orders.csv', 'Customer No,Channel,Locks\nC-1,CH,2\nC-2,CH,1\nC-3,CH,1\n');
  await stepsRun(fixture, onboardJob(input), {
    2: [DONE, DONE, DONE],
    3: [LEFT_OUT, UNKNOWN, STOPPED_BEFORE],
    4: [{ status: 'rejected', message: 'no such channel' }, STOPPED_BEFORE, STOPPED_BEFORE],
  });
});

afterEach(async () => {
  await fixture.close();
});

describe('the page of a run of several steps', () => {
  it('counts each row once, and reports what each step came to', async () => {
    const run = (await fixture.ledger.runs.get('whole'))!;
    const page = await gatherPage({ ledger: fixture.ledger, language: 'en', clock: systemClock }, run);
    expect(page.counts).toEqual([
      { status: 'succeeded', rows: 1 },
      { status: 'rejected', rows: 1 },
      { status: 'unknown', rows: 1 },
    ]);
    expect(page.parts?.map(({ name, run, requests }) => [name, run, requests])).toEqual([
      ['customer', 'whole-customer', 2],
      ['numbers', 'whole-numbers', 2],
      ['order', 'whole-order', 1],
    ]);
    expect(page.parts?.[1]?.counts).toEqual([
      { status: 'succeeded', rows: 1 },
      { status: 'unknown', rows: 1 },
      { status: 'not_sent', rows: 1 },
    ]);
    expect(page.figures.kinds).toMatchObject([{ event: 'reply', attempts: 5 }]);
    expect(page.problems.rows.map(({ row, message }) => [row, message])).toEqual([
      [3, 'numbers: no answer came'],
      [4, 'customer: no such channel'],
    ]);
    expect(page.steps.flatMap((it) => it.commands)).toContain('license-sync explain whole 3');
  });

  it.each(['en', 'zh'] as const)('names the steps in its own section (%s)', async (language) => {
    const run = (await fixture.ledger.runs.get('whole'))!;
    const file = path.join(fixture.folder, 'page.html');
    const parts = { ledger: fixture.ledger, language, clock: systemClock, warn: () => {} };
    await writeHtmlReport(parts, run, file);
    const text = await readFile(file, 'utf8');
    expect(text).toContain('<section id="parts"');
    expect(text).toContain('whole-numbers');
    const child = (await fixture.ledger.runs.get('whole-order'))!;
    await writeHtmlReport(parts, child, file);
    expect(await readFile(file, 'utf8')).toContain(
      language === 'en' ? '<dt>Step of</dt>' : '<dt>所属运行</dt>',
    );
  });
});
