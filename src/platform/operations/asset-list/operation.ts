import { message } from '../../../errors/message.js';
import { member } from '../../../model/json.js';
import { objectsOf } from '../shared/records.js';
import { singleOperation } from '../shared/single-operation.js';
import { LIST_ENDPOINT, VIRTUAL_ASSET_FIELDS } from './wire.js';

/** Segments that URL rules fold away even when encoded, and halves of characters, which can't be encoded. */
const NOT_A_SEGMENT = /^\.{1,2}$|\p{Surrogate}/u;

export const ASSET_LIST = singleOperation({
  name: 'asset.list',
  purpose: 'Lists the cloud assets of enterprises',
  endpoint: LIST_ENDPOINT,
  repeatable: true,
  key: undefined,
  wayBack: { kind: 'none', reason: message('way_back.reads') },
  resultColumns: ['recordCount'],
  lists: 'assets',
  records: VIRTUAL_ASSET_FIELDS,
  check: (fields, report) => {
    const text = member(fields, 'enterpriseGlobalId');
    if (typeof text === 'string' && NOT_A_SEGMENT.test(text)) {
      report('enterpriseGlobalId', message('rule.path_segment', { text }));
    }
  },
  outcome: (reply) => {
    const records = objectsOf(reply);
    return {
      status: 'succeeded',
      code: '0',
      columns: { recordCount: String(records.length) },
      records,
    };
  },
});
