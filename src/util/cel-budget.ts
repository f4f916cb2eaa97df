import type { ASTNode } from '@marcbachmann/cel-js';
import { type Message, message } from '../errors/message.js';
import { compilePattern, estimatedSize, patternOfRow } from './cel-pattern.js';

/*
 * The cost of an evaluation, counted in steps and never in time: the same row is valid or not on every machine. The
 * evaluator limits the length of an expression, and each part runs once unless a macro repeats it. So an expression
 * without macros counts only functions whose time is a product of lengths; most expressions count nothing.
 *
 * This file uses private parts of the evaluator (test/dependencies.test.ts checks them): checked nodes have a `handle`
 * that computes them from their operands, and a macro is replaced by a comprehension.
 */

/** Steps of one evaluation; about a tenth of a second. One step evaluates about one part of an expression. */
const STEPS = 2_000_000;
/** Steps of one lookup's condition over all records of a reply. */
const STEPS_OF_A_SELECTION = 20 * STEPS;
/** Characters copied or compared in one step. */
const CHARACTERS = 16;
/** Instructions of a pattern times characters matched in one step. */
const MATCHED = 8;
/** Steps to compile an instruction of a pattern from a row. */
const COMPILED = 100;
/** Steps of a time of day in another zone, which uses the system's calendar. */
const ZONED = 1000;
/** Maximum depth of nested lists in compared values and results. */
const DEEPEST = 50;

/** Functions that look for a text in a text. */
const SEARCHES: ReadonlySet<string> = new Set(['contains', 'indexOf', 'lastIndexOf', 'split']);
/** Functions whose time may be a product of lengths. */
const PRODUCTS: ReadonlySet<string> = new Set([...SEARCHES, 'join', 'duration']);

/** The remaining steps of an evaluation, or of several that share them. */
export interface StepBudget {
  readonly limit: number;
  left: number;
}

export const budgetOfEvaluation = (): StepBudget => ({ limit: STEPS, left: STEPS });
export const budgetOfSelection = (): StepBudget => ({
  limit: STEPS_OF_A_SELECTION,
  left: STEPS_OF_A_SELECTION,
});

export class EvaluationFailure extends Error {
  readonly detail: Message;

  constructor(detail: Message) {
    super(detail.code);
    this.detail = detail;
  }
}

/** Evaluations are synchronous, so there is one at a time. */
let current: StepBudget = budgetOfEvaluation();

/**
 * Runs an evaluation within a budget.
 * @throws EvaluationFailure if more steps were necessary, also if `||` or a macro swallowed that error
 */
export function withinBudget<T>(budget: StepBudget, evaluate: () => T): T {
  current = budget;
  let value: T;
  const { stackTraceLimit } = Error;
  // Macros and `||` swallow hundreds of thousands of errors. Their unused stacks would take most of the time.
  Error.stackTraceLimit = 0;
  try {
    value = evaluate();
    if (Array.isArray(value)) spendDeep(value, 0);
  } catch (error) {
    if (budget.left >= 0) throw error;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  if (budget.left < 0) throw new EvaluationFailure(message('expression.budget', { limit: budget.limit }));
  return value!;
}

// A single error object, as creating its unused stack each time would be expensive.
const EXCEEDED = new Error('no steps are left');

function spend(steps: number): void {
  current.left -= steps;
  if (current.left < 0) throw EXCEEDED;
}

/** Counts copying a value or walking it once; nested lists are not copied. */
function spendOn(value: unknown): void {
  if (typeof value === 'string') spend(value.length / CHARACTERS);
  else if (Array.isArray(value)) spend(value.length);
  else if (value instanceof Uint8Array) spend(value.length / CHARACTERS);
}

/** Counts comparing a value: all its parts, once for each occurrence. */
function spendDeep(value: unknown, depth: number): void {
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) {
    spendOn(value);
    return;
  }
  if (depth >= DEEPEST) spend(Number.POSITIVE_INFINITY);
  const parts = Array.isArray(value) ? value : value instanceof Map ? value.values() : Object.values(value);
  for (const part of parts) {
    spend(1);
    spendDeep(part, depth + 1);
  }
}

/** A checked node, with the private parts in use. */
interface Node {
  readonly op: string;
  readonly args: unknown;
  readonly start: number;
  readonly meta: { readonly alternate?: Node };
  handle: (...operands: never[]) => unknown;
}

interface Comprehension {
  condition?: (accumulated: unknown) => unknown;
}

type Counted =
  /** False if nothing is counted: no budget is needed. */
  { readonly counts: boolean } | { readonly refused: Message; readonly offset: number };

