import { seededRandom } from '../../../src/sandbox/faults.js';

/** What a person does with a sheet, one after the other, and about how long each takes on a machine that does little else. */
const STAGES = {
  upload: 900,
  check: 2200,
  correct: 700,
  'check again': 3500,
  plan: 2500,
  request: 300,
  approve: 300,
  send: 3000,
} as const;

export type ImportStage = keyof typeof STAGES;

/** Milliseconds. */
export type StageTimes = Readonly<Record<ImportStage, number>>;

const STAGE_NAMES = Object.keys(STAGES) as ImportStage[];

export interface ConsoleKill {
  readonly stage: ImportStage;
  /** Milliseconds after the stage began. */
  readonly afterMs: number;
  /** The console's children as well, as when the machine goes down. */
  readonly children: boolean;
}

/** An import on whose way the console is killed. */
export interface ImportStory {
  readonly seed: number;
  readonly orders: number;
  readonly kills: readonly ConsoleKill[];
}

/** Each stage in its turn, and up to two others, at moments of the seed. @param took how long the stages take here */
export function importStory(seed: number, orders: number, took: StageTimes = STAGES): ImportStory {
  const random = seededRandom(Math.imul(seed + 31, 0x9e3779b1));
  const stages = new Set([STAGE_NAMES[seed % STAGE_NAMES.length]!]);
  for (let more = Math.floor(random() * 3); more > 0; more -= 1)
    stages.add(STAGE_NAMES[Math.floor(random() * STAGE_NAMES.length)]!);
  const kills = STAGE_NAMES.filter((it) => stages.has(it)).map((stage) => ({
    stage,
    afterMs: Math.floor(random() * took[stage]),
    children: random() < 0.5,
  }));
  return { seed, orders, kills };
}

/** The same without kills. */
export function calmStory(seed: number, orders: number): ImportStory {
  return { seed, orders, kills: [] };
}
