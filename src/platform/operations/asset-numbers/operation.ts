import { message } from '../../../errors/message.js';
import { member } from '../../../model/json.js';
import { singleOperation } from '../shared/single-operation.js';
import { NUMBER_RECORD_FIELDS, NUMBERS_ENDPOINT } from './wire.js';

export const ASSET_NUMBERS = singleOperation({
  name: 'asset.numbers',
  purpose: 'Obtains new asset numbers',
  endpoint: NUMBERS_ENDPOINT,
  repeatable: false,
  key: undefined,
  wayBack: { kind: 'none', reason: message('way_back.no_endpoint') },
  resultColumns: ['recordCount'],
  records: NUMBER_RECORD_FIELDS,
  recordsExpected: (body) => {
    const size = member(body, 'size');
    return typeof size === 'number' ? size : undefined;
  },
  outcome: (reply, sent) => {
    const records = Array.isArray(reply) ? reply.map((it) => ({ assetNumber: String(it) })) : [];
    const asked = Number(sent.size);
    const got = records.length;
    return {
      status: 'succeeded',
      code: '0',
      columns: { recordCount: String(got) },
      records,
      ...(got === asked ? {} : { message: message('operation.numbers_differ', { asked, got }) }),
    };
  },
});
