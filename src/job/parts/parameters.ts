import { type Problem, problemAt } from '../problem.js';
import type { MapEntry, Node, ScalarNode } from '../yaml/node.js';
import { typeScalar } from '../yaml/scalar.js';
import type { Place } from '../yaml/text.js';

/** `$(name)` in a value of a fragment; `$$(` stands for `$(` itself. */
const MARK = /\$\$\(|\$\(([^()]*)(\)?)/g;
const NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

/** What a use of a fragment gives: by name, where it stands, and whether the fragment takes it. */
interface GivenParameter {
  readonly entry: MapEntry;
  readonly value: ScalarNode;
  taken: boolean;
}

/** Fills the parameters of one fragment at one of its uses, and moves its nodes there. */
export class ParameterFilling {
  readonly #given: ReadonlyMap<string, GivenParameter>;
  readonly #usedAt: Place;
  readonly #problems: Problem[];
  /** Parameters that nobody gives, with the place of the first mention. */
  readonly missing = new Map<string, Place>();

  constructor(given: ReadonlyMap<string, GivenParameter>, usedAt: Place, problems: Problem[]) {
    this.#given = given;
    this.#usedAt = usedAt;
    this.#problems = problems;
  }

  /** How many nodes were filled. */
  nodes = 0;

  /** The node with every `$(name)` in its values replaced; keys stay as they are. */
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
    const put = (piece: string, at: (index: number) => number) => {
      for (let index = 0; index < piece.length; index += 1) origin.push(at(index));
      text += piece;
    };
    for (const match of written.matchAll(MARK)) {
      const { index } = match;
      const start = from;
      put(written.slice(start, index), (offset) => start + offset);
      from = index + match[0].length;
      if (match[0] === '$$(') {
        put('$(', () => index);
        continue;
      }
      const value = this.#parameter(match[1] ?? '', match[2] === ')', match[0], placeAt(index));
      if (!value) continue;
      put(value.written, () => index);
      substituted ||= value.substituted;
      if (match[0] === written) only = value;
    }
    const last = from;
    put(written.slice(last), (offset) => last + offset);
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
    given.taken = true;
    return given.value;
  }
}
