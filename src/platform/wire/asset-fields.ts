import type { AllowedValue, Field } from '../../model/field.js';
import {
  ASSET_NUMBER,
  END_TIME,
  fieldTable,
  IDENTIFIER,
  IN_PATH,
  IN_QUERY,
  TIME,
  within,
} from './field-table.js';

const lock = fieldTable('§4.6');
const lockResult = fieldTable('§2.5');
const list = fieldTable('§4.7');
const numbers = fieldTable('§4.8');
const asset = fieldTable('§2.6');

/** Result codes of one lock, the same for disabling and enabling. */
export const LOCK_STATUSES: readonly AllowedValue[] = [
  { value: 1, meaning: 'done' },
  { value: 2, meaning: 'there is no such lock' },
  { value: 3, meaning: 'it did not work' },
  { value: 4, meaning: 'the lock is of a type that cannot be disabled or enabled' },
];

export const LOCK_FIELDS: readonly Field[] = [
  lock.must('assetNums', 'String array', 'Numbers of the locks', ASSET_NUMBER),
  lock.must(
    'operatorIdentity',
    'String',
    'Who does it: a name, a mobile number or an e-mail address',
    IDENTIFIER,
  ),
];

export const LOCK_RESULT_FIELDS: readonly Field[] = [
  lockResult.must('assetNum', 'String', 'Number of the lock', ASSET_NUMBER),
  lockResult.must('status', 'Integer', 'What became of it', { values: LOCK_STATUSES }),
];

export const LIST_FIELDS: readonly Field[] = [
  list.must('enterpriseGlobalId', 'String', 'Global id of the enterprise main account', {
    ...IDENTIFIER,
    ...IN_PATH,
  }),
  list.may('extendCode', 'String', 'Only assets that have this extension', { ...IDENTIFIER, ...IN_QUERY }),
];

export const NUMBERS_FIELDS: readonly Field[] = [
  numbers.must('size', 'Integer', 'How many asset numbers to obtain', { least: 1 }),
];

const CHIP_TYPES: readonly AllowedValue[] = [
  { value: 1, meaning: 'lock of the fourth generation' },
  { value: 2, meaning: 'lock of the fifth generation' },
];

export const ASSIGNMENT_FIELDS: readonly Field[] = [
  asset.may('id', 'String', 'Id of the asset', IDENTIFIER),
  asset.may('assignStatus', 'String', 'State of the assignment, of large-customer locks'),
  asset.may('assignMemberId', 'String', 'Id of the employee it is assigned to', IDENTIFIER),
  asset.may('createTime', 'String', 'When it was assigned'),
  // Only ever seen as null: an object without members stands for a value of unknown form.
  asset.may('updateTime', 'object', 'When the assignment changed; null in all that is known'),
];

export const ASSET_EXTEND_FIELDS: readonly Field[] = [
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