/** Makes a checked expression count its steps, and `matches()` linear. */
export function countSteps(root: ASTNode): Counted {
  const nodes = withDescendants(root as unknown as Node);
  const repeats = nodes.some((it) => it.meta.alternate?.op === 'comprehension' || nameOf(it) === 'bind');
  let counts = repeats;
  for (const node of nodes) {
    const macro = node.meta.alternate;
    const name = nameOf(node);
    if (macro?.op === 'comprehension')
      countMacro(macro, withDescendants(...nodesIn(macroArguments(node))).length);
    else if (name === 'matches') {
      const refused = matchLinearly(node);
      if (refused) return refused;
      counts = true;
    } else if (name !== undefined && (repeats || PRODUCTS.has(name) || name.startsWith('get'))) {
      countCall(node, name);
      counts = true;
    } else if (repeats) countOperator(node);
  }
  return { counts };
}

function nameOf({ op, args }: Node): string | undefined {
  return op === 'call' || op === 'rcall' ? (args as [string])[0] : undefined;
}

function macroArguments({ args }: Node): unknown {
  return (args as [string, Node, readonly Node[]])[2];
}

function withDescendants(...nodes: readonly Node[]): readonly Node[] {
  return nodes.flatMap((it) => [it, ...withDescendants(...nodesIn(it.args))]);
}

/** Steps of one iteration of a macro, besides its nodes. */
const ITERATION = 3;

/** @param size number of nodes that one iteration evaluates */
function countMacro(macro: Node, size: number): void {
  const args = macro.args as Comprehension;
  const continues = args.condition;
  args.condition = (accumulated) => {
    spend(size + ITERATION);
    return continues ? continues(accumulated) : true;
  };
  before(macro, (items) => {
    // The keys of a map are copied; a list is not.
    if (items instanceof Map) spend(items.size);
    else if (items !== null && typeof items === 'object' && !Array.isArray(items))
      spend(Object.keys(items).length);
  });
}

function countOperator(node: Node): void {
  switch (node.op) {
    case '+':
      before(node, (left, right) => {
        spendOn(left);
        spendOn(right);
      });
      break;
    case 'in':
      before(node, (_, list) => {
        if (Array.isArray(list)) spendDeep(list, 0);
      });
      break;
    case '==':
    case '!=':
      before(node, (left) => spendDeep(left, 0));
      break;
    case '<':
    case '<=':
    case '>':
    case '>=':
      before(node, spendOn);
  }
}

function countCall(node: Node, name: string): void {
  const compute = node.handle as unknown as (...all: unknown[]) => unknown;
  node.handle = (...all: unknown[]) => {
    const operands = all[0] as readonly unknown[];
    for (const operand of operands) spendOn(operand);
    const [first, second] = operands;
    if (typeof second === 'string') {
      if (typeof first === 'string' && SEARCHES.has(name)) spend((first.length * second.length) / 256);
      else if (name === 'join' && Array.isArray(first)) spend((first.length * second.length) / CHARACTERS);
      else if (first instanceof Date) spend(ZONED);
    }
    if (name === 'join') spendDeep(first, 0);
    // The evaluator's own pattern for durations backtracks.
    if (name === 'duration' && typeof first === 'string') spend(first.length ** 3 / 64);
    const result = compute(...all);
    spendOn(result);
    return result;
  };
}

/** `text.matches(pattern)`: operands of other types are passed to the evaluator, which rejects them. */
function matchLinearly(node: Node): Extract<Counted, { refused: Message }> | undefined {
  const [, , [argument]] = node.args as [string, Node, [Node]];
  const constant =
    argument.op === 'value' && typeof argument.args === 'string' ? compilePattern(argument.args) : undefined;
  if (constant && 'refused' in constant) return { refused: constant.refused, offset: argument.start };
  const evaluate = node.handle as unknown as (...all: unknown[]) => unknown;
  node.handle = (...all: unknown[]) => {
    const [text, pattern] = all[0] as readonly unknown[];
    if (typeof text !== 'string' || typeof pattern !== 'string') return evaluate(...all);
    if (!constant) spend(estimatedSize(pattern) * COMPILED);
    const compiled = constant ?? patternOfRow(pattern);
    if ('refused' in compiled) throw new EvaluationFailure(compiled.refused);
    spend(1 + (text.length * compiled.size) / MATCHED);
    return compiled.test(text);
  };
  return undefined;
}

/** Calls `count` before a node is computed from its operands. */
function before(node: Node, count: (first: unknown, second: unknown) => void): void {
  const compute = node.handle as unknown as (...all: unknown[]) => unknown;
  node.handle = (first: unknown, second: unknown, third: unknown, fourth: unknown) => {
    count(first, second);
    return compute(first, second, third, fourth);
  };
}

function nodesIn(args: unknown): readonly Node[] {
  if (Array.isArray(args)) return args.flatMap(nodesIn);
  return args !== null && typeof args === 'object' && 'op' in args ? [args as Node] : [];
}
