import { createHash, type Hash } from 'node:crypto';
import path from 'node:path';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import { type PlanLine, type PlanVerdict, planLines, planVerdicts } from '../../ledger/plan-lines.js';
import { packSettings } from '../../ledger/stored-settings.js';
import type { Json, JsonObject } from '../../model/json.js';
import { type RunSettings, type StepsSettings, unpackAny } from '../settings.js';
import { hasSteps, stepRunsOf } from '../step-runs.js';

/** Version of the hashed content and its encoding. */
const FORMAT = 'license-sync plan 1';

/**
 * The digest of a stored plan, in hex: of the job, the connection and the input, and of every row, request and verdict.
 * Independent of the user, the time, the folder and the kind of ledger; any edit changes it. Streams, so that memory
 * does not grow with the plan.
 * @param before name of the step that a run is about to begin, planned with the results of earlier steps; never set for
 * a plan
 */
export async function planHash(
  ledger: Pick<Ledger, 'runs' | 'upkeep'>,
  run: Run,
  before?: string,
): Promise<string> {
  const parts = hasSteps(run)
    ? (await stepRunsOf(ledger, run)).map((step) => ({ name: step.step.name, run: step.run?.id }))
    : [{ name: '', run: run.id }];
  const hash = new PlanHash(unpackAny(run.settings), run.inputSha256);
  for (const { name, run: part } of parts) {
    hash.part(name);
    if (part === undefined) continue;
    for await (const page of planLines(ledger, part)) hash.lines(page);
    for await (const page of planVerdicts(ledger, part)) hash.verdicts(page);
  }
  if (before !== undefined) hash.part(`before ${before}`);
  return hash.digest();
}

/** The digest of records that the caller passes in. */
export class PlanHash {
  readonly #hash: Hash;

  /**
   * @param settings as the ledger stores them
   * @param inputSha256 digest of the input's bytes
   */
  constructor(settings: RunSettings | StepsSettings, inputSha256: string) {
    this.#hash = createHash('sha256');
    this.#hash.update(texts([FORMAT, inputSha256, canonical(portable(settings))]));
  }

  /** The following records belong to this step; `''` in a run of one operation. */
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

/** Concatenates texts, each with its length, so that different lists give different texts. */
function texts(all: readonly string[]): string {
  return `${all.map((text) => `${text.length}:${text}`).join('')}\n`;
}

/** The message's code. Its parameters may name other runs of this ledger. */
function codeOf(json: string | undefined): string {
  if (json === undefined) return '';
  const parsed = JSON.parse(json) as string | { readonly code: string };
  return typeof parsed === 'string' ? parsed : parsed.code;
}

/** The settings of a run that decide what is sent; without file locations and the user who began it. */
function portable({ job, connection, ...settings }: RunSettings | StepsSettings): Json {
  const { file: _, output: _output, source, parts, ...rest } = job;
  const { file: _input, ...read } = source;
  const { begunBy: _begunBy, import: _import, retry, corrections, plannedCanary, ...others } = settings;
  const packed = packSettings({
    ...others,
    ...(plannedCanary === undefined ? {} : { canary: plannedCanary || undefined }),
    ...(corrections ? { corrections: { sha256: corrections.sha256 } } : {}),
    ...(retry ? { retry: { rows: retry.rows, unknown: retry.unknown } } : {}),
    job: { ...rest, source: read, parts: parts?.sha256 } as never,
    connection,
  });
  return withoutPlaces(packed);
}

/** Without positions in the job file, whose digest is included, and with only the name of a secret's file. */
function withoutPlaces(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutPlaces);
  if (typeof value !== 'object' || value === null) return value;
  const cleaned: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value as JsonObject)) {
    if (member === undefined || (name === 'at' && isPosition(member))) continue;
    const isFile = name === 'path' && typeof member === 'string' && (value as JsonObject).kind === 'file';
    cleaned[name] = isFile ? path.basename(member) : withoutPlaces(member);
  }
  return cleaned;
}

function isPosition(value: Json): boolean {
  return typeof value === 'object' && value !== null && 'line' in value && 'column' in value;
}

/** JSON text with members sorted by name. */
function canonical(value: Json): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
