import type { Comparison } from '../../../model/comparison.js';
import { ASSET_NUMBER, fieldTable } from '../../wire/field-table.js';
import { nameText, recordFields, recordName } from '../shared/comparing.js';
import { LIST_FIELDS, VIRTUAL_ASSET_FIELDS } from './wire.js';

const record = fieldTable('§2.6');

/** Assets, by the list of their enterprise (§4.7). */
export const ASSET: Comparison = {
  name: 'asset',
  purpose: 'Compares assets (locks, cloud assets) with the asset lists of their enterprises',
  sharedNames: false,
  inquiry: 'asset.list',
  key: [
    ...LIST_FIELDS,
    record.must(
      'assetNum',
      'String array',
      'Number of the asset; of several, each is compared',
      ASSET_NUMBER,
    ),
  ],
  // The enterprise that was asked stands with each record, so that actions can name it.
  record: recordFields([...LIST_FIELDS.filter((it) => it.required), ...VIRTUAL_ASSET_FIELDS]),
  request: ({ enterpriseGlobalId, extendCode }) => ({
    enterpriseGlobalId: enterpriseGlobalId ?? '',
    ...(extendCode === undefined ? {} : { extendCode }),
  }),
  names: ({ enterpriseGlobalId, assetNum }) => {
    const enterprise = nameText(enterpriseGlobalId) ?? '';
    const numbers = Array.isArray(assetNum) ? assetNum : [assetNum];
    const texts = numbers.map((it) => nameText(it)).filter((it) => it !== undefined);
    return [...new Set(texts)].map((it) => recordName(it, enterprise, it));
  },
  // The list doesn't say whose it is: that is the request's.
  nameOf: ({ assetNum }, { enterpriseGlobalId }) => {
    const number = nameText(assetNum);
    return number === undefined ? undefined : recordName(number, nameText(enterpriseGlobalId) ?? '', number);
  },
};
