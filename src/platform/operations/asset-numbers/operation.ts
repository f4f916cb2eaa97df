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
    const got = new Set(records.map((it) => it.assetNumber)).size;
    const shown = { code: '0', columns: { recordCount: String(records.length) }, records };
    // Those that didn't come may have been drawn: asked again, the platform would draw anew. An order must not go without them.
    if (got < asked)
      return { status: 'unknown', ...shown, message: message('operation.numbers_missing', { asked, got }) };
    const differ = got === asked ? {} : { message: message('operation.numbers_differ', { asked, got }) };
    return { status: 'succeeded', ...shown, ...differ };
  },
});
