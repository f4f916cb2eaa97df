import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { openSource } from '../../src/source/open-source.js';
import type { Case } from './cases.js';
import { checkJob } from './check-job.js';
import { checkText } from './check-text.js';
import { Baselines, checkWorkbook } from './check-workbook.js';
import type { Open } from './reading.js';

/** An error put in on purpose, to see that it is found. */
export type Plant = 'lost row' | 'wrong error' | 'hang' | 'memory';

/** Executes cases in a folder of its own. */
export class CaseRunner {
  readonly #folder: string;
  readonly #plant: Plant | undefined;
  readonly #baselines = new Baselines();

  constructor(folder: string, plant?: Plant) {
    this.#folder = folder;
    this.#plant = plant;
  }

  /** What the case ended in: `rows`, `job`, or an error's code. Rejects when it ended in anything else. */
  async run(it: Case): Promise<string> {
    if (this.#plant === 'hang') for (;;);
    if (this.#plant === 'memory') hoard();
    const file = path.join(this.#folder, `case${it.extension}`);
    writeFileSync(file, it.bytes);
    if (it.target === 'job') return checkJob(file, this.#plant && faultyLoad);
    const open = this.#plant && faultyOpen(this.#plant);
    if (it.extension !== '.xlsx') return checkText(it, file, open);
    if (it.from.entries && !this.#baselines.get(it.from)) {
      const unchanged = path.join(this.#folder, 'unchanged.xlsx');
      writeFileSync(unchanged, it.from.bytes);
      await this.#baselines.learn(it.from, unchanged);
    }
    return checkWorkbook(it, file, this.#baselines.get(it.from), open);
  }
}

function hoard(): never {
  const kept: number[][] = [];
  for (;;) kept.push(new Array<number>(1 << 20).fill(kept.length));
}

async function faultyLoad(): Promise<never> {
  throw new TypeError('planted');
}

function faultyOpen(plant: Plant): Open {
  return async (file, options) => {
    if (plant === 'wrong error') throw new TypeError('planted');
    const source = await openSource(file, options);
    return {
      ...source,
      sheets: source.sheets,
      close: () => source.close(),
      async *rows(sheet) {
        for await (const rows of source.rows(sheet)) if (rows.length > 1) yield rows.slice(1);
      },
    };
  };
}
