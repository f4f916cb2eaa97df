import { describe, expect, it } from 'vitest';
import { message } from '../../../src/errors/message.js';
import type { RowResult } from '../../../src/ledger/contract/report.js';
import type { Status } from '../../../src/model/status.js';
import { ProblemKinds, problemText } from '../../../src/run/report/problem-kinds.js';
import { resultMessage } from '../../../src/run/report/result-message.js';
import { stepsRow } from '../../../src/run/report/row-results.js';

const NAMES = ['customer', 'numbers', 'order'];

function part(status: Status, more: Partial<RowResult> = {}): RowResult {
  return { row: 2, status, messages: [], faults: [], attempts: 0, columns: {}, ...more };
}

const said = (text: string): Partial<RowResult> => ({ messages: [{ text }] });
const over = (...parts: readonly (RowResult | undefined)[]) => stepsRow(2, parts, NAMES, 'not_sent');

describe('a row over several steps', () => {
  it('says what makes it what it is, and which step reports it', () => {
    const it = over(
      part('succeeded', said('bound')),
      part('rejected', said('no more')),
      part('not_sent', said('stopped')),
    );
    expect(it).toMatchObject({ status: 'rejected', step: 'numbers' });
    expect(resultMessage(it, 'en')).toBe('numbers: no more');
  });

  it('reports it too where it waits for an unknown row of another run, whatever else it is', () => {
    const held = { kind: 'held_unknown', found: 'planning', run: 'r0', row: 7 } as const;
    const it = over(
      part('skipped', { messages: [{ text: 'held', reason: held }] }),
      part('not_sent', said('before')),
    );
    expect(it.status).toBe('not_sent');
    expect(it.messages.map(({ text, reason }) => [text, reason?.kind])).toEqual([
      ['held', 'held_unknown'],
      ['before', undefined],
    ]);
  });

  it('has the order of the last step that made one, the code of the step at which it stands, all requests', () => {
    const it = over(
      part('succeeded', { licenseOrderId: 'LO-1', code: '0', attempts: 1 }),
      part('succeeded', { licenseOrderId: 'LO-2', code: '0', attempts: 2 }),
      part('rejected', { code: '13004', attempts: 1 }),
    );
    expect(it).toMatchObject({ licenseOrderId: 'LO-2', code: '13004', attempts: 4 });
  });

  it('reports a cell that two steps read once', () => {
    const fault = {
      sheet: 'S',
      row: 2,
      column: 1,
      field: 'channelCode',
      message: message('ledger.bad_address'),
    };
    const own = part('invalid', { faults: [fault] });
    expect(over(own, part('not_sent'), { ...own, faults: [{ ...fault }] }).faults).toEqual([fault]);
    const other = { ...fault, field: 'size' };
    expect(over(own, part('not_sent'), part('invalid', { faults: [other] })).faults).toEqual([fault, other]);
  });

  it('waits where a step was not planned as far', () => {
    expect(over(part('succeeded'), undefined, undefined)).toMatchObject({
      status: 'not_sent',
      step: 'numbers',
    });
    expect(stepsRow(2, [part('skipped'), undefined], NAMES, 'valid')).toMatchObject({
      status: 'valid',
      step: 'numbers',
    });
  });

  it('is counted with others by its step and what that says', () => {
    const kinds = new ProblemKinds();
    const at = (row: number, it: RowResult): RowResult => ({ ...it, row });
    kinds.add(at(2, over(part('unknown', said('no answer')), part('not_sent'), part('not_sent'))));
    kinds.add(at(3, over(part('unknown', said('no answer')), part('not_sent'), part('not_sent'))));
    kinds.add(at(4, over(part('succeeded'), part('unknown', said('no answer')), part('not_sent'))));
    expect(kinds.list().map((it) => [it.count, problemText(it, 'en'), it.places])).toEqual([
      [2, 'customer: no answer', [2, 3]],
      [1, 'numbers: no answer', [4]],
    ]);
  });
});
