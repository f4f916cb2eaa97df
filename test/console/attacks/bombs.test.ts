import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BULKS, repeated } from '../../fixtures/bulk.js';
import { workbook, workbookEntries } from '../../fixtures/workbook.js';
import type { ZipEntry } from '../../fixtures/zip.js';
import { licenseSync } from '../../support/command.js';
import { Door } from '../../support/console-door.js';
import { orderJob, orderRows } from '../../support/orders.js';

/** Any other user who asks is answered within so long, on a machine that does other things besides. */
const ANSWERED_WITHIN_MS = 5000;

interface Bomb {
  readonly title: string;
  readonly bytes: () => Buffer;
  /** What the person reads, and when: as it is sent in, or when it is checked. `checked`: there is nothing wrong with it. */
  readonly end: readonly ['upload' | 'check' | 'either', string] | 'checked';
}

const SHEET = 'xl/worksheets/sheet1.xml';
const bulk = (title: string) => BULKS.find((it) => it.title === title)!.bytes;
const withEntries =
  (...entries: readonly ZipEntry[]) =>
  () =>
    workbook({ sheet: '<row r="1"><c r="A1"><v>1</v></c></row>', entries });
const row = (cells: readonly string[]): string =>
  `<row>${cells.map((it) => `<c t="inlineStr"><is><t>${it}</t></is></c>`).join('')}</row>`;
const ROWS = orderRows(3)
  .trim()
  .split('\n')
  .map((it) => row(it.split(',')))
  .join('');
const MIB = 1024 ** 2;

const BOMBS: readonly Bomb[] = [
  { title: '5 GB unpacked', bytes: bulk('5 GB of zero bytes'), end: ['upload', 'source.zip_inflated'] },
  {
    title: 'a sheet of 3 GB of zero bytes',
    bytes: bulk('3 GB of zero bytes in place of a sheet'),
    end: ['check', 'source.'],
  },
  {
    title: 'a sheet of much more than its package says',
    bytes: withEntries({
      name: SHEET,
      data: '',
      packed: deflateRawSync(Buffer.alloc(64 * MIB)),
      size: 1000,
      crc: 0,
    }),
    end: ['check', 'source.'],
  },
  {
    title: 'more entries than any workbook has',
    bytes: withEntries(
      ...Array.from({ length: 10_000 }, (_, at) => ({ name: `x/${at}`, data: '', method: 0 })),
    ),
    end: ['upload', 'source.zip_'],
  },
  {
    title: 'a bomb within a bomb, which nobody opens',
    bytes: () =>
      workbook({
        sheet: ROWS,
        entries: [{ name: 'xl/media/inner.xlsx', data: bulk('5 GB of zero bytes')() }],
      }),
    end: 'checked',
  },
  {
    title: 'a list of sheets of 1 GB',
    bytes: () => {
      const [, book] = workbookEntries({ sheet: ROWS });
      const [head, tail] = String(book!.data).split('<sheets>');
      return workbook({
        sheet: ROWS,
        entries: [repeated(book!.name, head!, ' '.repeat(4 * MIB), 256, `<sheets>${tail}`)],
      });
    },
    end: ['upload', 'source.'],
  },
  {
    title: 'texts of 170 MB',
    bytes: bulk('shared texts of 170 MB'),
    end: ['check', 'source.xlsx_strings_too_large'],
  },
];

describe('a file that unpacks to more than any memory', () => {
  let cwd: string;
  let door: Door;

  beforeAll(async () => {
    cwd = await mkdtemp(path.join(tmpdir(), 'license-sync-bombs-'));
    await mkdir(path.join(cwd, 'jobs'));
    await writeFile(path.join(cwd, 'jobs', 'orders.yaml'), `${orderJob()}connection: sandbox\n`);
    door = await Door.open({ cwd, env: {} });
  });

  afterAll(async () => {
    door.running.child.kill('SIGTERM');
    await door.running.ended;
    await rm(cwd, { recursive: true, force: true });
  });

  const state = (folder: string): Promise<readonly string[]> =>
    readdir(path.join(cwd, '.license-sync', folder)).catch(() => []);

  /** How long others waited for an answer at most while the work continued. */
  async function meanwhile<T>(work: Promise<T>): Promise<readonly [T, number]> {
    let over = false;
    let longest = 0;
    const asking = (async () => {
      while (!over) {
        const began = performance.now();
        await door.ask('GET', '/imports');
        longest = Math.max(longest, performance.now() - began);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    const come = await work.finally(() => {
      over = true;
    });
    await asking;
    return [come, longest];
  }

  async function putIn(bytes: Buffer): Promise<readonly [string, string, string]> {
    const sent = await door.ask('POST', '/uploads', { body: bytes, headers: { 'x-file-name': 'bomb.xlsx' } });
    if (sent.status !== 201) return ['upload', sent.reported.code, sent.reported.detail];
    const wish = { upload: sent.reported.upload, name: 'bomb.xlsx', job: 'orders.yaml' };
    const guess = await door.ask('POST', '/columns', { body: { upload: sent.reported.upload, guess: true } });
    const made = await door.ask('POST', '/imports', { body: wish });
    for (;;) {
      const { reported } = await door.ask('GET', `/imports/${made.reported.import}`);
      if (reported.state === 'checked') return ['checked', '', ''];
      if (reported.state === 'failed') {
        expect(guess.status).toBeGreaterThanOrEqual(400);
        return ['check', reported.failure.code, reported.failure.text];
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  it.each(BOMBS)('is refused, and others are answered in the meantime: $title', async ({ bytes, end }) => {
    const kept = (await state('inputs')).length;
    const [[when, code, text], longest] = await meanwhile(putIn(bytes()));
    if (end === 'checked') expect(when).toBe('checked');
    else {
      expect([when, code]).toEqual([end[0], expect.stringContaining(end[1])]);
      expect(text).toContain('bomb.xlsx');
      expect(text).not.toContain(cwd);
      if (when === 'upload') expect(await state('inputs')).toHaveLength(kept);
    }
    expect(longest).toBeLessThan(ANSWERED_WITHIN_MS);
    expect(await state('uploads')).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('leaves a console that is not larger for it', async () => {
    const status = await readFile(`/proc/${door.running.child.pid}/status`, 'utf8');
    expect(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024).toBeLessThan(400);
    expect((await licenseSync(['ledger', 'check'], { cwd })).code).toBe(0);
  });
});
