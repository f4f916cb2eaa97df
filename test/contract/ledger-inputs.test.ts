import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { collect } from '../support/ledger-samples.js';
import { describeLedger } from '../support/ledgers.js';

const BYTES = ['a,b\n', '1,2\n'].map((it) => Buffer.from(it));
/** Of both pieces together. */
const SHA256 = '492d5ea496056f1a6a6592241032fab764c321596317930b4fa0e1e8bc3b7470';

async function* pieces(): AsyncGenerator<Uint8Array> {
  yield* BYTES;
}

describeLedger('inputs', (here) => {
  test('a kept input comes back under its digest, as bytes and as a file of its own name', async () => {
    const input = await here.ledger.inputs.put('订单 1.csv', pieces());
    expect(input).toEqual({ sha256: SHA256, name: '订单 1.csv' });
    await here.reopen();
    expect(Buffer.concat(await collect(here.ledger.inputs.bytes(input)))).toEqual(Buffer.concat(BYTES));
    const file = await here.ledger.inputs.file(input);
    expect(path.basename(file ?? '')).toBe('订单 1.csv');
    expect(await readFile(file ?? '', 'utf8')).toBe('a,b\n1,2\n');
  });

  test('one that was released is there for a process that asks again', async () => {
    const { inputs } = here.ledger;
    const input = await inputs.put('orders.csv', pieces());
    for (let time = 0; time < 3; time += 1) {
      expect(await readFile((await inputs.file(input)) ?? '', 'utf8')).toBe('a,b\n1,2\n');
      await inputs.release(input);
    }
    await inputs.release({ sha256: SHA256.replace('4', '5'), name: 'never.csv' });
  });

  test('a name with a folder in it leads nowhere else', async () => {
    const { name } = await here.ledger.inputs.put('../../orders.csv', pieces());
    expect(name).toBe('orders.csv');
    const other = await here.ledger.inputs.file({ sha256: '..', name: 'ledger.db' });
    expect(other).toBeUndefined();
    await here.ledger.inputs.remove('..');
    await here.reopen();
    expect(await here.ledger.inputs.list()).toHaveLength(1);
  });

  test('the same bytes under two names are listed once, and go together', async () => {
    const { inputs } = here.ledger;
    const one = await inputs.put('one.csv', pieces());
    const two = await inputs.put('two.csv', pieces());
    expect((await inputs.list()).map((it) => it.sha256)).toEqual([SHA256]);
    expect(Math.abs(Date.now() - (await inputs.list())[0]!.keptAt)).toBeLessThan(60_000);
    await inputs.remove(SHA256);
    expect(await inputs.list()).toEqual([]);
    expect([await inputs.file(one), await inputs.file(two)]).toEqual([undefined, undefined]);
    await expect(collect(inputs.bytes(one))).rejects.toThrow();
    await inputs.remove(SHA256);
  });

  test('nothing is kept of what could not be read to its end', async () => {
    const { inputs } = here.ledger;
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield BYTES[0]!;
      throw new Error('the disk went away');
    };
    await expect(inputs.put('orders.csv', failing())).rejects.toThrow('the disk went away');
    expect(await inputs.list()).toEqual([]);
  });
});
