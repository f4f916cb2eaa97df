import { describe, expect, test } from 'vitest';
import { DiskFlush } from '../../src/ledger/sqlite/ledger-file.js';

/** A disk whose flushes take so long, and how each was made. */
function disk(takes: { ms: number }) {
  let now = 0;
  const made: string[] = [];
  const flush = new DiskFlush(
    { monotonic: () => now },
    {
      here: (file) => {
        now += takes.ms;
        made.push(`here ${file}`);
      },
      beside: async (file) => {
        made.push(`beside ${file}`);
      },
    },
  );
  const times = async (count: number): Promise<string[]> => {
    made.length = 0;
    for (let n = 0; n < count; n += 1) await flush.flush(7);
    return made.splice(0);
  };
  return { flush, times };
}

const all = (how: string, count: number): string[] => Array.from({ length: count }, () => `${how} 7`);

describe('flushes', () => {
  test('of a quick disk are waited for where they are asked for', async () => {
    const { times } = disk({ ms: 0.3 });
    expect(await times(2000)).toEqual(all('here', 2000));
  });

  test('of a slow disk go to another thread after a few, but for one in some hundred', async () => {
    const { times } = disk({ ms: 5 });
    const first = await times(20);
    expect(first.indexOf('beside 7')).toBeGreaterThan(0);
    expect(first.slice(first.indexOf('beside 7'))).not.toContain('here 7');
    const later = await times(5000);
    expect(later.filter((it) => it === 'here 7').length).toBeLessThanOrEqual(10);
  });

  test('of a disk that was slow for a while are waited for again', async () => {
    const takes = { ms: 5 };
    const { times } = disk(takes);
    await times(100);
    takes.ms = 0.3;
    await times(600);
    expect(await times(1000)).toEqual(all('here', 1000));
  });

  test('one that took long changes nothing', async () => {
    const takes = { ms: 0.3 };
    const { times } = disk(takes);
    await times(100);
    takes.ms = 20;
    expect(await times(1)).toEqual(all('here', 1));
    takes.ms = 0.3;
    expect(await times(100)).toEqual(all('here', 100));
  });

  test.each(['here', 'beside'])('that fail are reported as failed: %s', async (where) => {
    const full = new Error('EIO');
    let now = 0;
    const flush = new DiskFlush(
      { monotonic: () => now },
      {
        here: () => {
          now += 100;
          if (where === 'here') throw full;
        },
        beside: () => Promise.reject(full),
      },
    );
    if (where === 'beside') await flush.flush(7);
    await expect(flush.flush(7)).rejects.toBe(full);
  });
});
