import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { mutateCsv } from './mutate-csv.js';
import { mutateYaml } from './mutate-yaml.js';
import { mutatePackageBytes, mutateParts } from './packages.js';
import { Random } from './random.js';
import { jobSeeds, readerSeeds, type Seed } from './seeds.js';

export type Target = 'reader' | 'job';

export interface Case {
  readonly target: Target;
  /** `seed 17 (csv-pipes.csv)`, for people. */
  readonly label: string;
  /** Decides how it is read: `.xlsx`, `.csv`, `.tsv`, `.txt`, `.yaml`. */
  readonly extension: string;
  readonly bytes: Buffer;
  /** What it was made from. */
  readonly from: Seed;
  /** Names of the parts of `from` that are in it unchanged; none where the package as a whole was changed. */
  readonly intact: ReadonlySet<string>;
  /** For choices of the check itself. */
  readonly random: Random;
}

const LARGE = 700_000;
const NONE: ReadonlySet<string> = new Set();

/** Makes cases; the same seed and number give the same case wherever the same files are. */
export class CaseMaker {
  readonly #target: Target;
  readonly #seed: string;
  readonly #workbooks: readonly Seed[];
  /** Unpacked they are so large that a case takes a hundred times as long. */
  readonly #large: readonly Seed[];
  readonly #texts: readonly Seed[];
  readonly #jobs: readonly Seed[];

  constructor(target: Target, seed: string, root: string) {
    this.#target = target;
    this.#seed = seed;
    const files = target === 'reader' ? readerSeeds(root) : [];
    const workbooks = files.filter((it) => it.name.endsWith('.xlsx'));
    this.#workbooks = workbooks.filter((it) => unpackedSize(it) <= LARGE);
    this.#large = workbooks.filter((it) => unpackedSize(it) > LARGE);
    this.#texts = files.filter((it) => !it.name.endsWith('.xlsx'));
    this.#jobs = target === 'job' ? jobSeeds(root) : [];
  }

  get seeds(): readonly Seed[] {
    return [...this.#workbooks, ...this.#large, ...this.#texts, ...this.#jobs];
  }

  make(number: number): Case {
    const random = new Random(`${this.#target} ${this.#seed} ${number}`);
    if (this.#target === 'job') return this.#yaml(random, number);
    return random.chance(0.75) ? this.#workbook(random, number) : this.#text(random, number);
  }

  #workbook(random: Random, number: number): Case {
    const large = this.#large.length > 0 && random.chance(0.01);
    const from = random.pick(large ? this.#large : this.#workbooks);
    const { entries } = from;
    const made =
      entries && random.chance(0.75)
        ? mutateParts(random, entries, random.pick(this.#workbooks).entries ?? entries)
        : { bytes: mutatePackageBytes(random, from.bytes), intact: NONE };
    return this.#case(random, number, from, made.bytes, made.intact);
  }

  #text(random: Random, number: number): Case {
    const from = random.pick(this.#texts);
    return this.#case(random, number, from, mutateCsv(random, from.bytes), NONE);
  }

  #yaml(random: Random, number: number): Case {
    const from = random.pick(this.#jobs);
    return this.#case(
      random,
      number,
      from,
      mutateYaml(random, from.bytes, random.pick(this.#jobs).bytes),
      NONE,
    );
  }

  #case(random: Random, number: number, from: Seed, bytes: Buffer, intact: ReadonlySet<string>): Case {
    const label = `${this.#target} case ${number} (from ${from.name})`;
    return { target: this.#target, label, extension: path.extname(from.name), bytes, from, intact, random };
  }
}

function unpackedSize(seed: Seed): number {
  return (seed.entries ?? []).reduce((sum, it) => sum + it.data.length, 0);
}

/** The repository's folder, from here and from a bundle that was given another. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
