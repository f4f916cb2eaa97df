import { describe, expect, it } from 'vitest';
import { isLoopback } from '../../src/util/loopback.js';

describe('a host is this machine', () => {
  it.each(['localhost', 'a.localhost', '127.0.0.1', '127.8.9.10', '[::1]', '::1'])('%s', (host) => {
    expect(isLoopback(host)).toBe(true);
  });
});

describe('a host is elsewhere', () => {
  it.each(['127.example.com', '127.0.0.1.example.com', 'localhost.example.com', 'xlocalhost', '10.0.0.1'])(
    '%s',
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});
