import { Cron } from 'croner';
import type { LocalMs } from './zoned-time.js';

/** The five fields of a cron expression, in their order. */
export const CRON_FIELDS = ['minute', 'hour', 'day', 'month', 'weekday'] as const;

export type CronField = (typeof CRON_FIELDS)[number];

/**
 * The wall-clock times of a cron expression, without a zone. The zone determines the instants, and whether they exist.
 */
export interface CronTimes {
  readonly text: string;
  /** The first one later than `local`. */
  after(local: LocalMs): LocalMs | undefined;
  /** The last one earlier than `local`. */
  before(local: LocalMs): LocalMs | undefined;
}

export type CronFault =
  /** The expression does not have five fields. */
  | { readonly kind: 'fields' }
  /** `offset`: start of the field in the text. */
  | { readonly kind: 'field'; readonly field: CronField; readonly text: string; readonly offset: number }
  /** No calendar has such a day: 30 February. */
  | { readonly kind: 'never' };

type CronReading =
  | { readonly ok: true; readonly times: CronTimes }
  | { readonly ok: false; readonly fault: CronFault };

/** Any start works: whether an expression ever matches does not depend on it, as leap days recur. */
const SOME_TIME = Date.UTC(2024, 0, 1);

/** Parses a cron expression of five fields; `*`, lists, ranges, steps, names, `L`, `W` and `#` are those of croner. */
export function readCron(text: string): CronReading {
  const fields = [...text.matchAll(/\S+/g)];
  if (fields.length !== CRON_FIELDS.length) return { ok: false, fault: { kind: 'fields' } };
  const cron = compile(text);
  if (!cron) {
    const at = fields.findIndex(([field], index) => !compile(singleFieldExpression(field, index)));
    const found = fields[at];
    const field = CRON_FIELDS[at];
    if (!found || !field) return { ok: false, fault: { kind: 'fields' } };
    return { ok: false, fault: { kind: 'field', field, text: found[0], offset: found.index } };
  }
  const times = new CronerTimes(text.trim(), cron);
  return times.after(SOME_TIME) === undefined ? { ok: false, fault: { kind: 'never' } } : { ok: true, times };
}

/** An expression that restricts only one field. */
function singleFieldExpression(field: string, index: number): string {
  return CRON_FIELDS.map((_, at) => (at === index ? field : '*')).join(' ');
}

function compile(text: string): Cron | undefined {
  try {
    // In UTC every wall-clock time exists once, so croner's rules for clock changes never apply.
    return new Cron(text.trim(), { mode: '5-part', utcOffset: 0, paused: true });
  } catch {
    return undefined;
  }
}

class CronerTimes implements CronTimes {
  readonly text: string;
  readonly #cron: Cron;

  constructor(text: string, cron: Cron) {
    this.text = text;
    this.#cron = cron;
  }

  after(local: LocalMs): LocalMs | undefined {
    return this.#cron.nextRun(new Date(local))?.getTime();
  }

  before(local: LocalMs): LocalMs | undefined {
    return this.#cron.previousRuns(1, new Date(local))[0]?.getTime();
  }
}
