import type { AllowedValue, Field } from '../../../model/field.js';
import type { Endpoint } from '../../../model/operation.js';
import {
  ASSET_NUMBER,
  END_TIME,
  FREE_IDENTIFIER,
  fieldTable,
  IDENTIFIER,
  IN_PATH,
  IN_QUERY,
  KEY,
  ORDER_SERVICE,
  TIME,
  within,
} from '../../wire/field-table.js';

const list = fieldTable('§4.7');
const asset = fieldTable('§2.6');

export const LIST_FIELDS: readonly Field[] = [
  list.must('enterpriseGlobalId', 'String', 'Global id of the enterprise main account', {
    ...KEY,
    ...IN_PATH,
  }),
  list.may('extendCode', 'String', 'Only assets that have this extension', { ...IDENTIFIER, ...IN_QUERY }),
];

const CHIP_TYPES: readonly AllowedValue[] = [
  { value: 1, meaning: 'lock of the fourth generation', zh: '四代锁' },
  { value: 2, meaning: 'lock of the fifth generation', zh: '五代锁' },
];

const ASSIGNMENT_FIELDS: readonly Field[] = [
  asset.may('id', 'String', 'Id of the asset', IDENTIFIER),
  asset.may('assignStatus', 'String', 'State of the assignment, of large-customer locks'),
  asset.may('assignMemberId', 'String', 'Id of the employee it is assigned to', IDENTIFIER),
  asset.may('createTime', 'String', 'When it was assigned'),
  // The interface shows it only as null: an object without members means a value of unknown form.
  asset.may('updateTime', 'object', 'When the assignment changed; null in all that is known'),
];

const ASSET_EXTEND_FIELDS: readonly Field[] = [
  asset.may('extendCode', 'String', 'Key of the extension; gxxp is a new industry-information product'),
  asset.may('extendValue', 'String', 'Value of the extension'),
];

/** One asset of the asset list. */
export const VIRTUAL_ASSET_FIELDS: readonly Field[] = [
  asset.must('id', 'String', 'Id of the asset, unique', IDENTIFIER),
  asset.may('licenseType', 'String', 'Kind of licence'),
  asset.may('assetNum', 'String', 'Number of the asset', ASSET_NUMBER),
  asset.may('grantable', 'Boolean', 'The asset can be granted'),
  asset.may('customerId', 'String', 'Id of the customer on the licence platform', IDENTIFIER),
  asset.may('keyShellNumber', 'String', 'Digits of the asset number', ASSET_NUMBER),
  asset.may('keyChipType', 'Integer', 'Generation of the chip in the lock', { values: CHIP_TYPES }),
  asset.may('locked', 'Boolean', 'The asset is locked'),
  asset.may('freezing', 'Boolean', 'The asset is frozen, of certificates only'),
  asset.may('createTime', 'Long', 'When it was created', TIME),
  asset.may('updateTime', 'Long', 'When it last changed', TIME),
  asset.may('limitStartTime', 'Long', 'When it becomes valid, of large-customer locks', TIME),
  asset.may('limitEndTime', 'Long', 'When it expires', END_TIME),
  within(asset.may('assignStatus', 'object', 'To whom it is assigned'), () => ASSIGNMENT_FIELDS),
  asset.may('assetLimits', 'object', 'Null in all that is known'),
  within(
    asset.may('assetExtends', 'object array', 'Extension attributes of the asset'),
    () => ASSET_EXTEND_FIELDS,
  ),
  asset.may('borrowedUsbKey', 'Boolean', 'The lock is lent'),
];

export const LIST_ENDPOINT: Endpoint = {
  number: 8,
  method: 'GET',
  path: `${ORDER_SERVICE}/asset/{enterpriseGlobalId}/list`,
  purpose: "Lists the assets of an enterprise's cloud account authorizations",
  section: '§4.7',
  service: 'order',
  request: LIST_FIELDS,
  reply: { kind: 'object array', fields: VIRTUAL_ASSET_FIELDS },
};

const lock = fieldTable('§4.6');
const lockResult = fieldTable('§2.5');

/** Result codes of one lock, the same for disabling and enabling. */
const LOCK_STATUSES: readonly AllowedValue[] = [
  { value: 1, meaning: 'done' },
  { value: 2, meaning: 'there is no such lock' },
  { value: 3, meaning: 'it did not work' },
  { value: 4, meaning: 'the lock is of a type that cannot be disabled or enabled' },
];

const LOCK_FIELDS: readonly Field[] = [
  lock.must('assetNums', 'String array', 'Numbers of the locks', ASSET_NUMBER),
  lock.must(
    'operatorIdentity',
    'String',
    'Who does it: a name, a mobile number or an e-mail address',
    FREE_IDENTIFIER,
  ),
];

export const LOCK_RESULT_FIELDS: readonly Field[] = [
  lockResult.must('assetNum', 'String', 'Number of the lock', ASSET_NUMBER),
  lockResult.must('status', 'Integer', 'Its outcome', { values: LOCK_STATUSES }),
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

const numbers = fieldTable('§4.8');

const NUMBERS_FIELDS: readonly Field[] = [
  numbers.must('size', 'Integer', 'How many asset numbers to obtain', { least: 1 }),
];

/** The reply is a list of texts; each becomes a record. */
export const NUMBER_RECORD_FIELDS: readonly Field[] = [
  numbers.must('assetNumber', 'String', 'A new asset number', ASSET_NUMBER),
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
