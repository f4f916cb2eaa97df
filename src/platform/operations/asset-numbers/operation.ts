import { message } from '../../../errors/message.js';
import { member } from '../../../model/json.js';
import { plainText } from '../../../util/plain-text.js';
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
  gives: {
    ids: ({ records }) => (records ?? []).map((it) => `asset ${String(it.assetNumber)}`),
    acrossRuns: true,
  },
  outcome: (reply, sent) => {
    const numbers = Array.isArray(reply) ? reply.map(String) : [];
    const shown = { code: '0', columns: { recordCount: String(numbers.length) } };
    // None of the reply's values is passed on: what is wrong with one may be wrong with all.
    const wrong = numbers.find((it) => !NUMBER.test(it));
    if (wrong !== undefined) {
      const params = { number: plainText(wrong, 100) };
      return { status: 'unknown', ...shown, message: message('operation.impossible_number', params) };
    }
    const twice = repeated(numbers);
    if (twice !== undefined) {
      return {
        status: 'unknown',
        ...shown,
        message: message('operation.number_twice', { number: twice }),
      };
    }
    const asked = Number(sent.size);
    const got = numbers.length;
    const records = numbers.map((assetNumber) => ({ assetNumber }));
    // Those that didn't come may have been drawn: asked again, the platform would draw anew. An order must not go without them.
    if (got < asked)
      return {
        status: 'unknown',
        ...shown,
        records,
        message: message('operation.numbers_missing', { asked, got }),
      };
    if (got === asked) return { status: 'succeeded', ...shown, records };
    return {
      status: 'succeeded',
      code: '0',
      // Not a column of the result: later steps of a job go by it, in later runs too.
      columns: { ...shown.columns, recordsRequested: String(asked) },
      records,
      message: message('operation.numbers_differ', { asked, got }),
    };
  },
});

/** §4.8: 10 digits, of which the first is the region marker. */
const NUMBER = /^[68]\d{9}$/;

function repeated(texts: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return texts.find((it) => seen.size === seen.add(it).size);
}
