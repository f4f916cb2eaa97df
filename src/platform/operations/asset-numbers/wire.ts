import type { Field } from '../../../model/field.js';
import type { Endpoint } from '../../../model/operation.js';
import { ASSET_NUMBER, fieldTable, ORDER_SERVICE } from '../../wire/field-table.js';

const { must } = fieldTable('§4.8');

const NUMBERS_FIELDS: readonly Field[] = [
  must('size', 'Integer', 'How many asset numbers to obtain', { least: 1 }),
];

/** The reply is a list of texts; each is shown as a record. */
export const NUMBER_RECORD_FIELDS: readonly Field[] = [
  must('assetNumber', 'String', 'A new asset number', ASSET_NUMBER),
];

export const NUMBERS_ENDPOINT: Endpoint = {
  number: 9,
  method: 'POST',
  path: `${ORDER_SERVICE}/shellnums`,
  purpose: 'Obtains the digits of new asset numbers',
  section: '§4.8',
  service: 'order',
  request: NUMBERS_FIELDS,
  reply: { kind: 'string array' },
};
