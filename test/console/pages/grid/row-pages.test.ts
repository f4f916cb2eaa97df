import { describe, expect, it } from 'vitest';
import { type LoadedRows, RowPages } from '../../../../src/console/pages/grid/row-pages.js';

interface Asked {
  /** Which of the lists that were begun it is a page of. */
  readonly list: number;
  readonly from: number;
  readonly signal: AbortSignal;
  answer(page: LoadedRows<string> | Error): Promise<void>;
}

/** Pages whose loader replies when the test lets it. */
function pages(): { rows: RowPages<string>; asked: Asked[]; changes: () => number } {
  const asked: Asked[] = [];
  let changes = 0;
  let lists = 0;
  const rows = new RowPages<string>({
    open: () => {
      lists += 1;
      const list = lists;
      return (from, _count, signal) =>
        new Promise((resolve, reject) => {
          const answer = async (page: LoadedRows<string> | Error): Promise<void> => {
            if (page instanceof Error) reject(page);
            else resolve(page);
            await new Promise((done) => setImmediate(done));
          };
          asked.push({ list, from, signal, answer });
        });
    },
    isSame: (one, other) => rowOf(one) === rowOf(other),
    changed: () => {
      changes += 1;
    },
  });
  return { rows, asked, changes: () => changes };
}

/** `7` and `7 mended` are the same row in different states. */
function rowOf(text: string): string | undefined {
  return text.split(' ')[0];
}

function page(from: number, total: number, mark = ''): LoadedRows<string> {
  return {
    items: Array.from({ length: Math.min(128, total - from) }, (_, i) => `${from + i}${mark}`),
    total,
  };
}

describe('rows that come into view', () => {
  it('are loaded by the page, once, and reported when they are there', async () => {
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
    rows.replace(['7 mended', '2000 elsewhere']);
    expect([rows.row(6), rows.row(7)]).toEqual(['6', '7 mended']);
    rows.refresh();
    expect(rows.row(7)).toBe('7 mended');
    await asked[1]?.answer(page(0, 1000, ' again'));
    expect([rows.row(7), rows.total]).toEqual(['7 again', 1000]);
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
    const rows = new RowPages<string>({
      open: () => (from) => Promise.resolve(page(from, 1000)),
      isSame: (one, other) => one === other,
      changed: () => undefined,
    });
    const all = await rows.range(100, 400);
    expect([all.length, all[0], all.at(-1)]).toEqual([300, '100', '399']);
  });
});

/** A list of these rows, all on one page. */
function list(...rows: readonly string[]): LoadedRows<string> {
  return { items: rows, total: rows.length };
}

describe('a list that is an other one by now', () => {
  it('stays where it is under a hand, in its new state, and follows when the last hand has left', async () => {
    const { rows, asked } = pages();
    rows.want(0, 40);
    await asked[0]?.answer(list('7', '11', '20', '31'));
    rows.hold('pointer', true);
    rows.hold('focus', true);
    rows.renew();
    // The rows of the list that is shown are read again, in the places that they have there.
    expect(asked.map((it) => it.list)).toEqual([1, 1]);
    await asked[1]?.answer(list('7 mended', '11', '20', '31'));
    expect([rows.row(0), rows.row(1), rows.total]).toEqual(['7 mended', '11', 4]);
    rows.hold('pointer', false);
    expect(asked.length).toBe(2);
    rows.hold('focus', false);
    expect(asked[2]?.list).toBe(2);
    expect(rows.row(1)).toBe('11');
    await asked[2]?.answer(list('11', '20', '31'));
    expect([rows.row(0), rows.row(2), rows.row(3), rows.total]).toEqual(['11', '31', undefined, 3]);
  });

  it('continues the same list where pages come into view later', async () => {
    const { rows, asked } = pages();
    rows.want(0, 40);
    await asked[0]?.answer(page(0, 1000));
    rows.hold('pointer', true);
    rows.renew();
    await asked[1]?.answer(page(0, 1000, ' mended'));
    rows.want(128, 140);
    expect([asked[2]?.list, asked[2]?.from]).toEqual([1, 128]);
  });

  it('does not follow if the pointer has come back while it was asked for, and is asked for again later', async () => {
    const { rows, asked } = pages();
    rows.want(0, 40);
    await asked[0]?.answer(list('7', '11', '20'));
    rows.renew();
    expect(asked[1]?.list).toBe(2);
    rows.hold('pointer', true);
    await asked[1]?.answer(list('11', '20'));
    expect([rows.row(0), rows.total]).toEqual(['7', 3]);
    // What is shown is of the old list, but not of old states.
    await asked[2]?.answer(list('7 mended', '11', '20'));
    expect([asked[2]?.list, rows.row(0)]).toEqual([1, '7 mended']);
    rows.hold('pointer', false);
    await asked[3]?.answer(list('20'));
    expect([asked[3]?.list, rows.row(0), rows.total]).toEqual([3, '20', 1]);
  });

  it('is shown under the pointer when it is empty, but takes no field away from a user who types', async () => {
    const { rows, asked } = pages();
    rows.want(0, 40);
    await asked[0]?.answer(list('7'));
    rows.hold('focus', true);
    rows.hold('editor', true);
    rows.renew(true);
    await asked[1]?.answer(list('7 mended'));
    expect([asked.map((it) => it.list), rows.row(0), rows.total]).toEqual([[1, 1], '7 mended', 1]);
    rows.hold('editor', false);
    await asked[2]?.answer(list());
    expect([asked[2]?.list, rows.row(0), rows.total]).toEqual([2, undefined, 0]);
  });

  it('stays under a hand if it was said to be empty and is not', async () => {
    const { rows, asked } = pages();
    rows.want(0, 40);
    await asked[0]?.answer(list('7', '11'));
    rows.hold('focus', true);
    rows.renew(true);
    await asked[1]?.answer(list('11'));
    expect([rows.row(0), rows.total]).toEqual(['7', 2]);
  });

  it('keeps its places under a hand when the console has other rows in them', async () => {
    const { rows, asked } = pages();
    rows.want(0, 40);
    await asked[0]?.answer(list('7', '11'));
    rows.hold('pointer', true);
    rows.refresh();
    await asked[1]?.answer(list('6', '7', '11'));
    expect([rows.row(0), rows.total]).toEqual(['7', 2]);
    rows.hold('pointer', false);
    await asked[2]?.answer(list('6', '7', '11'));
    expect([rows.row(0), rows.total]).toEqual(['6', 3]);
  });

  it('is of one list where a copy reads it while it follows', async () => {
    const { rows, asked } = pages();
    rows.want(0, 40);
    await asked[0]?.answer(page(0, 300));
    const copied = rows.range(120, 260);
    rows.renew();
    await asked[2]?.answer(list('11'));
    expect(rows.total).toBe(1);
    expect([asked[1]?.list, asked[1]?.from]).toEqual([1, 128]);
    await asked[1]?.answer(page(128, 300));
    await asked.at(-1)?.answer(page(256, 300));
    expect((await copied).length).toBe(140);
    expect(asked.at(-1)).toMatchObject({ list: 1, from: 256 });
  });

  it('asks for nothing any more when it is closed', async () => {
    const { rows, asked } = pages();
    rows.want(0, 40);
    await asked[0]?.answer(list('7', '11'));
    rows.hold('pointer', true);
    rows.renew();
    rows.close();
    rows.hold('pointer', false);
    expect(asked.length).toBe(2);
  });
});
