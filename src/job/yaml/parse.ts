import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  type YAMLError,
} from 'yaml';
import type { Scalar } from '../../model/map.js';
import { type Problem, problemAt, refuse } from '../problem.js';
import type { MapEntry, MappingNode, Node, ScalarNode } from './node.js';
import { alignScalar, hideBraces, showBraces, typeScalar } from './scalar.js';
import type { Place, SourceText } from './text.js';
import { substitute } from './variables.js';

/** A file beyond these limits is an attack or an accident. */
const MAX_NODES = 100_000;
const MAX_ALIASES = 100;
const MAX_DEPTH = 64;

interface ParsedYaml {
  /** Undefined when the text is no YAML mapping at all. */
  readonly root: MappingNode | undefined;
  readonly problems: readonly Problem[];
  /** Missing variables, kept apart because unused connections may have them. */
  readonly missing: readonly { readonly place: Place; readonly problem: Problem }[];
}

/**
 * Reads one YAML 1.2 document with positions: core schema, no custom tags, no merge keys, no repeated keys,
 * bounded aliases; `${NAME}` in scalars is replaced before they are typed, and never read as structure.
 */
export function parseYaml(text: SourceText, env: NodeJS.ProcessEnv): ParsedYaml {
  const hidden = hideBraces(text.text);
  let document: Document.Parsed;
  try {
    document = parseDocument(hidden, {
      version: '1.2',
      schema: 'core',
      merge: false,
      // The reader below finds repeated keys; the parser's own search takes quadratic time.
      uniqueKeys: false,
      strict: true,
      prettyErrors: false,
      // 'silent' would hide a second document.
      logLevel: 'error',
    });
  } catch (error) {
    // The parser is recursive, so thousands of nested brackets overflow the stack.
    const detail = error instanceof RangeError ? 'nested too deeply' : String((error as Error).message);
    const problem = problemAt({ text, offset: 0 }, 'job.yaml_syntax', { detail });
    return { root: undefined, problems: [problem], missing: [] };
  }
  // Only the first syntax error is reported: the others, and problems of the remaining tree, mostly follow from it.
  const [error] = document.errors;
  if (error) return { root: undefined, problems: [syntaxProblem(text, error)], missing: [] };
  const reader = new TreeReader(text, hidden, env, document);
  const root = reader.read();
  return { root, problems: reader.problems, missing: reader.missing };
}

function syntaxProblem(text: SourceText, error: YAMLError): Problem {
  const place = { text, offset: error.pos[0] };
  if (error.code === 'MULTIPLE_DOCS') return problemAt(place, 'job.many_documents', {});
  return problemAt(place, 'job.yaml_syntax', { detail: showBraces(error.message) });
}

class TreeReader {
  readonly problems: Problem[] = [];
  readonly missing: { place: Place; problem: Problem }[] = [];
  readonly #text: SourceText;
  readonly #hidden: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #document: Document.Parsed;
  readonly #open = new Set<unknown>();
  readonly #repeated = new Set<number>();
  #nodes = 0;
  #aliases = 0;
  #exhausted = false;

  constructor(text: SourceText, hidden: string, env: NodeJS.ProcessEnv, document: Document.Parsed) {
    this.#text = text;
    this.#hidden = hidden;
    this.#env = env;
    this.#document = document;
  }

  read(): MappingNode | undefined {
    const node = this.#node(this.#document.contents, 0, 0);
    if (this.#exhausted) return undefined;
    if (node?.kind === 'mapping') return node;
    if (this.problems.length > 0) return undefined;
    return refuse(this.problems, node?.place ?? this.#place(0), 'job.not_a_mapping', {});
  }

  #place(offset: number): Place {
    return { text: this.#text, offset };
  }

  /** `fallback`: where something without a position of its own stands. */
  #node(it: unknown, depth: number, fallback: number): Node | undefined {
    if (this.#exhausted) return undefined;
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES || depth > MAX_DEPTH) return this.#give(fallback, 'job.yaml_too_large');
    if (isAlias(it)) return this.#alias(it, depth, fallback);
    if (isMap(it)) return this.#closed(it, fallback, () => this.#mapping(it, depth, fallback));
    if (isSeq(it))
      return this.#closed(it, fallback, () => ({
        kind: 'list',
        place: this.#place(it.range?.[0] ?? fallback),
        items: it.items.flatMap((item) => this.#node(item, depth + 1, it.range?.[0] ?? fallback) ?? []),
      }));
    if (isScalar(it)) {
      this.#checkTag(it.tag, it.range?.[0] ?? fallback);
      return this.#scalar(it, fallback);
    }
    return emptyScalar(this.#place(fallback));
  }

