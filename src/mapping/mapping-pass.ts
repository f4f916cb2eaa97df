import { type Code, type Message, message } from '../errors/message.js';
import type { Json } from '../model/json.js';
import type { Fault, Row } from '../model/row.js';
import type { BoundBranch, BoundLeaf, CellFault } from './bound-entry.js';
import type { LookupAnswers, LookupRequest } from './lookup/records.js';
import type { JoinLookup } from './mapping.js';
import { isSheetColumn } from './steps/step-columns.js';

/** Collects the errors and warnings of one call of `map`. */
export class MappingPass {
  readonly lookup: JoinLookup;
  /** The platform's replies to lookups. */
  readonly answers: LookupAnswers;
  /** True if equal rows count once. False for reporting errors: each row has its own cells to correct. */
  readonly mergesRows: boolean;
  /** True if equal rows were found and counted once. */
  merged = false;
  readonly faults: Fault[] = [];
  readonly warnings: Message[] = [];
  /** Lookups to request before these rows can be mapped. */
  readonly unanswered: LookupRequest[] = [];
  /** Fields whose values are placeholders. */
  readonly given = new Set<string>();
  /** True if rules about other fields may depend on a placeholder: for all types except plain texts. */
  givenDecides = false;
  /** True if the value of a placeholder will be one that no earlier item had. */
  givenNew = false;
  /** Rows with an empty key, and the nodes to which they add no element for this reason. */
  readonly rowsWithoutKey = new Map<Row, Set<BoundBranch>>();

  /** True if cells are read as version 0.1 read them. */
  readonly former: boolean;
  /** True if version 0.1 read one of the cells differently. */
  hasFormer = false;

  constructor(
    lookup: JoinLookup,
    answers: LookupAnswers,
    { mergesRows = true, former = false }: { readonly mergesRows?: boolean; readonly former?: boolean } = {},
  ) {
    this.lookup = lookup;
    this.answers = answers;
    this.mergesRows = mergesRows;
    this.former = former;
  }

  /** The value of a reading in this pass. */
  valueOf({ value, former }: { readonly value: Json; readonly former?: Json | undefined }): Json {
    if (former === undefined) return value;
    this.hasFormer = true;
    return this.former ? former : value;
  }

  /** A new pass with the same settings. */
  again(): MappingPass {
    return new MappingPass(this.lookup, this.answers, { mergesRows: this.mergesRows });
  }

  /** Adds an error of a cell, or of the row if it concerns a step's result, which has no cell. */
  fault(row: Row, field: string | undefined, { column: at, message }: CellFault): void {
    const column = at !== undefined && isSheetColumn(at) ? at : undefined;
    this.faults.push({ sheet: row.sheet, row: row.number, column, field, message });
  }

  /** Records that a placeholder fills the field. */
  stand({ path, field }: BoundLeaf, given: true | 'new'): void {
    this.given.add(path);
    if (given === 'new') this.givenNew = true;
    if (field.values || (field.type !== 'String' && field.type !== 'String array')) this.givenDecides = true;
  }

  /** Records that the row's key for a node is empty. */
  addRowWithoutKey(row: Row, bound: BoundBranch): void {
    const nodes = this.rowsWithoutKey.get(row);
    if (nodes) nodes.add(bound);
    else this.rowsWithoutKey.set(row, new Set([bound]));
  }

  /** Removes an error, to replace it by a more exact one. */
  withdraw(row: Row, field: string, code: Code): void {
    const at = this.faults.findIndex(
      (it) =>
        it.message.code === code && it.field === field && it.row === row.number && it.sheet === row.sheet,
    );
    if (at >= 0) this.faults.splice(at, 1);
  }

  /** True if the cell already has an error. */
  hasFault(row: Row, column: number): boolean {
    return this.faults.some((it) => it.column === column && it.row === row.number && it.sheet === row.sheet);
  }
}

/** Number of cells with their own warning; the others, possibly a million, are only counted. */
const NAMED = 20;

/** Warnings about single cells, each with the warning that counts the others. */
const COUNTED = {
  'mapping.widthless_dropped': 'mapping.widthless_dropped_more',
  'mapping.decimals_dropped': 'mapping.decimals_dropped_more',
  'mapping.shown_otherwise': 'mapping.shown_otherwise_more',
  'mapping.not_shown': 'mapping.shown_otherwise_more',
  'mapping.date_not_shown': 'mapping.date_shown_partly_more',
  'mapping.date_shown_partly': 'mapping.date_shown_partly_more',
  'mapping.hidden_time_dropped': 'mapping.hidden_time_dropped_more',
  'mapping.marker_dropped': 'mapping.marker_dropped_more',
  'mapping.marker_in_text': 'mapping.marker_in_text_more',
  'mapping.nothing_in_text': 'mapping.nothing_in_text_more',
} as const satisfies Partial<Record<Code, Code>>;

type Counted = keyof typeof COUNTED;

/** Limits the warnings about single cells: the first ones are named, the rest is counted. */
export class CellWarnings {
  readonly #counts = new Map<Counted, number>();

  /** True if the warning is shown. */
  names({ code }: Message): boolean {
    if (!isCounted(code)) return true;
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    return count <= NAMED;
  }

  /** Warnings with the numbers of cells that were not shown; called after the last cell. */
  rest(): readonly Message[] {
    return [...this.#counts]
      .filter(([, count]) => count > NAMED)
      .map(([code, count]) => message(COUNTED[code], { count: count - NAMED }));
  }
}

function isCounted(code: Code): code is Counted {
  return Object.hasOwn(COUNTED, code);
}
