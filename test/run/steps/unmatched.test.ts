import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { message, renderText } from '../../../src/errors/message.js';
import { Overlay } from '../../../src/run/corrections/overlay.js';
import { correction, openChecks } from '../../support/corrected-sheets.js';
import { Fixture } from '../../support/job-runs.js';
import { readSheet } from '../../support/read-sheet.js';

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.open();
  await fixture.file('license-sync.yaml', 'version: 1\ndefaultConnection: sandbox\n');
});

afterEach(() => fixture.close());

function lockJob(head = '', whens = ['row["Type"] == "lock"', 'row["Type"] in ["return lock", "unlock"]']) {
  const step = (name: string, when: string) =>
    `  - { name: ${name}, operation: asset.${name}, when: '${when}', map: { assetNums: Lock, operatorIdentity: { value: a } } }\n`;
  return `version: 1
name: locks
source: { file: rows.csv }
${head}steps:
${step('lock', whens[0]!)}${step('unlock', whens[1]!)}`;
}

async function run(rows: readonly string[], job = lockJob(), set: readonly string[] = []) {
  await fixture.file('rows.csv', `Lock,Type\n${rows.join('\n')}\n`);
  const end = await fixture.run(await fixture.file('job.yaml', job), { set });
  return { end, lines: end.output === undefined ? [] : await readSheet(end.output) };
}

const HOW = 'To skip such rows, write unmatched: skip above steps in the job';

describe('a row that fits no step', () => {
  it('is invalid, and its cell names the nearest value that fits', async () => {
    const { end, lines } = await run([
      '8100000001,lock',
      '8100000002,retrun lock',
      '8100000003,Lock ',
      '8100000004,renewal',
      '8100000005,',
    ]);
    expect(end).toMatchObject({ status: 'invalid', exitCode: 3, counts: { invalid: 4 }, requests: 0 });
    const fit = 'Values that fit: lock, return lock, unlock';
    expect(lines.map((it) => [it.status, it['unlock.message'] ?? ''])).toEqual([
      ['not_sent', 'excluded from this step by its condition `when`'],
      ['invalid', `rows!B3: "retrun lock" fits no step; did you mean "return lock"? ${fit}. ${HOW}`],
      ['invalid', `rows!B4: "Lock" fits no step; did you mean "lock"? ${fit}. ${HOW}`],
      ['invalid', `rows!B5: "renewal" fits no step. ${fit}. ${HOW}`],
      ['invalid', `rows!B6: the cell is empty, so the row fits no step. ${fit}. ${HOW}`],
    ]);
  });

  it('does not withhold the other rows where the job sends the valid ones', async () => {
    const { end, lines } = await run(['8100000001,lock', '8100000002,retrun'], lockJob(), [
      'run.onInvalid=skip',
    ]);
    expect(end).toMatchObject({ status: 'completed', exitCode: 1 });
    expect(lines.map((it) => it.status)).toEqual(['succeeded', 'invalid']);
  });

  it('names the conditions where no cell is the reason', async () => {
    const job = lockJob('', ['int(row["Lock"]) > 9000000000', 'row["Type"] == "x" && row["Lock"] == ""']);
    const { lines } = await run(['8100000001,x', '9100000001,y'], job);
    expect(lines[0]!['unlock.message']).toContain(
      'fits no step: the condition `when` of each step excludes it (int(',
    );
    expect(lines.map((it) => it.status)).toEqual(['invalid', 'not_sent']);
  });

  it('is skipped with a warning where the job says unmatched: skip', async () => {
    const { end, lines } = await run(
      ['8100000001,lock', '8100000002,x', '8100000003,'],
      lockJob('unmatched: skip\n'),
    );
    expect(lines.map((it) => it.status)).toEqual(['succeeded', 'skipped', 'skipped']);
    expect(end.warnings!.map((it) => it.code)).toContain('steps.unmatched_rows');
    const reported = end.warnings!.find((it) => it.code === 'steps.unmatched_rows')!;
    expect(renderText(reported)).toBe('sheet rows: 2 rows fit no step and were skipped: 3-4');
  });

  it('may be excluded by one step as long as another takes it, and by a later one that has no condition', async () => {
    const job = lockJob().replace(/, when: 'row\["Type"\] in[^']*'/, '');
    const { end, lines } = await run(['8100000001,x'], job);
    expect(end.status).toBe('completed');
    expect(lines.map((it) => it.status)).toEqual(['succeeded']);
  });

  it('is found again when its cell is corrected in the grid', async () => {
    await fixture.file('rows.csv', 'Lock,Type\n8100000001,lock\n8100000002,lock\n');
    const job = await fixture.file('job.yaml', lockJob());
    const { checks, file } = await openChecks(fixture, job, `${fixture.folder}/rows.csv`);
    try {
      const overlay = Overlay.of([correction(3, 2, 'lokc')]);
      const [checked] = (await checks.check(file, overlay, [3])).filter(({ row }) => row === 3);
      expect(checked).toMatchObject({
        status: 'invalid',
        faults: [
          {
            row: 3,
            column: 2,
            message: message('steps.unmatched_nearest', {
              value: 'lokc',
              known: 'lock, return lock, unlock',
              near: 'lock',
            }),
          },
        ],
      });
    } finally {
      await checks.close();
    }
  });
});
