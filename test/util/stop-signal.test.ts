import { describe, expect, it } from 'vitest';
import { StopSignal } from '../../src/util/stop-signal.js';

describe('a stop signal keeps its first cause', () => {
  it('may be waited for by many, without a warning of a leak', async () => {
    const warnings: Error[] = [];
    const hear = (warning: Error): unknown => warnings.push(warning);
    process.on('warning', hear);
    const stop = new StopSignal();
    let woken = 0;
    for (let n = 0; n < 100; n += 1) {
      stop.signal.addEventListener('abort', () => {
        woken += 1;
      });
    }
    await new Promise((resolve) => setImmediate(resolve));
    stop.stop({ kind: 'interrupted' });
    process.off('warning', hear);
    expect(woken).toBe(100);
    expect(warnings).toEqual([]);
  });
});
