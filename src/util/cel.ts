import { type ASTNode, Environment } from '@marcbachmann/cel-js';
import { UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { type Message, message } from '../errors/message.js';
import {
  budgetOfEvaluation,
  countSteps,
  EvaluationFailure,
  type StepBudget,
  withinBudget,
} from './cel-budget.js';
import { registerStrictNumbers, useStrictNumbers } from './cel-pattern.js';

/**
 * The kinds of variables in an expression.
 * - row: column name to the cell's text; only `row["Column"]` with a constant name, so that an unknown column is
 *   found before any row is read and only the used columns are collected
 * - record: names to values of any kind, read as `name.field`
 */
type CelVariable = 'row' | 'record';

export type CelValue = string | number | bigint | boolean | null | readonly CelValue[];

type CelResult =
  | { readonly ok: true; readonly value: CelValue }
  /** `detail`: one sentence; the evaluator's own are English. */
  | { readonly ok: false; readonly detail: Message | string };

/** Values of the variables. Rows and records are Maps, so that no column name is special. */
type CelContext = Readonly<Record<string, ReadonlyMap<string, unknown>>>;

export type CompiledCel =
  | {
      readonly ok: true;
      /** Distinct columns in order of first mention, spelled as in the expression. */
      readonly columns: readonly string[];
      /** Every mention; `offset` in UTF-16 units into the expression. */
      readonly mentions: readonly { readonly column: string; readonly offset: number }[];
      /** Fields of records that are read, `assignStatus.id` as two steps; `offset` as above. */
      readonly fields: readonly CelField[];
      /** Parts `record["X"] == row["Y"]` without which the whole cannot be true. */
      readonly equalities: readonly CelEquality[];
      /** Constant texts that a column is compared with by `==` or `in`, anywhere in the expression. */
      readonly comparisons: readonly { readonly column: string; readonly text: string }[];
      /**
       * Integers are numbers, or bigints beyond 2^53; timestamps are ISO 8601 text in UTC. Every column of `columns`
       * must be in the context's row, as the empty text if the cell is empty.
       * @param budget shared with other evaluations; a new one if omitted
       */
      evaluate(context: CelContext, budget?: StepBudget): CelResult;
    }
  | RefusedCel;

export interface CelField {
  readonly record: string;
  /** As far as the names are constant; at least one. */
  readonly path: readonly string[];
  readonly offset: number;
}

interface CelEquality {
  readonly path: readonly string[];
  readonly column: string;
}

interface CelOptions {
  readonly variables: Readonly<Record<string, CelVariable>>;
  /** bool: only conditions are accepted. The type of a record's field is known only when it is read. */
  readonly result?: 'bool' | 'any';
}

// An expression in a job file is a line or two; these limits stop a huge one before it costs time.
const LIMITS = {
  maxAstNodes: 2000,
  maxDepth: 60,
  maxListElements: 500,
  maxMapEntries: 100,
  maxCallArguments: 16,
} as const;

const TYPES: Readonly<Record<CelVariable, string>> = {
  row: 'map<string, string>',
  record: 'map<string, dyn>',
};

/** Result types that no field and no condition accepts. */
const USELESS = /^(map\b|bytes$|type$|optional\b|google\.protobuf\.Duration$)/;

/** Parses and type-checks an expression (contract section 4: `expr`, `where`, `when`). Never throws. */
export function compileCel(source: string, options: CelOptions): CompiledCel {
  const environment = new Environment({ limits: LIMITS, homogeneousAggregateLiterals: true });
  for (const [name, kind] of Object.entries(options.variables))
    environment.registerVariable(name, TYPES[kind]);
  registerStrictNumbers(environment);
  let program: ReturnType<Environment['parse']>;
  try {
    program = environment.parse(source);
  } catch (error) {
    return refusal(error);
  }
  const found = findColumns(program.ast, options.variables);
  if (!found.ok) return found;
  useStrictNumbers(program.ast);
  const checked = program.check();
  if (!checked.valid) return refusal(checked.error);
  const type = checked.type ?? 'dyn';
  const isUnknown = type === 'dyn' && Object.values(options.variables).includes('record');
  if (options.result === 'bool' && type !== 'bool' && !isUnknown)
    return refused(message('expression.no_condition', { type: plainType(type) }));
  if (USELESS.test(type)) return refused(message('expression.useless', { type: plainType(type) }));
  const counted = countSteps(program.ast);
  if ('refused' in counted) return refused(counted.refused, counted.offset);
  const run = (context: CelContext): unknown => program(context as Record<string, unknown>);
  return {
    ok: true,
    columns: [...new Set(found.mentions.map((mention) => mention.column))],
    mentions: found.mentions,
    fields: found.fields,
    equalities: requiredEqualities(program.ast, options.variables),
    comparisons: comparedTexts(program.ast, options.variables),
    evaluate(context, budget) {
      try {
        return plainValue(
          counted.counts ? withinBudget(budget ?? budgetOfEvaluation(), () => run(context)) : run(context),
        );
      } catch (error) {
        return {
          ok: false,
          detail: error instanceof EvaluationFailure ? error.detail : refusal(error).detail,
        };
      }
    },
  };
}

/** An invalid expression, with the position of the error. */
interface RefusedCel {
  readonly ok: false;
  readonly detail: Message | string;
  /** In UTF-16 units. */
  readonly offset: number;
}

function refused(detail: Message | string, offset = 0): RefusedCel {
  return { ok: false, detail, offset };
}

function refusal(error: unknown): RefusedCel {
  const failure = error as { summary?: unknown; message?: unknown; range?: { start?: unknown } } | undefined;
  const detail = typeof failure?.summary === 'string' ? failure.summary : String(failure?.message ?? error);
  return refused(detail, typeof failure?.range?.start === 'number' ? failure.range.start : 0);
}

function plainType(type: string): string {
  return type.replace('google.protobuf.', '').toLowerCase();
}

function plainValue(value: unknown): CelResult {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return { ok: true, value };
    case 'number':
      return Number.isFinite(value)
        ? { ok: true, value }
        : { ok: false, detail: message('expression.not_a_number', { value: String(value) }) };
    case 'bigint':
      return { ok: true, value: Number.isSafeInteger(Number(value)) ? Number(value) : value };
  }
  if (value === null) return { ok: true, value: null };
  if (value instanceof UnsignedInt) return plainValue(value.value);
  if (value instanceof Date) {
    return Number.isNaN(value.getTime())
      ? { ok: false, detail: message('expression.no_time') }
      : { ok: true, value: value.toISOString() };
  }
  if (Array.isArray(value)) {
    const list: CelValue[] = [];
    for (const element of value) {
      const plain = plainValue(element);
      if (!plain.ok) return plain;
      list.push(plain.value);
    }
    return { ok: true, value: list };
  }
  return { ok: false, detail: message('expression.no_value') };
}

