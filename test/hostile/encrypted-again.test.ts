import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { guessJob, pullRecords } from '../../src/api/index.js';
import { failureOf } from '../../src/app/failure.js';
import { render } from '../../src/errors/message.js';
import type { Run } from '../../src/ledger/contract/runs.js';
import { explainRow } from '../../src/run/report/explain.js';
import { exportResult } from '../../src/run/report/export-result.js';
import { resumeRun } from '../../src/run/start-run.js';
import { encrypted } from '../fixtures/encrypt.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob } from '../support/orders.js';
import { book } from './order-files.js';

const PASSWORD = 'geheim-4711-given';
const VARIABLE = 'PASSWORD_OF_THE_LIBRARY';
const env = { ...process.env, [VARIABLE]: PASSWORD };
const without = { ...process.env };
const wrong = { ...process.env, [VARIABLE]: 'something-else-entirely' };

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

async function run(options: Parameters<Fixture['run']>[1]): Promise<Run> {
  const input = await fixture.file('secret.xlsx', encrypted(book(), PASSWORD));
  const job = orderJob().replace('file: orders.csv', `file: orders.csv, password: { env: ${VARIABLE} }`);
  const jobFile = await fixture.file('job.yaml', job);
  const end = await fixture.run(jobFile, { input, connection: platform.connection(), ...options });
  return (await fixture.ledger.runs.get(end.run))!;
}

const reported = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => {
    const { text, others, exitCode } = failureOf(error, 'en');
    return { reported: [text, ...others].join('\n'), exitCode };
  });

const everything = (): string =>
  readdirSync(fixture.folder, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => readFileSync(path.join(it.parentPath, it.name), 'latin1'))
    .join('');

describe('the password of an encrypted workbook', () => {
  it('is looked up in the environment that was given, not in that of the process', async () => {
    expect(process.env[VARIABLE]).toBeUndefined();
    const done = await run({ parts: { env } });
    expect(done).toMatchObject({ state: 'completed', exitCode: 0 });
    const services = fixture.parts({ env });
    await exportResult(services, done, path.join(fixture.folder, 'again.xlsx'));
    expect(await explainRow(fixture.ledger, done, 2, env)).toMatchObject({ source: { kind: 'cells' } });
  });

  it.each([
    ['missing', without, /PASSWORD_OF_THE_LIBRARY, which is not set/],
    ['wrong', wrong, /PASSWORD_OF_THE_LIBRARY \(source\.password\) does not open/],
  ])(
    'is required again: %s, a resume sends nothing, a result is refused, explain reports the rest',
    async (_, bad, why) => {
      const stopped = await run({ parts: { env }, canary: 1 });
      expect(stopped).toMatchObject({ state: 'stopped', exitCode: 4 });
      expect(platform.seen).toHaveLength(1);
      const services = fixture.parts({ env: bad, confirm: true });
      const refused = { exitCode: 2, reported: expect.stringMatching(why) };
      expect(await reported(resumeRun(services, stopped, (it) => it))).toMatchObject(refused);
      expect(platform.seen).toHaveLength(1);
      const output = path.join(fixture.folder, 'again.xlsx');
      expect(await reported(exportResult(services, stopped, output))).toMatchObject(refused);
      const explained = await explainRow(fixture.ledger, stopped, 2, bad);
      expect(explained).toMatchObject({ result: { status: 'succeeded' }, source: { kind: 'gone' } });
      expect(explained.source.kind === 'gone' && render(explained.source.reason)).toMatch(why);
      expect(everything()).not.toContain(wrong[VARIABLE]);
      const end = await resumeRun(fixture.parts({ env, confirm: true }), stopped, (it) => it);
      expect(end).toMatchObject({ status: 'completed', counts: { succeeded: 3 } });
      expect(everything()).not.toContain(PASSWORD);
    },
  );

  it('is found by guess and pull in the variable that is named, which the job then names', async () => {
    await fixture.file('secret.xlsx', encrypted(book(), PASSWORD));
    const options = { cwd: fixture.folder, env, operation: 'order.new_buy', output: 'guessed.yaml' };
    const unnamed = await reported(guessJob('secret.xlsx', options));
    expect(unnamed).toMatchObject({ exitCode: 2, reported: expect.stringContaining('--password-env NAME') });
    await guessJob('secret.xlsx', { ...options, passwordEnv: VARIABLE });
    const text = readFileSync(path.join(fixture.folder, 'guessed.yaml'), 'utf8');
    expect(text).toContain(`password: { env: "${VARIABLE}" }`);
    expect(text).not.toContain(PASSWORD);
    const pull = { cwd: fixture.folder, env, output: 'pulled.xlsx', connection: 'sandbox' };
    expect(await reported(pullRecords('asset', 'secret.xlsx', pull))).toMatchObject({ exitCode: 2 });
    const pulled = await reported(pullRecords('asset', 'secret.xlsx', { ...pull, passwordEnv: VARIABLE }));
    // The sheet could be read; whether it holds enterprises is another matter.
    expect(JSON.stringify(pulled)).not.toMatch(/password/);
  });
});
