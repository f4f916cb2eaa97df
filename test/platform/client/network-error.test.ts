import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { errorDetail } from '../../../src/util/error-detail.js';

it('names cause and address, where a name has several addresses too', async () => {
  const refused = await new Promise<Error>((resolve) => {
    connect({ port: 9, host: '127.0.0.1' }).on('error', resolve);
  });
  expect(errorDetail(refused)).toBe('connect ECONNREFUSED 127.0.0.1:9');
  const several = new AggregateError([new Error('connect ECONNREFUSED ::1:9'), refused]);
  expect(errorDetail(several)).toBe('connect ECONNREFUSED ::1:9; connect ECONNREFUSED 127.0.0.1:9');
  const expired = Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' });
  expect(errorDetail(expired)).toBe('CERT_HAS_EXPIRED: certificate has expired');
});
