import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowIdentities } from '../../src/run/plan/row-identities.js';
import { headersOf, row } from '../support/mapping.js';

const HEADERS = headersOf(['A', 'B', 'Note']);
const JOB = { name: 'onboard', step: { name: 'numbers', earlier: [] } };

/** Identities of rows with these cells, by the first two columns. */
function named(
  rows: readonly (readonly string[])[],
  job = JOB,
  headers = HEADERS,
  columns = [1, 2],
): readonly string[] {
  const identities = new RowIdentities(job, { columns }, headers);
  return rows.map((cells, index) => identities.next(row(index + 2, cells)));
}

const cells = fc.tuple(fc.constantFrom('', 'x', 'y'), fc.constantFrom('', '1', '2'));

describe('what names a row of a job of steps', () => {
  it('is its own in its sheet', () => {
    fc.assert(
      fc.property(fc.array(cells), (rows) => {
        expect(new Set(named(rows)).size).toBe(rows.length);
      }),
    );
  });

  it('is the same wherever the row stands, and whatever stands around it', () => {
    fc.assert(
      fc.property(fc.array(cells), fc.array(cells), (rows, others) => {
        const alone = named(rows);
        const unlike = others.filter((it) => !rows.some((own) => own.join() === it.join()));
        expect(named([...unlike, ...rows]).slice(unlike.length)).toEqual(alone);
        expect(new Set(named([...rows].reverse()))).toEqual(new Set(alone));
      }),
    );
  });

  it('depends on mapped cells only, and not on the order of the columns', () => {
    const [one] = named([['x', '1', 'a note']]);
    expect(named([['x', '1', 'another']])).toEqual([one]);
    expect(named([['x', '2', 'a note']])).not.toEqual([one]);
    expect(named([['x1', '', 'a note']])).not.toEqual([one]);
    expect(named([['note', '1', 'x']], JOB, headersOf(['Note', 'B', 'A']), [2, 3])).toEqual([one]);
  });

  it('is another one in another job, and in another step of the same operation', () => {
    const step = { ...JOB.step, oneOfSeveral: true } as const;
    const all = [
      JOB,
      { ...JOB, name: 'other' },
      { ...JOB, step },
      { ...JOB, step: { ...step, name: 'more' } },
    ];
    expect(new Set(all.flatMap((job) => named([['x', '1']], job))).size).toBe(4);
  });

  it('stays the same where the only step of its operation gets another name', () => {
    const renamed = { ...JOB, step: { ...JOB.step, name: 'locks' } };
    expect(named([['x', '1']], renamed)).toEqual(named([['x', '1']]));
  });
});
