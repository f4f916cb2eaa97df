import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  LicenseSyncError,
  type RowOutcome,
  type RunResult,
  runJob,
  runRows,
  validateJob,
} from '../../src/api/index.js';
import { render } from '../../src/errors/message.js';
import { jobFile, settingsFile } from './job-file.js';
import type { RecordedSandbox } from './recorded-sandbox.js';
import type { Draft } from './sheet.js';
import { itemsOf } from './truth.js';
import { writeWithExcelJs } from './writing/exceljs-writer.js';
import { writeByHand } from './writing/hand-writer.js';
import { writeText } from './writing/text-writer.js';

/** What came of a file: how the run ended or why it didn't begin, and what reached the platform. */
export interface Carried {
  readonly end?: RunResult;
  /** The whole file was refused. */
  readonly refused?: string;
  readonly rows: readonly RowOutcome[];
  readonly warnings: readonly string[];
  /** Contents as `expectedOf` writes them, one for each time that it was sent. */
  readonly sent: readonly string[];
}

export interface CommandFixture {
  readonly folder: string;
  readonly job: string;
  readonly language: 'en' | 'zh';
  /** The spreadsheet. */
  readonly file: string;
}

/** Writes the sheet and its job into a folder of their own. */
export async function setUp(draft: Draft, folder: string, url: string): Promise<CommandFixture> {
  await mkdir(folder, { recursive: true });
  const name = `sheet${draft.extension}`;
  const bytes = await fileOf(draft);
  const file = path.join(folder, name);
  const job = path.join(folder, 'job.yaml');
  await writeFile(file, bytes);
  await writeFile(job, jobFile(draft, name));
  await writeFile(path.join(folder, 'license-sync.yaml'), settingsFile(url, draft.settings));
  return { folder, job, file, language: draft.seed % 2 === 0 ? 'zh' : 'en' };
}

/** The bytes of the spreadsheet; also gives each line its row. */
export function fileOf(draft: Draft): Promise<Buffer> | Buffer {
  if (draft.format === 'csv') return writeText(draft);
  return draft.book.writer === 'exceljs' ? writeWithExcelJs(draft) : writeByHand(draft);
}

/** Runs the job (or, with `only: 'check'`, checks it), and looks at what happened from outside. */
export async function carryOut(
  fixture: CommandFixture,
  platform: RecordedSandbox,
  change: {
    readonly input?: string;
    readonly ledger?: string;
    readonly only?: 'check';
    readonly output?: string;
  } = {},
): Promise<Carried> {
  const warnings: string[] = [];
  const { input, ledger, output } = change;
  const options = {
    cwd: fixture.folder,
    env: { OFFICE_TOKEN: 'office' },
    confirm: true,
    onWarning: (text: string) => warnings.push(text),
    language: fixture.language,
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(ledger === undefined ? {} : { ledger }),
  };
  platform.taken();
  const sent = (): string[] => platform.taken().flatMap((it) => itemsOf(it.path, it.body));
  try {
    const end = await (change.only === 'check' ? validateJob : runJob)(fixture.job, options);
    const rows = await runRows(end.run, options);
    return { end, rows, warnings, sent: sent() };
  } catch (error) {
    if (!(error instanceof LicenseSyncError)) throw error;
    const refused = [error.detail, ...error.others].map((it) => render(it)).join('; ');
    return { refused, rows: [], warnings, sent: sent() };
  }
}
