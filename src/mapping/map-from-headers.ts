import { type Message, message } from '../errors/message.js';
import { endOption, type Field, isNested, leafFields } from '../model/field.js';
import type { MapBranch, MapNode } from '../model/map.js';
import { type Operation, shownPath } from '../model/operation.js';
import type { Header } from '../model/row.js';
import { nearest } from '../util/name-match.js';
import { columnLetters } from '../util/spreadsheet-text.js';
import { fold } from '../util/text.js';
import type { BindingProblems } from './bound-entry.js';

/** Position of a map that no job file contains. */
const NOWHERE = { line: 0, column: 0 } as const;

type Path = readonly string[];

/** The fields that a header names, if the job has no map. */
type HeaderMeaning =
  | { readonly kind: 'field'; readonly path: Path }
  | { readonly kind: 'ambiguous'; readonly paths: readonly Path[] }
  | { readonly kind: 'none' };

/** Finds an operation's fields by header. */
export class FieldNames {
  readonly #operation: Operation;
  /** Paths of all leaves, but not those of a table within itself (`children` within `children`). */
  readonly #leaves: readonly Path[];

  constructor(operation: Operation) {
    this.#operation = operation;
    this.#leaves = [...leafFields(operation.shape)].map(({ path }) => path);
  }

  /** A header may be a path (with or without the items' array), a top-level name, or a leaf name that occurs once. */
  meaning(header: string): HeaderMeaning {
    const parts = fold(header)
      .split('.')
      .map((it) => it.replace(/\[\d*\]$/, '').trim());
    const path = this.#walk(parts, this.#operation.shape) ?? this.#withinItems(parts);
    if (path) return { kind: 'field', path };
    const name = parts[0];
    const paths = parts.length > 1 ? [] : this.#leaves.filter((it) => fold(it.at(-1) ?? '') === name);
    if (paths.length > 1) return { kind: 'ambiguous', paths };
    return paths[0] ? { kind: 'field', path: paths[0] } : { kind: 'none' };
  }

  /** The nearest field name to a header. */
  nearest(header: string): string | undefined {
    return nearest(header, new Set(this.#leaves.flatMap((it) => [it.at(-1) ?? '', this.shown(it)])));
  }

  /** A path as users write it: without the items' array. */
  shown(path: Path): string {
    return shownPath(path.join('.'), this.#operation);
  }

  #withinItems(parts: Path): Path | undefined {
    const { place, shape } = this.#operation;
    if (place.kind !== 'array') return undefined;
    const fields = shape.find((it) => it.name === place.field)?.fields ?? [];
    const found = this.#walk(parts, fields);
    return found && [place.field, ...found];
  }

  /** Follows the parts through nested fields to any depth; undefined unless they end at a leaf. */
  #walk(parts: Path, fields: readonly Field[]): Path | undefined {
    const [part, ...rest] = parts;
    const field = fields.find((it) => fold(it.name) === part);
    if (!field) return undefined;
    if (rest.length === 0) return isNested(field) ? undefined : [field.name];
    const below = this.#walk(rest, field.fields ?? []);
    return below && [field.name, ...below];
  }
}

/** The map derived from the headers. Ambiguous and repeated headers are problems, unused ones warnings. */
export function mapFromHeaders(
  operation: Operation,
  sheet: string,
  headers: readonly Header[],
  problems: BindingProblems,
): { readonly map: MapBranch; readonly warnings: readonly Message[] } {
  const names = new FieldNames(operation);
  const root = branch();
  const headerOf = new Map<string, Header>();
  const warnings: Message[] = [];
  for (const header of headers) {
    const letters = columnLetters(header.column);
    const meaning = names.meaning(header.text);
    if (meaning.kind === 'none') {
      warnings.push(unused(operation, sheet, header, letters, names.nearest(header.text)));
    } else if (meaning.kind === 'ambiguous') {
      const paths = meaning.paths.map((it) => names.shown(it)).join(', ');
      problems.add(
        'sheet',
        message('mapping.header_ambiguous', { sheet, letters, header: header.text, paths }),
      );
    } else {
      const field = names.shown(meaning.path);
      const before = headerOf.get(field);
      if (!before) {
        headerOf.set(field, header);
        put(root, meaning.path, header.text, operation.shape);
      } else if (before.folded !== header.folded) {
        // Equal headers are reported when the column is looked up.
        const params = { sheet, first: columnLetters(before.column), second: letters, field };
        problems.add('sheet', message('mapping.header_same_field', params));
      }
    }
  }
  return { map: root, warnings };
}

interface OpenBranch extends MapBranch {
  readonly fields: Map<string, MapNode>;
}

function branch(): OpenBranch {
  return { kind: 'branch', fields: new Map(), at: NOWHERE };
}

function put(root: OpenBranch, path: Path, column: string, shape: readonly Field[]): void {
  let at = root;
  let fields = shape;
  for (const name of path.slice(0, -1)) {
    let next = at.fields.get(name) as OpenBranch | undefined;
    if (!next) {
      next = branch();
      at.fields.set(name, next);
    }
    at = next;
    fields = fields.find((it) => it.name === name)?.fields ?? [];
  }
  const last = path.at(-1) ?? '';
  const field = fields.find((it) => it.name === last);
  at.fields.set(last, { kind: 'column', column, ...(field ? endOption(field) : {}), at: NOWHERE });
}

function unused(
  operation: Operation,
  sheet: string,
  header: Header,
  letters: string,
  near: string | undefined,
): Message {
  const params = { sheet, letters, header: header.text, operation: operation.name };
  return near === undefined
    ? message('mapping.header_unused', params)
    : message('mapping.header_unused_nearest', { ...params, nearest: near });
}
