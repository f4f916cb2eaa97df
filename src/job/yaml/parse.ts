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
import type { MapEntry, MappingNode, Node, Place, ScalarNode, SourceText } from './node.js';
import { alignScalar, hideBraces, showBraces, substitute, typeScalar } from './scalar.js';

/** Limits against malicious or malformed files. */
const MAX_NODES = 100_000;
const MAX_ALIASES = 100;
const MAX_DEPTH = 64;

interface ParsedYaml {
  /** Undefined if the text is not a YAML mapping. */
  readonly root: MappingNode | undefined;
  readonly problems: readonly Problem[];
  /** Problems of unset variables, separate from the others because unused connections may have them. */
  readonly missing: readonly { readonly place: Place; readonly problem: Problem }[];
}

/**
 * Reads one YAML 1.2 document with positions: core schema, no custom tags, no merge keys, no repeated keys, limited aliases.
 * `${NAME}` in scalars is replaced before they are typed; its value is never parsed as YAML.
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

  /** @param fallback position of a node without one */
  #node(yaml: unknown, depth: number, fallback: number): Node | undefined {
    if (this.#exhausted) return undefined;
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES || depth > MAX_DEPTH) return this.#abort(fallback, 'job.yaml_too_large');
    if (isAlias(yaml)) return this.#alias(yaml, depth, fallback);
    if (isMap(yaml)) return this.#collection(yaml, fallback, () => this.#mapping(yaml, depth, fallback));
    if (isSeq(yaml))
      return this.#collection(yaml, fallback, () => ({
        kind: 'list',
        place: this.#place(yaml.range?.[0] ?? fallback),
        items: yaml.items.flatMap((item) => this.#node(item, depth + 1, yaml.range?.[0] ?? fallback) ?? []),
      }));
    if (isScalar(yaml)) {
      this.#checkTag(yaml.tag, yaml.range?.[0] ?? fallback);
      return this.#scalar(yaml, fallback);
    }
    return emptyScalar(this.#place(fallback));
  }

  /** Reads a collection unless it contains itself through an alias. */
  #collection(
    yaml: { tag?: string; range?: readonly number[] | null },
    fallback: number,
    read: () => Node,
  ): Node | undefined {
    const at = yaml.range?.[0] ?? fallback;
    if (this.#open.has(yaml)) return this.#abort(fallback, 'job.alias_cycle');
    this.#checkTag(yaml.tag, at);
    this.#open.add(yaml);
    try {
      return read();
    } finally {
      this.#open.delete(yaml);
    }
  }

  #abort(offset: number, code: 'job.yaml_too_large' | 'job.alias_cycle' | 'job.too_many_aliases'): undefined {
    this.problems.push(problemAt(this.#place(offset), code, {}));
    this.#exhausted = true;
    return undefined;
  }

  #alias(alias: Alias, depth: number, fallback: number): Node | undefined {
    const at = alias.range?.[0] ?? fallback;
    this.#aliases += 1;
    if (this.#aliases > MAX_ALIASES) return this.#abort(at, 'job.too_many_aliases');
    const target = alias.resolve(this.#document);
    if (target) return this.#node(target, depth + 1, at);
    this.problems.push(problemAt(this.#place(at), 'job.unknown_alias', { alias: alias.source }));
    return emptyScalar(this.#place(at));
  }

  #checkTag(tag: string | undefined, offset: number): void {
    if (tag === undefined || /^tag:yaml\.org,2002:(str|int|float|bool|null|map|seq)$/.test(tag)) return;
    this.problems.push(problemAt(this.#place(offset), 'job.custom_tag', { tag }));
  }

  #mapping(
    yaml: { items: readonly { key: unknown; value: unknown }[]; range?: readonly number[] | null },
    depth: number,
    fallback: number,
  ): MappingNode {
    const entries = new Map<string, MapEntry>();
    const start = yaml.range?.[0] ?? fallback;
    for (const pair of yaml.items) {
      const key = this.#node(pair.key, depth + 1, start);
      if (!key) break;
      if (key.kind !== 'scalar') {
        this.problems.push(problemAt(key.place, 'job.key_not_text', {}));
        continue;
      }
      const value = this.#node(pair.value, depth + 1, key.place.offset);
      if (!value) break;
      if (entries.has(key.written) && !this.#repeated.has(key.place.offset)) {
        // Reported once, even if aliases repeat this mapping.
        this.#repeated.add(key.place.offset);
        this.problems.push(problemAt(key.place, 'job.duplicate_key', { key: key.written }));
      }
      entries.set(key.written, { key: key.written, keyPlace: key.place, value });
    }
    return { kind: 'mapping', place: this.#place(start), entries };
  }

  #scalar(
    yaml: { value: unknown; type?: string; source?: string; tag?: string; range?: readonly number[] | null },
    fallback: number,
  ): ScalarNode {
    const start = yaml.range?.[0] ?? fallback;
    const plain = yaml.type === undefined || yaml.type === 'PLAIN';
    const hidden = plain ? (yaml.source ?? '') : String(yaml.value);
    const content = showBraces(hidden);
    const filled = substitute(content, this.#env);
    const aligned = alignScalar(this.#hidden.slice(start, yaml.range?.[1] ?? start), hidden, yaml.type);
    const placeOfContent = (index: number) => this.#place(start + (aligned?.[index] ?? 0));
    const unset: { name: string; place: Place }[] = [];
    for (const fault of filled.faults) {
      const place = placeOfContent(fault.at);
      if (fault.kind === 'missing') {
        const { name } = fault;
        unset.push({ name, place });
        this.missing.push({ place, problem: problemAt(place, 'job.missing_variable', { name }) });
      } else this.problems.push(problemAt(place, 'job.bad_variable', { found: fault.found }));
    }
    const isChanged = filled.used || filled.text !== hidden;
    let value: Scalar | null;
    if (isChanged) value = plain ? (typeScalar(filled.text) ?? filled.text) : filled.text;
    else value = isValue(yaml.value) ? yaml.value : String(yaml.value);
    return {
      kind: 'scalar',
      place: this.#place(start),
      value,
      written: filled.text,
      plain: plain && yaml.tag === undefined,
      substituted: filled.used,
      ...(unset.length > 0 ? { unset } : {}),
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
