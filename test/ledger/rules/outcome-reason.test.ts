import { describe, expect, test } from 'vitest';
import { message } from '../../../src/errors/message.js';
import { outcomeReason } from '../../../src/ledger/rules/row-result.js';

const at = { run: 'r1', row: 7 };

describe('the reason of an outcome, from the message that any version of the ledger keeps', () => {
  test.each([
    [message('run.held_unknown', at), { kind: 'held_unknown', found: 'planning', ...at }],
    [
      message('run.held_done', { ...at, status: 'succeeded' }),
      { kind: 'held_done', found: 'planning', ...at },
    ],
    [message('ledger.held_unknown', at), { kind: 'held_unknown', found: 'sending', ...at }],
    [
      message('ledger.held_done', { ...at, status: 'succeeded' }),
      { kind: 'held_done', found: 'sending', ...at },
    ],
    [
      message('ledger.held_changed', { ...at, status: 'succeeded' }),
      { kind: 'held_changed', found: 'sending', ...at },
    ],
    [message('resolve.by_operator_bare', { who: 'w', time: 't' }), { kind: 'resolved_by_person' }],
    [message('resolve.by_operator', { who: 'w', time: 't', note: 'n' }), { kind: 'resolved_by_person' }],
  ])('%j', (text, reason) => expect(outcomeReason(text)).toEqual(reason));

  test.each([
    'run.held_unknown r1 row 7',
    message('run.died'),
    message('run.filtered'),
    message('run.held_above', { rows: '3' }),
  ])('none for %j', (text) => expect(outcomeReason(text)).toBeUndefined());
});