  /** Reads a collection unless it contains itself through an alias. */
  #closed(
    it: { tag?: string; range?: readonly number[] | null },
    fallback: number,
    read: () => Node,
  ): Node | undefined {
    const at = it.range?.[0] ?? fallback;
    if (this.#open.has(it)) return this.#give(fallback, 'job.alias_cycle');
    this.#checkTag(it.tag, at);
    this.#open.add(it);
    try {
      return read();
    } finally {
      this.#open.delete(it);
    }
  }

  #give(offset: number, code: 'job.yaml_too_large' | 'job.alias_cycle' | 'job.too_many_aliases'): undefined {
    this.problems.push(problemAt(this.#place(offset), code, {}));
    this.#exhausted = true;
    return undefined;
  }

  #alias(it: Alias, depth: number, fallback: number): Node | undefined {
    const at = it.range?.[0] ?? fallback;
    this.#aliases += 1;
    if (this.#aliases > MAX_ALIASES) return this.#give(at, 'job.too_many_aliases');
    const target = it.resolve(this.#document);
    if (target) return this.#node(target, depth + 1, at);
    this.problems.push(problemAt(this.#place(at), 'job.unknown_alias', { alias: it.source }));
    return emptyScalar(this.#place(at));
  }

  #checkTag(tag: string | undefined, offset: number): void {
    if (tag === undefined || /^tag:yaml\.org,2002:(str|int|float|bool|null|map|seq)$/.test(tag)) return;
    this.problems.push(problemAt(this.#place(offset), 'job.custom_tag', { tag }));
  }

  #mapping(
    it: { items: readonly { key: unknown; value: unknown }[]; range?: readonly number[] | null },
    depth: number,
    fallback: number,
  ): MappingNode {
    const entries = new Map<string, MapEntry>();
    const start = it.range?.[0] ?? fallback;
    for (const pair of it.items) {
      const key = this.#node(pair.key, depth + 1, start);
      if (!key) break;
      if (key.kind !== 'scalar') {
        this.problems.push(problemAt(key.place, 'job.key_not_text', {}));
        continue;
      }
      const value = this.#node(pair.value, depth + 1, key.place.offset);
      if (!value) break;
      if (entries.has(key.written) && !this.#repeated.has(key.place.offset)) {
        // Reported once, even if an alias leads here again.
        this.#repeated.add(key.place.offset);
        this.problems.push(problemAt(key.place, 'job.duplicate_key', { key: key.written }));
      }
      entries.set(key.written, { key: key.written, keyPlace: key.place, value });
    }
    return { kind: 'mapping', place: this.#place(start), entries };
  }

  #scalar(
    it: { value: unknown; type?: string; source?: string; tag?: string; range?: readonly number[] | null },
    fallback: number,
  ): ScalarNode {
    const start = it.range?.[0] ?? fallback;
    const plain = it.type === undefined || it.type === 'PLAIN';
    const hidden = plain ? (it.source ?? '') : String(it.value);
    const content = showBraces(hidden);
    const filled = substitute(content, this.#env);
    const aligned = alignScalar(this.#hidden.slice(start, it.range?.[1] ?? start), hidden, it.type);
    const placeOfContent = (index: number) => this.#place(start + (aligned?.[index] ?? 0));
    const lacking: { name: string; place: Place }[] = [];
    for (const fault of filled.faults) {
      const place = placeOfContent(fault.at);
      if (fault.kind === 'missing') {
        const { name } = fault;
        lacking.push({ name, place });
        this.missing.push({ place, problem: problemAt(place, 'job.missing_variable', { name }) });
      } else this.problems.push(problemAt(place, 'job.bad_variable', { found: fault.found }));
    }
    const marked = filled.used || filled.text !== hidden;
    let value: Scalar | null;
    if (marked) value = plain ? (typeScalar(filled.text) ?? filled.text) : filled.text;
    else value = isValue(it.value) ? it.value : String(it.value);
    return {
      kind: 'scalar',
      place: this.#place(start),
      value,
      written: filled.text,
      plain: plain && it.tag === undefined,
      substituted: filled.used,
      ...(lacking.length > 0 ? { lacking } : {}),
      placeAt: (index) => placeOfContent(filled.origin[Math.min(index, filled.origin.length - 1)] ?? 0),
    };
  }
}

function isValue(value: unknown): value is Scalar | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function emptyScalar(place: Place): ScalarNode {
  return {
    kind: 'scalar',
    place,
    value: null,
    written: '',
    plain: true,
    substituted: false,
    placeAt: () => place,
  };
}
