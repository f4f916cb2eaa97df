import { createHash } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InputStore } from '../../src/ledger/contract/inputs.js';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import { checkedInputOf, inputOf, keepInput } from '../../src/ledger/inputs.js';
import { openLedger } from '../../src/ledger/open.js';

const TEXT = 'Order,Nodes\nSO-1,5\n';
const SHA256 = createHash('sha256').update(TEXT).digest('hex');

let folder: string;
let ledger: Ledger;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ledger-inputs-'));
  ledger = await openLedger(path.join(folder, 'state', 'ledger.db'));
});

afterEach(async () => {
  await ledger.close();
  await rm(folder, { recursive: true, force: true });
});

async function input(): Promise<string> {
  const file = path.join(folder, 'orders.csv');
  await writeFile(file, TEXT);
  return file;
}

describe('the input of a run', () => {
  it('is where every earlier version put it, unreadable for other users', async () => {
    const file = await input();
    expect(await keepInput(ledger.inputs, file)).toEqual({ sha256: SHA256, name: 'orders.csv' });
    const kept = path.join(folder, 'state', 'inputs', SHA256, 'orders.csv');
    expect(await readFile(kept, 'utf8')).toBe(TEXT);
    if (process.platform !== 'win32') expect((await stat(kept)).mode & 0o777).toBe(0o600);
  });

  it('is found where a version before kept it, though the ledger was moved since', async () => {
    const kept = path.join(folder, 'state', 'inputs', SHA256, 'orders.csv');
    await mkdir(path.dirname(kept), { recursive: true });
    await writeFile(kept, TEXT);
    const run = { id: 'r1', inputFile: '/home/wang/orders.csv', inputSha256: SHA256 };
    expect(await checkedInputOf(ledger.inputs, run)).toBe(kept);
  });

  it('is read from the original when the ledger does not have it, and only while that is unchanged', async () => {
    const file = await input();
    const run = { id: 'r1', inputFile: file, inputSha256: SHA256 };
    expect(await inputOf(ledger.inputs, run)).toBe(file);
    await appendFile(file, 'SO-2,9\n');
    await expect(inputOf(ledger.inputs, run)).rejects.toMatchObject({ detail: { code: 'run.input_gone' } });
  });

  it('is not read where it no longer exists or altered: rows of another file are not its rows', async () => {
    const file = await input();
    const run = { id: 'r1', inputFile: file, inputSha256: SHA256 };
    const kept = path.join(folder, 'state', 'inputs', SHA256, 'orders.csv');
    const gone = { kind: 'internal', detail: { code: 'run.input_gone', params: { run: 'r1', file: kept } } };
    await keepInput(ledger.inputs, file);
    expect(await checkedInputOf(ledger.inputs, run)).toBe(kept);
    await appendFile(kept, 'SO-2,9\n');
    await expect(checkedInputOf(ledger.inputs, run)).rejects.toMatchObject(gone);
    await ledger.inputs.remove(SHA256);
    await rm(file);
    await expect(inputOf(ledger.inputs, run)).rejects.toMatchObject(gone);
  });

  it('is not kept while a user saves it, nor where there is none', async () => {
    const file = await input();
    const { inputs } = ledger;
    // Saved again once it has been read to its end.
    const store: Pick<InputStore, 'put'> = {
      put: (name, bytes) =>
        inputs.put(
          name,
          (async function* () {
            for await (const chunk of bytes) {
              yield chunk;
              await appendFile(file, 'SO-2,9\n');
            }
          })(),
        ),
    };
    await expect(keepInput(store, file)).rejects.toMatchObject({
      kind: 'input',
      detail: { code: 'run.input_changed', params: { file } },
    });
    expect(await inputs.list()).toEqual([]);
    await expect(keepInput(inputs, `${file}.gone`)).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'cli.file_missing' },
    });
    await expect(keepInput(inputs, path.dirname(file))).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'source.file_is_folder' },
    });
  });
});
