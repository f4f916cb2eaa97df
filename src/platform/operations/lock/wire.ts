import type { AllowedValue, Field } from '../../../model/field.js';
import type { Endpoint } from '../../../model/operation.js';
import { ASSET_NUMBER, FREE_IDENTIFIER, fieldTable, ORDER_SERVICE } from '../../wire/field-table.js';

const { must } = fieldTable('§4.6');
const lockResult = fieldTable('§2.5');

/** Result codes of one lock, the same for disabling and enabling. */
const LOCK_STATUSES: readonly AllowedValue[] = [
  { value: 1, meaning: 'done' },
  { value: 2, meaning: 'there is no such lock' },
  { value: 3, meaning: 'it did not work' },
  { value: 4, meaning: 'the lock is of a type that cannot be disabled or enabled' },
];

const LOCK_FIELDS: readonly Field[] = [
  must('assetNums', 'String array', 'Numbers of the locks', ASSET_NUMBER),
  must(
    'operatorIdentity',
    'String',
    'Who does it: a name, a mobile number or an e-mail address',
    FREE_IDENTIFIER,
  ),
];

export const LOCK_RESULT_FIELDS: readonly Field[] = [
  lockResult.must('assetNum', 'String', 'Number of the lock', ASSET_NUMBER),
  lockResult.must('status', 'Integer', 'What became of it', { values: LOCK_STATUSES }),
];

export const LOCK_ENDPOINT: Endpoint = {
  number: 6,
  method: 'POST',
  path: `${ORDER_SERVICE}/asset/lock`,
  purpose: 'Disables physical locks, many in one call',
  section: '§4.6',
  service: 'order',
  request: LOCK_FIELDS,
  reply: { kind: 'object array', fields: LOCK_RESULT_FIELDS },
};

export const UNLOCK_ENDPOINT: Endpoint = {
  ...LOCK_ENDPOINT,
  number: 7,
  path: `${ORDER_SERVICE}/asset/unlock`,
  purpose: 'Enables physical locks, many in one call',
};