type Found =
  | {
      readonly ok: true;
      readonly mentions: { readonly column: string; readonly offset: number }[];
      readonly fields: CelField[];
    }
  | RefusedCel;

/**
 * Collects `row["X"]` and `row.X` (any other use of a row, by a computed name or as a whole, is refused), and the
 * fields of records.
 */
function findColumns(root: ASTNode, variables: CelOptions['variables']): Found {
  const mentions: { column: string; offset: number }[] = [];
  const fields: CelField[] = [];
  const isRow = (node: ASTNode) => node.op === 'id' && variables[node.args] === 'row';
  const pending: ASTNode[] = [root];
  while (pending.length > 0) {
    const node = pending.pop()!;
    if (node.op === '.' && isRow(node.args[0])) {
      mentions.push({ column: node.args[1], offset: node.start });
      continue;
    }
    if (node.op === '[]' && isRow(node.args[0])) {
      const name = node.args[1];
      if (name.op === 'value' && typeof name.args === 'string') {
        mentions.push({ column: name.args, offset: node.start });
        continue;
      }
      return refused(message('expression.column_name'), name.start);
    }
    if (isRow(node)) return refused(message('expression.whole_row', { name: String(node.args) }), node.start);
    const field = fieldOf(node, variables);
    if (field) {
      fields.push(field);
      continue;
    }
    if (node.op === 'id' && variables[node.args] === 'record') {
      return refused(message('expression.whole_record', { name: String(node.args) }), node.start);
    }
    // Pushed in reverse, so that they are processed in the order of the expression.
    pending.push(...childrenOf(node.args).reverse());
  }
  return { ok: true, mentions, fields };
}

