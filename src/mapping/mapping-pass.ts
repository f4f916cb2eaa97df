import type { Code, Message } from '../errors/message.js';
import type { Fault } from '../model/fault.js';
import type { Json } from '../model/json.js';
import type { Row } from '../model/row.js';
import type { BoundBranch, BoundLeaf, CellFault } from './bound-entry.js';
import type { JoinLookup } from './contract.js';
import type { LookupAnswers, LookupRequest } from './lookup/contract.js';
import { isSheetColumn } from './steps/step-columns.js';

/** Faults and warnings of one call of `map`, collected while it builds. */
export class MappingPass {
  readonly lookup: JoinLookup;
  /** What the platform answered to look-ups. */
  readonly answers: LookupAnswers;
  /** Whether equal rows count once. False when faults are reported: each row has its own cells to correct. */
  readonly mergesRows: boolean;
  /** Whether equal rows were found and counted once. */
  merged = false;
  readonly faults: Fault[] = [];
  readonly warnings: Message[] = [];
  /** What has to be asked before these rows can be mapped. */
  readonly unanswered: LookupRequest[] = [];
  /** Fields whose values are stand-ins. */
  readonly given = new Set<string>();
  /** Whether rules about other fields may depend on what stands in: all but plain texts. */
  givenDecides = false;
  /** Whether one of them will be a value that no earlier item had. */
  givenNew = false;
  /** Rows with an empty key for some nodes, which therefore got no element from them; with these nodes. */
  readonly rowsWithoutKey = new Map<Row, Set<BoundBranch>>();

  /** Whether cells are read as version 0.1 read them. */
  readonly former: boolean;
  /** Whether version 0.1 read one of the cells as something else. */
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

  /** A fault at a cell, or at the row where it is about a step's result, which has none. */
  fault(row: Row, field: string | undefined, { column: at, message }: CellFault): void {
    const column = at !== undefined && isSheetColumn(at) ? at : undefined;
    this.faults.push({ sheet: row.sheet, row: row.number, column, field, message });
  }

  /** Records that a stand-in fills the field. */
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

  /** Removes a fault, to replace it by a more exact one. */
  withdraw(row: Row, field: string, code: Code): void {
    const at = this.faults.findIndex(
      (it) =>
        it.message.code === code && it.field === field && it.row === row.number && it.sheet === row.sheet,
    );
    if (at >= 0) this.faults.splice(at, 1);
  }

  /** Whether a cell has a fault already. */
  hasFault(row: Row, column: number): boolean {
    return this.faults.some((it) => it.column === column && it.row === row.number && it.sheet === row.sheet);
  }
}
