import { describe, expect, test } from 'vitest';
import { message } from '../../src/errors/message.js';
import { deserializeError, ProductError, serializeError } from '../../src/errors/product-error.js';

describe('an error reaches another thread as it was', () => {
  test('arrive as what they were, causes included', () => {
    const others = [message('ledger.already_sent', { run: 'r2' })];
    const cause = new Error('disk on fire');
    const sent = new ProductError('usage', message('ledger.already_sent', { run: 'r1' }), { others, cause });
    const error = deserializeError(structuredClone(serializeError(sent)));
    expect(error).toBeInstanceOf(ProductError);
    expect(error).toMatchObject({ kind: 'usage', detail: sent.detail, others, message: sent.message });
    expect(error.cause).toMatchObject({ message: 'disk on fire' });
    expect(error.stack).toBe(sent.stack);
  });

  test('an ordinary error stays one', () => {
    const error = deserializeError(structuredClone(serializeError(new TypeError('no such thing'))));
    expect(error).not.toBeInstanceOf(ProductError);
    expect(error.message).toBe('no such thing');
  });
});
