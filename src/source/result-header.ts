/** First columns of every result file (contract section 6), in order. */
const LEADING = ['row', 'status', 'licenseOrderId', 'code', 'message'];
/** Last of the result columns. */
const CLOSING = ['attempts', 'run'];
/** First columns of the result of a job of steps (contract section 9), and what follows for each step: `order.status`. */
const LEADING_STEPS = ['row', 'status', 'licenseOrderId', 'step'];
const OF_STEP = ['.status', '.code', '.message'];

/** First headers of results of runs, of jobs with steps and of comparisons (contract sections 6, 8 and 9). */
const FIRST = ['row', 'status'];
const THIRD = new Set(['licenseOrderId', 'differences']);

/** Whether these are the leading headers of a result of this program. @param texts by column, from the first */
export function beginsLikeResult(texts: readonly (string | undefined)[]): boolean {
  return FIRST.every((name, at) => texts[at] === name) && THIRD.has(texts[FIRST.length] ?? '');
}

/** Names that result columns may bear beyond those of every result. */
export interface AddedColumns {
  /** What operations may add after `message`. */
  readonly resultColumns: readonly string[];
  /** For each operation, what a step that carries it may add after its `.message`, without the step's name. */
  readonly stepResults?: readonly (readonly string[])[];
}

/**
 * How many columns of a header row are result columns; 0 if the file is no result of this program. A source column with
 * the name of a result column comes after them and remains a source column. Steps are known by the form of their columns:
 * the job may have other steps by now.
 * @param texts by column, from the first
 */
export function resultColumnCount(texts: readonly string[], added: AddedColumns): number {
  const begins = (leading: readonly string[]): boolean => leading.every((name, at) => texts[at] === name);
  if (begins(LEADING_STEPS)) return stepColumnCount(texts, added.stepResults ?? []);
  if (!begins(LEADING)) return 0;
  const known = new Set(added.resultColumns);
  for (let index = LEADING.length; index < texts.length; index += 1) {
    if (texts[index] === CLOSING[0] && texts[index + 1] === CLOSING[1]) return index + CLOSING.length;
    if (!known.has(texts[index]!)) return 0;
  }
  return 0;
}

/** First columns of the sheets that pulls write, of assets and of customers. Their other columns follow. */
const PULLED = [
  ['enterpriseGlobalId', 'id', 'licenseType', 'assetNum', 'grantable'],
  ['customerId', 'channelCode', 'channelCustomerId', 'enterpriseGlobalId', 'enterpriseName', 'isDefault'],
];

/** Whether a header row is that of a pulled sheet: as text it is guarded against formulas, like a result. */
export function isPulledHeader(texts: readonly string[]): boolean {
  return PULLED.some((names) => names.every((name, at) => texts[at] === name));
}

function stepColumnCount(texts: readonly string[], stepResults: readonly (readonly string[])[]): number {
  let end = LEADING_STEPS.length;
  const steps = new Set<string>();
  for (;;) {
    const step = stepAt(texts, end);
    // A step's columns come once: the same ones again are the source's own.
    if (step === undefined || steps.has(step)) break;
    steps.add(step);
    end += OF_STEP.length;
    end += resultsAt(texts, end, `${step}.`, stepResults);
  }
  return steps.size === 0 ? 0 : end;
}

/** The step whose columns begin here. */
function stepAt(texts: readonly string[], from: number): string | undefined {
  const first = texts[from];
  const [status = ''] = OF_STEP;
  if (first === undefined || first.length === status.length || !first.endsWith(status)) return undefined;
  const name = first.slice(0, -status.length);
  return OF_STEP.every((ending, at) => texts[from + at] === name + ending) ? name : undefined;
}

/** How many columns from here are results of the step: as many as one operation has among its results, each once. */
function resultsAt(
  texts: readonly string[],
  from: number,
  prefix: string,
  stepResults: readonly (readonly string[])[],
): number {
  const taken = new Set<string>();
  for (let index = from; index < texts.length; index += 1) {
    const text = texts[index]!;
    if (!text.startsWith(prefix)) break;
    const name = text.slice(prefix.length);
    if (taken.has(name)) break;
    taken.add(name);
    const isOfOne = stepResults.some((names) => [...taken].every((it) => names.includes(it)));
    if (!isOfOne) return index - from;
  }
  return taken.size;
}
