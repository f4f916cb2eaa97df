import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findFiles, SETTLE_MS, whyBusy } from '../../src/inbox/find-files.js';
import { type Clock, systemClock } from '../../src/util/clock.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-look-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string): string => path.join(folder, name);
const signal = new AbortController().signal;
/** It stands still: files are as old as a test made them. */
const NOW = Date.now();

async function drop(name: string, ageMs = 60_000): Promise<void> {
  await writeFile(at(name), 'x');
  const then = new Date(NOW - ageMs);
  await utimes(at(name), then, then);
}

/** Between the two looks something happens; gives how long was to be waited, too. */
async function look(pattern = '*.csv', meanwhile = async (): Promise<void> => {}) {
  let waited = 0;
  const clock: Clock = {
    ...systemClock,
    now: () => NOW,
    sleep: async (ms) => {
      waited += ms;
      await meanwhile();
      return true;
    },
  };
  const { ready, left } = await findFiles(folder, pattern, { clock, signal });
  return {
    waited,
    ready: ready.map((it) => path.basename(it.file)),
    left: left.map((it) => [path.basename(it.file), it.reason.code]),
  };
}

describe('the files of an input folder', () => {
  it('are those that fit; hidden ones, folders, lock files and temporary ones are ignored', async () => {
    for (const name of ['b.csv', 'a.csv', 'Z.csv', 'ä.csv', '.hidden.csv', '~$a2.csv', 'c.txt'])
      await drop(name);
    await drop(`.license-sync-00000000-1-00000000-1.tmp`);
    await mkdir(at('folder.csv'));
    expect(await look()).toMatchObject({ ready: ['Z.csv', 'a.csv', 'b.csv', 'ä.csv'], left: [] });
    expect((await look('*')).ready).toEqual(['Z.csv', 'a.csv', 'b.csv', 'c.txt', 'ä.csv']);
  });

  it.skipIf(process.platform === 'win32')(
    'are followed through links, folders and pipes are not',
    async () => {
      await drop('real.txt');
      await mkdir(at('there'));
      await symlink('real.txt', at('link.csv'));
      await symlink('there', at('folder.csv'));
      await symlink('nowhere', at('broken.csv'));
      await symlink('loop.csv', at('loop.csv'));
      execFileSync('mkfifo', [at('pipe.csv')]);
      expect(await look()).toMatchObject({
        ready: ['link.csv'],
        left: [
          ['broken.csv', 'inbox.dangling_link'],
          ['loop.csv', 'inbox.unreadable'],
        ],
      });
    },
  );

  it('are left when they grow, shrink or are replaced between two looks', async () => {
    for (const name of ['grows.csv', 'rewritten.csv', 'replaced.csv', 'gone.csv', 'still.csv'])
      await drop(name);
    const end = await look('*.csv', async () => {
      await appendFile(at('grows.csv'), 'more');
      await writeFile(at('rewritten.csv'), 'y');
      await rm(at('replaced.csv'));
      await drop('replaced.csv', 50_000);
      await rm(at('gone.csv'));
    });
    expect(end.ready).toEqual(['still.csv']);
    expect(end.left).toEqual([
      ['gone.csv', 'inbox.gone'],
      ['grows.csv', 'inbox.changing'],
      ['replaced.csv', 'inbox.changing'],
      ['rewritten.csv', 'inbox.changing'],
    ]);
  });

  it('are waited for until they have been unchanged for five seconds, if they are young', async () => {
    await drop('old.csv', 60_000);
    expect((await look()).waited).toBeLessThan(SETTLE_MS / 2);
    await drop('young.csv', 500);
    const { waited, ready } = await look();
    expect(waited).toBeCloseTo(SETTLE_MS - 500, -1);
    expect(ready).toEqual(['old.csv', 'young.csv']);
    await drop('to-come.csv', -3_600_000);
    expect((await look()).waited).toBe(SETTLE_MS);
  });

  it('are left while they are empty, and are an error if their name is not UTF-8', async () => {
    await drop('a.csv');
    await writeFile(at('empty.csv'), '');
    await writeFile(
      Buffer.concat([Buffer.from(at('b')), Buffer.from([0xb6, 0xa9]), Buffer.from('.csv')]),
      'x',
    );
    const { ready, left } = await findFiles(folder, '*.csv', { clock: systemClock, signal });
    expect(ready.map((it) => path.basename(it.file))).toEqual(['a.csv']);
    expect(left.map((it) => [it.reason.code, it.exitCode])).toEqual([
      ['inbox.name_not_utf8', 1],
      ['inbox.empty', undefined],
    ]);
  });

  it('are waited for as long as the job says', async () => {
    await drop('young.csv', 500);
    const waits: number[] = [];
    const sleep: Clock['sleep'] = async (ms) => waits.push(ms) > 0;
    await findFiles(folder, '*', {
      clock: { ...systemClock, now: () => NOW, sleep },
      signal,
      settleMs: 30_000,
    });
    expect(waits[0]).toBeCloseTo(29_500, -1);
  });

  it('are not waited for when there are none', async () => {
    await drop('other.txt', 0);
    expect(await look()).toEqual({ waited: 0, ready: [], left: [] });
  });

  it.each([
    ['Excel', '~$a.csv'],
    ['LibreOffice', '.~lock.a.csv#'],
  ])('are left while %s has them open', async (_program, lock) => {
    await drop('a.csv');
    await drop('b.csv');
    await drop(lock);
    const end = await look('*');
    expect(end).toMatchObject({ ready: ['b.csv'], left: [['a.csv', 'inbox.open_elsewhere']] });
    await rm(at(lock));
    expect((await look('*')).ready).toEqual(['a.csv', 'b.csv']);
  });

  it('are looked at again before their turn', async () => {
    await drop('a.csv');
    const { ready } = await findFiles(folder, '*', { clock: systemClock, signal });
    expect(await whyBusy(ready[0]!)).toBeUndefined();
    await drop('~$a.csv');
    expect(await whyBusy(ready[0]!)).toMatchObject({ params: { lock: '~$a.csv' } });
    await rm(at('~$a.csv'));
    await appendFile(at('a.csv'), 'more');
    expect(await whyBusy(ready[0]!)).toMatchObject({ code: 'inbox.changing' });
  });

  it('may have any name a file can have', async () => {
    const names = ['line\nbreak.csv', '...csv', '\u001b[31mred.csv', 'a;rm -rf *.csv', '$&{run}.csv'];
    for (const name of names) await drop(name);
    await drop(`${'x'.repeat(250)}.csv`);
    const { ready, left } = await look();
    // The name of three dots is a hidden one.
    expect(ready).toHaveLength(names.length);
    expect(left).toEqual([]);
  });
});
