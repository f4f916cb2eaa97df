import { type Problem, problemAt } from '../problem.js';
import type { MapEntry, Node, Place, ScalarNode } from '../yaml/node.js';
import { typeScalar } from '../yaml/scalar.js';

/** `$(name)` in a value of a fragment; `$$(` is a literal `$(`. */
const MARK = /\$\$\(|\$\(([^()]*)(\)?)/g;
const NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

/** A parameter in the use of a fragment, and whether the fragment reads it. */
interface GivenParameter {
  readonly entry: MapEntry;
  readonly value: ScalarNode;
  isUsed: boolean;
}

/** Fills the parameters of a fragment for one use, and adds the position of that use to its nodes. */
export class ParameterFilling {
  readonly #given: ReadonlyMap<string, GivenParameter>;
  readonly #usedAt: Place;
  readonly #problems: Problem[];
  /** Parameters without a value, with the position of the first mention. */
  readonly missing = new Map<string, Place>();

  constructor(given: ReadonlyMap<string, GivenParameter>, usedAt: Place, problems: Problem[]) {
    this.#given = given;
    this.#usedAt = usedAt;
    this.#problems = problems;
  }

  /** Number of nodes processed. */
  nodes = 0;

  /** The node with every `$(name)` in its values replaced; keys are not changed. */
  fill(node: Node): Node {
    this.nodes += 1;
    switch (node.kind) {
      case 'scalar':
        return this.#scalar(node);
      case 'list':
        return { ...node, place: this.#at(node.place), items: node.items.map((item) => this.fill(item)) };
      case 'mapping': {
        const entries = new Map<string, MapEntry>();
        for (const [name, { key, keyPlace, value }] of node.entries)
          entries.set(name, { key, keyPlace: this.#at(keyPlace), value: this.fill(value) });
        return { ...node, place: this.#at(node.place), entries };
      }
    }
  }

  #at(place: Place): Place {
    return { ...place, usedAt: this.#usedAt };
  }

  #scalar(node: ScalarNode): ScalarNode {
    const { written } = node;
    const placeAt = (index: number) => this.#at(node.placeAt(index));
    const moved: ScalarNode = { ...node, place: this.#at(node.place), placeAt };
    if (!written.includes('$(') || typeof node.value !== 'string') return moved;
    const origin: number[] = [];
    let text = '';
    let from = 0;
    let substituted = node.substituted;
    let only: ScalarNode | undefined;
    const append = (part: string, at: (index: number) => number) => {
      for (let index = 0; index < part.length; index += 1) origin.push(at(index));
      text += part;
    };
    for (const match of written.matchAll(MARK)) {
      const { index } = match;
      const start = from;
      append(written.slice(start, index), (offset) => start + offset);
      from = index + match[0].length;
      if (match[0] === '$$(') {
        append('$(', () => index);
        continue;
      }
      const value = this.#parameter(match[1] ?? '', match[2] === ')', match[0], placeAt(index));
      if (!value) continue;
      append(value.written, () => index);
      substituted ||= value.substituted;
      if (match[0] === written) only = value;
    }
    const last = from;
    append(written.slice(last), (offset) => last + offset);
    const plain = only ? only.plain && node.plain : node.plain;
    const typed = plain ? (typeScalar(text) ?? text) : text;
    return {
      ...moved,
      written: text,
      value: typed,
      plain,
      substituted,
      placeAt: (index) => placeAt(origin[Math.min(index, origin.length - 1)] ?? 0),
    };
  }

  #parameter(name: string, closed: boolean, found: string, place: Place): ScalarNode | undefined {
    if (!closed || !NAME.test(name)) {
      this.#problems.push(problemAt(place, 'job.bad_parameter', { found }));
      return undefined;
    }
    const given = this.#given.get(name);
    if (!given) {
      if (!this.missing.has(name)) this.missing.set(name, place);
      return undefined;
    }
    given.isUsed = true;
    return given.value;
  }
}

const OPEN = '\uFDD2';
const CLOSE = '\uFDD3';

/**
 * An environment in which each variable has its own name as value, within marks that no text may contain. A job that is read
 * with it shows the names of variables and never a value that may be secret.
 */
export const MASKED_VARIABLES: NodeJS.ProcessEnv = new Proxy<NodeJS.ProcessEnv>(
  {},
  {
    get: (_, name) => `${OPEN}${String(name)}${CLOSE}`,
    getOwnPropertyDescriptor: (_, name) => ({
      value: `${OPEN}${String(name)}${CLOSE}`,
      configurable: true,
      enumerable: true,
    }),
  },
);

const MARKED = new RegExp(`${OPEN}([^${CLOSE}]*)${CLOSE}`, 'g');

/** The distinct names of the variables in a masked text. */
export function variablesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(MARKED)].map(([, name]) => name ?? ''))];
}

/** The text in the syntax of a job file: `${NAME}` for a variable, `$${` for `${`. */
export function withVariableNames(text: string): string {
  return text.replaceAll('${', () => '$${').replaceAll(MARKED, (_, name: string) => `\${${name}}`);
}
