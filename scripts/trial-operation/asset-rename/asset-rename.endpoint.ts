import type { Field } from '../../../model/field.js';
import type { Endpoint } from '../../../model/operation.js';
import { ASSET_NUMBER, fieldTable, IDENTIFIER, ORDER_SERVICE } from '../../wire/field-table.js';

const { must } = fieldTable('§4.8');

const RENAME_FIELDS: readonly Field[] = [
  must('renamedAsset', 'String', 'Number of the asset that gets the label', ASSET_NUMBER),
  must('assetLabel', 'String', 'Its new label', IDENTIFIER),
];

const RENAMED_FIELDS: readonly Field[] = [
  must('assetLabel', 'String', 'The label that it has now', IDENTIFIER),
  must('timesRenamed', 'Integer', 'How often it has been renamed'),
];

export const RENAME_ENDPOINT: Endpoint = {
  number: 11,
  method: 'POST',
  path: `${ORDER_SERVICE}/asset/rename`,
  purpose: 'Gives an asset a label',
  section: '§4.8',
  service: 'order',
  request: RENAME_FIELDS,
  reply: { kind: 'object', fields: RENAMED_FIELDS },
};