/** `record.a.b` or `record["a"]`, from its outermost step; undefined for anything else. */
function fieldOf(node: ASTNode, variables: CelOptions['variables']): CelField | undefined {
  const path: string[] = [];
  let at = node;
  while (at.op === '.' || at.op === '[]') {
    const [owner, step]: [ASTNode, unknown] = at.args;
    const name = typeof step === 'string' ? step : constantText(step as ASTNode);
    if (name === undefined) return undefined;
    path.unshift(name);
    at = owner;
  }
  if (at.op !== 'id' || variables[at.args] !== 'record' || path.length === 0) return undefined;
  return { record: at.args, path, offset: at.start };
}

/** `a == b`, in either order, at the top or in a conjunction there, of a record's field and a row's column. */
function requiredEqualities(root: ASTNode, variables: CelOptions['variables']): CelEquality[] {
  if (root.op === '&&') return root.args.flatMap((part: ASTNode) => requiredEqualities(part, variables));
  if (root.op !== '==') return [];
  const [left, right]: [ASTNode, ASTNode] = root.args;
  const field = fieldOf(left, variables) ?? fieldOf(right, variables);
  const column = columnOf(left, variables) ?? columnOf(right, variables);
  return field && column !== undefined ? [{ path: field.path, column }] : [];
}

function comparedTexts(root: ASTNode, variables: CelOptions['variables']) {
  const found: { column: string; text: string }[] = [];
  const pending: ASTNode[] = [root];
  while (pending.length > 0) {
    const node = pending.pop()!;
    if (node.op === '==' || node.op === 'in') {
      const [left, right]: [ASTNode, ASTNode] = node.args;
      const column = comparedColumn(left, variables) ?? comparedColumn(right, variables);
      for (const it of [left, right].flatMap((side) =>
        side.op === 'list' ? (side.args as ASTNode[]) : [side],
      )) {
        const text = constantText(it);
        if (column !== undefined && text !== undefined) found.push({ column, text });
      }
    }
    pending.push(...childrenOf(node.args).reverse());
  }
  return found;
}

/** The column, also within calls of its own functions, as in `row["X"].trim()`. */
function comparedColumn(node: ASTNode, variables: CelOptions['variables']): string | undefined {
  return node.op === 'rcall' ? comparedColumn(node.args[1], variables) : columnOf(node, variables);
}

/** The column of `row["X"]` or `row.X`; undefined for anything else. */
function columnOf(node: ASTNode, variables: CelOptions['variables']): string | undefined {
  if (node.op !== '.' && node.op !== '[]') return undefined;
  const [owner, step]: [ASTNode, unknown] = node.args;
  if (owner.op !== 'id' || variables[owner.args] !== 'row') return undefined;
  return typeof step === 'string' ? step : constantText(step as ASTNode);
}

function constantText(node: ASTNode): string | undefined {
  return node.op === 'value' && typeof node.args === 'string' ? node.args : undefined;
}

function childrenOf(args: unknown): ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(childrenOf);
  if (args !== null && typeof args === 'object' && 'op' in args) return [args as ASTNode];
  return [];
}
