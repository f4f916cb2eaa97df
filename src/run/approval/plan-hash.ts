import { createHash, type Hash } from 'node:crypto';
import path from 'node:path';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import { packSettings } from '../../ledger/kept-settings.js';
import { type PlanLine, type PlanVerdict, planLines, planVerdicts } from '../../ledger/plan-lines.js';
import type { Json, JsonObject } from '../../model/json.js';
import { type RunSettings, type StepsSettings, unpackAny } from '../settings.js';
import { hasSteps, stepRunsOf } from '../step-runs.js';

/** Of what is hashed, and how. */
const FORMAT = 'license-sync plan 1';

/**
 * The digest of a kept plan, in hex: of the job, the connection and the input that it was made from, and of every row, request
 * and verdict. The same whoever made it, when, in which folder and in which kind of ledger; any edit makes another one.
 * Streams: a plan of a million rows takes no more memory than a small one.
 */
export async function planHash(ledger: Pick<Ledger, 'runs' | 'upkeep'>, run: Run): Promise<string> {
  const parts = hasSteps(run)
    ? (await stepRunsOf(ledger, run)).map((it) => ({ name: it.step.name, run: it.run?.id }))
    : [{ name: '', run: run.id }];
  const hash = new PlanHash(unpackAny(run.settings), run.inputSha256);
  for (const { name, run: part } of parts) {
    hash.part(name);
    if (part === undefined) continue;
    for await (const page of planLines(ledger, part)) hash.lines(page);
    for await (const page of planVerdicts(ledger, part)) hash.verdicts(page);
  }
  return hash.digest();
}

/** The same of lines that are given to it. */
export class PlanHash {
  readonly #hash: Hash;

  /** @param settings as the ledger keeps them; @param inputSha256 of the input's bytes */
  constructor(settings: RunSettings | StepsSettings, inputSha256: string) {
    this.#hash = createHash('sha256');
    this.#hash.update(texts([FORMAT, inputSha256, canonical(portable(settings))]));
  }

  /** What follows belongs to this step; `''` in a run of one operation. */
  part(name: string): void {
    this.#hash.update(texts(['part', name]));
  }

  lines(page: readonly PlanLine[]): void {
    this.#hash.update(
      page
        .map((it) =>
          texts(['item', it.rows.join(), it.key ?? '', it.envelope, it.body, String(it.batch ?? '')]),
        )
        .join(''),
    );
  }

  verdicts(page: readonly PlanVerdict[]): void {
    this.#hash.update(
      page
        .map((it) => texts(['verdict', String(it.row), it.status, it.faults ?? '', codeOf(it.message)]))
        .join(''),
    );
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}

/** Texts one after the other, so that no two lists give the same: each has its length before it. */
function texts(all: readonly string[]): string {
  return `${all.map((it) => `${it.length}:${it}`).join('')}\n`;
}

/** Its parameters may name other runs of this ledger. */
function codeOf(json: string | undefined): string {
  if (json === undefined) return '';
  const said = JSON.parse(json) as string | { readonly code: string };
  return typeof said === 'string' ? said : said.code;
}

/** What of a run's settings decides what is sent; without where its files lie, who began it and what it is told to. */
function portable({ job, connection, ...settings }: RunSettings | StepsSettings): Json {
  const { file: _, output: _output, source, parts, ...told } = job;
  const { file: _input, ...read } = source;
  const { begunBy: _begunBy, import: _import, retry, corrections, plannedCanary, ...others } = settings;
  const kept = packSettings({
    ...others,
    ...(plannedCanary === undefined ? {} : { canary: plannedCanary || undefined }),
    ...(corrections ? { corrections: { sha256: corrections.sha256 } } : {}),
    ...(retry ? { retry: { rows: retry.rows, unknown: retry.unknown } } : {}),
    job: { ...told, source: read, parts: parts?.sha256 } as never,
    connection,
  });
  return withoutPlaces(kept);
}

/** Without lines and columns of the job file, whose bytes are known by their digest; of a secret's file only its name. */
function withoutPlaces(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutPlaces);
  if (typeof value !== 'object' || value === null) return value;
  const made: Record<string, Json> = {};
  for (const [name, it] of Object.entries(value as JsonObject)) {
    if (it === undefined || (name === 'at' && isPosition(it))) continue;
    const isFile = name === 'path' && typeof it === 'string' && (value as JsonObject).kind === 'file';
    made[name] = isFile ? path.basename(it) : withoutPlaces(it);
  }
  return made;
}

function isPosition(value: Json): boolean {
  return typeof value === 'object' && value !== null && 'line' in value && 'column' in value;
}

/** JSON text with members in order of their names. */
function canonical(value: Json): string {
  return JSON.stringify(value, (_name, it: unknown) =>
    it !== null && typeof it === 'object' && !Array.isArray(it)
      ? Object.fromEntries(Object.entries(it).sort(([a], [b]) => (a < b ? -1 : 1)))
      : it,
  );
}
