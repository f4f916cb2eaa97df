import type { AllowedValue, Field } from '../../../model/field.js';
import type { Endpoint } from '../../../model/operation.js';
import { FREE_IDENTIFIER, fieldTable, IDENTIFIER, KEY, within } from '../../wire/field-table.js';

const request = fieldTable('§4.9');
const result = fieldTable('§2.7');

const ACTIVITY_FIELDS: readonly Field[] = [
  request.must(
    'identity',
    'String',
    'Who takes part: a cloud account (mobile number or e-mail), an enterprise account, or a cloud lock number',
    KEY,
  ),
  request.must('activityLabel', 'String', 'Short name of the activity', KEY),
  request.must('source', 'String', 'Business line that takes part, by its domain or name', FREE_IDENTIFIER),
  request.must('branch', 'String', 'Branch that the participant belongs to'),
];

/** `resultCode` and what it means (§7.2). */
const ACTIVITY_RESULT_CODES: readonly AllowedValue[] = [
  { value: '0000', meaning: 'took part' },
  { value: '1001', meaning: 'a request parameter is wrong' },
  { value: '1002', meaning: 'the activity service failed while processing' },
  { value: '1004', meaning: 'the participant is not legitimate' },
  { value: '2001', meaning: 'a filter rule shut the participant out' },
  { value: '3001', meaning: 'there is no such activity' },
  { value: '3002', meaning: 'the participant does not meet the conditions of the activity' },
];

const ACTIVATION: readonly AllowedValue[] = [
  { value: '0', meaning: 'active from the claim on' },
  { value: '1', meaning: 'has to be activated later' },
];

export const ACTIVITY_PRODUCT_FIELDS: readonly Field[] = [
  result.may('activityId', 'String', 'Activity that the product comes from', IDENTIFIER),
  result.may('subActivityId', 'String', 'Unit of the activity that the product comes from', IDENTIFIER),
  result.may('productUri', 'String', 'Which product', IDENTIFIER),
  result.may('limitStartDate', 'String', 'Start of the rights'),
  result.may('limitEndDate', 'String', 'End of the rights'),
  result.may('activateType', 'String', 'When the product becomes active', { values: ACTIVATION }),
];

const DETAIL_FIELDS: readonly Field[] = [
  within(result.may('products', 'object array', 'Products obtained'), () => ACTIVITY_PRODUCT_FIELDS),
];

const ACTIVITY_UNIT_FIELDS: readonly Field[] = [
  result.may('id', 'String', 'Id of the unit', IDENTIFIER),
  result.may('name', 'String', 'Name of the unit'),
  result.may('participateResult', 'Boolean', 'Taking part in the unit is possible'),
  result.may('errorCode', 'Integer', 'Why not, as a code'),
  result.may('errorMessage', 'String', 'Why not, in words'),
];

const REFUSED_ACTIVITY_FIELDS: readonly Field[] = [
  result.may('id', 'String', 'Id of the activity', IDENTIFIER),
  result.may('name', 'String', 'Name of the activity'),
  result.may('participateResult', 'Boolean', 'Taking part is possible'),
  within(
    result.may('engineSubActivityDtos', 'object array', 'Units of the activity'),
    () => ACTIVITY_UNIT_FIELDS,
  ),
];

/** The whole result object; it has no envelope. */
const ACTIVITY_RESULT_FIELDS: readonly Field[] = [
  result.must('resultCode', 'String', 'How it went; 0000 is success', { values: ACTIVITY_RESULT_CODES }),
  result.may('resultMessage', 'String', 'The same in words'),
  within(result.may('detail', 'object', 'What was obtained'), () => DETAIL_FIELDS),
  within(
    result.may('activityDtoList', 'object array', 'With 3002: the activities and why they refused'),
    () => REFUSED_ACTIVITY_FIELDS,
  ),
];

export const ACTIVITY_ENDPOINT: Endpoint = {
  number: 10,
  method: 'POST',
  path: '/activity/services/activity',
  purpose: 'Takes part in an activity and claims its products',
  section: '§4.9',
  service: 'activity',
  request: ACTIVITY_FIELDS,
  reply: { kind: 'object', fields: ACTIVITY_RESULT_FIELDS },
};
