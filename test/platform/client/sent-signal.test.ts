import { channel } from 'node:diagnostics_channel';
import { expect, it } from 'vitest';
import { SentSignal } from '../../../src/platform/client/sent-signal.js';

const CHANNEL = channel('undici:client:sendHeaders');

/** Publishes what undici does before it writes a request; reports whether the socket survived. */
function write(path: string): 'alive' | 'destroyed' {
  let state: 'alive' | 'destroyed' = 'alive';
  const socket = {
    destroy: () => {
      state = 'destroyed';
    },
  };
  CHANNEL.publish({ request: { path }, socket });
  return state;
}

it('breaks the socket before an attempt is written twice, or after it was given up', () => {
  const signal = new SentSignal();
  try {
    const first = signal.watch('n1')!;
    const second = signal.watch('n2')!;
    expect(write('/x?g_nonce=n1&a=b')).toBe('alive');
    expect([first.sent, second.sent]).toEqual([true, false]);
    expect(write('/x?g_nonce=n1&a=b')).toBe('destroyed');
    second.forbid();
    expect(write('/x?g_nonce=n2')).toBe('destroyed');
    expect(second.sent).toBe(false);
  } finally {
    signal.close();
  }
});

it('leaves requests of others alone and does not watch a nonce twice', () => {
  const signal = new SentSignal();
  try {
    const watch = signal.watch('n1')!;
    expect(signal.watch('n1')).toBeUndefined();
    expect(write('/x')).toBe('alive');
    expect(write('/x?g_nonce=n11')).toBe('alive');
    expect(watch.sent).toBe(false);
    watch.forget();
    expect(signal.watch('n1')).toBeDefined();
  } finally {
    signal.close();
  }
});

it('listens no more once closed', () => {
  const before = CHANNEL.hasSubscribers;
  const signal = new SentSignal();
  expect(CHANNEL.hasSubscribers).toBe(true);
  signal.close();
  expect(CHANNEL.hasSubscribers).toBe(before);
});
