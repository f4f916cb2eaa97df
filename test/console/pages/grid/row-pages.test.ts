import { describe, expect, it } from 'vitest';
import { type LoadedRows, RowPages } from '../../../../src/console/pages/grid/row-pages.js';

interface Asked {
  readonly from: number;
  readonly signal: AbortSignal;
  answer(page: LoadedRows<string> | Error): Promise<void>;
}

/** Pages whose loader answers when the test says so. */
function pages(): { rows: RowPages<string>; asked: Asked[]; changes: () => number } {
  const asked: Asked[] = [];
  let changes = 0;
  const rows = new RowPages<string>(
    (from, _count, signal) =>
      new Promise((resolve, reject) => {
        const answer = async (page: LoadedRows<string> | Error): Promise<void> => {
          if (page instanceof Error) reject(page);
          else resolve(page);
          await new Promise((done) => setImmediate(done));
        };
        asked.push({ from, signal, answer });
      }),
    () => {
      changes += 1;
    },
  );
  return { rows, asked, changes: () => changes };
}

function page(from: number, total: number, mark = ''): LoadedRows<string> {
  return {
    items: Array.from({ length: Math.min(128, total - from) }, (_, i) => `${from + i}${mark}`),
    total,
  };
}

describe('rows that come into view', () => {
  it('are loaded by the page, once, and told of when they are there', async () => {
    const { rows, asked, changes } = pages();
    rows.want(0, 40);
    rows.want(10, 50);
    expect(asked.map((it) => it.from)).toEqual([0]);
    expect(rows.row(12)).toBeUndefined();
    await asked[0]?.answer(page(0, 1000));
    expect([rows.row(12), rows.total, changes()]).toEqual(['12', 1000, 1]);
    rows.want(100, 140);
    expect(asked.map((it) => it.from)).toEqual([0, 128]);
  });

  it('let go of what was asked for rows that are out of sight', async () => {
    const { rows, asked, changes } = pages();
    rows.want(0, 40);
    await asked[0]?.answer(page(0, 1_000_000));
    rows.want(500_000, 500_040);
    rows.want(900_000, 900_040);
    expect(asked.map((it) => it.signal.aborted)).toEqual([false, true, false]);
    await asked[1]?.answer(new Error('aborted'));
    expect([rows.failure, changes()]).toEqual([undefined, 1]);
  });

  it('are not asked for beyond the last', async () => {
    const { rows, asked } = pages();
    rows.want(0, 40);
    await asked[0]?.answer(page(0, 20));
    rows.want(128, 160);
    expect(asked.length).toBe(1);
  });

  it('stay when others cannot be had, and these are asked for again', async () => {
    const { rows, asked } = pages();
    rows.want(0, 40);
    await asked[0]?.answer(page(0, 1000));
    rows.want(120, 160);
    await asked[1]?.answer(new Error('no network'));
    expect([rows.row(0), String(rows.failure)]).toEqual(['0', 'Error: no network']);
    rows.want(120, 160);
    await asked[2]?.answer(page(128, 1000));
    expect([rows.row(130), rows.failure]).toEqual(['130', undefined]);
  });

  it('are replaced in their places, and shown until they are loaded again', async () => {
    const { rows, asked } = pages();
    rows.want(0, 40);
    await asked[0]?.answer(page(0, 1000));
    rows.replace((old, fresh) => fresh.startsWith(`${old} `), ['7 mended', '2000 elsewhere']);
    expect([rows.row(6), rows.row(7)]).toEqual(['6', '7 mended']);
    rows.refresh();
    expect(rows.row(7)).toBe('7 mended');
    await asked[1]?.answer(page(0, 900, '!'));
    expect([rows.row(7), rows.total]).toEqual(['7!', 900]);
  });

  it('are kept for some pages only', async () => {
    const { rows, asked } = pages();
    for (let at = 0; at < 200; at += 1) {
      rows.want(at * 128, at * 128 + 40);
      await asked[at]?.answer(page(at * 128, 1_000_000));
    }
    expect([rows.row(0), rows.row(199 * 128)]).toEqual([undefined, '25472']);
  });

  it('are all there for a copy, whether they were seen or not', async () => {
    const rows = new RowPages<string>(
      (from) => Promise.resolve(page(from, 1000)),
      () => undefined,
    );
    const all = await rows.range(100, 400);
    expect([all.length, all[0], all.at(-1)]).toEqual([300, '100', '399']);
  });
});
