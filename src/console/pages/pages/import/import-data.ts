import type { CellEdit, GridColumn, GridRow } from '../../grid/grid-data.js';
import type { RowCounts } from '../../parts/status.js';

/** All faults of one kind: what the list above the grid tells, filters by and mends. */
export interface FaultGroup {
  readonly kind: string;
  readonly code?: string;
  readonly text: string;
  readonly count: number;
  /** No text can be proposed that would be right in its cells. */
  readonly unmendable?: true;
  /** In no cell of the grid: the file has to be corrected. */
  readonly outside?: true;
  /** Excel's row of the first. */
  readonly first?: number;
  /** Excel's column of the first cell that has it. */
  readonly column?: number;
}

export interface CorrectionsState {
  readonly cells: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/** An import as `GET /imports/{id}` tells it. */
export interface ImportAnswer {
  readonly import: string;
  readonly job: string;
  /** The job was guessed, and nobody saved it yet. */
  readonly guessed?: boolean;
  /** The job looks things up at the platform; by `lookups` they are asked at the check, or what they fill counts as given. */
  readonly hasLookups?: boolean;
  readonly lookups?: 'given' | 'asked';
  readonly operation?: string;
  readonly name: string;
  readonly sheet?: string;
  readonly connection?: { readonly name: string; readonly host?: string; readonly sandbox?: boolean };
  readonly by?: string;
  readonly at?: string;
  readonly state: 'checking' | 'checked' | 'failed';
  /** Corrections are being checked over the whole sheet. */
  readonly checkingAgain?: boolean;
  /** Changes when rows may have changed. */
  readonly version?: number;
  readonly counts: RowCounts;
  readonly progress?: { readonly done: number; readonly total?: number };
  readonly faults: readonly FaultGroup[];
  readonly corrections: CorrectionsState;
  readonly warnings: readonly string[];
  readonly failure?: { readonly code?: string; readonly text: string; readonly others?: readonly string[] };
  readonly plan?: string;
  /** What the job says of invalid rows. */
  readonly onInvalid?: 'abort' | 'skip';
}

export interface ColumnsAnswer {
  readonly headers: readonly GridColumn[];
  readonly rowCount: number;
}

/** Where faulty rows stand in the sheet: in turns, how many places are passed over and how many are listed. */
export interface FaultyAnswer {
  readonly places: readonly number[];
  readonly total: number;
}

export function placesOf({ places, total }: FaultyAnswer): Uint32Array {
  const list = new Uint32Array(total);
  let [at, place] = [0, 0];
  for (let turn = 0; turn < places.length; turn += 2) {
    place += places[turn] ?? 0;
    for (const end = place + (places[turn + 1] ?? 0); place < end; place += 1) {
      list[at] = place;
      at += 1;
    }
  }
  return list;
}

/** What corrections, and undoing and redoing them, answer. */
export interface CorrectedAnswer {
  readonly rows: readonly GridRow[];
  readonly counts: RowCounts;
  readonly faults?: readonly FaultGroup[];
  readonly corrections: CorrectionsState;
  readonly checking?: boolean;
}

/** A cell of a proposal to mend all faults of a kind. */
export interface ProposedCell extends CellEdit {
  readonly before: string;
}

/** What would mend the cells of a kind: of so many faulty ones, with rows that were not looked at. */
export interface ProposalsAnswer {
  readonly cells: readonly ProposedCell[];
  readonly faulty: number;
  readonly left: number;
}

/** A line of the history of corrections. */
export interface KeptCorrection {
  readonly n: number;
  readonly row: number;
  readonly column: number;
  readonly header: string;
  readonly before: string;
  readonly text: string;
  readonly who: string;
  readonly at: string;
  readonly undone?: { readonly at: string; readonly by: string };
}
