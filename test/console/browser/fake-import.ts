import type { FakeRoutes } from '../../support/fake-console.js';
import { problem } from '../../support/fake-console.js';

const REGIONS = ['China', 'Germany', 'Hong Kong SAR', 'United Kingdom', 'United States'];
const HEADERS = [
  { column: 1, letter: 'A', text: 'Order number', field: 'orderNo' },
  { column: 2, letter: 'B', text: 'Customer', field: 'customer.name' },
  {
    column: 3,
    letter: 'C',
    text: 'Region',
    field: 'customer.region',
    allowed: REGIONS,
    names: { China: 'China (CN)' },
  },
  { column: 4, letter: 'D', text: 'Quantity', field: 'quantity' },
  { column: 5, letter: 'E', text: 'Start date', field: 'startDate' },
  { column: 6, letter: 'F', text: 'Remarks' },
];
const REGION = 2;
const QUANTITY = 3;

interface FakeCell {
  readonly row: number;
  readonly column: number;
  readonly text: string;
}

/** A sheet of any length whose cells follow from their row, with what was corrected kept next to it. */
export class FakeImport {
  readonly routes: FakeRoutes;
  /** Answers `checking` so often before it is checked. */
  looks = 0;
  /** Milliseconds before rows are answered. */
  delay = 0;
  /** Texts of acts that were executed, in order. */
  readonly carried: string[] = [];
  readonly corrected = new Map<string, string>();
  limits: string[] = [];
  warnings: string[] = [];
  failure: { code: string; text: string } | undefined;
  state: 'checked' | 'failed' = 'checked';
  readonly #rows: number;
  readonly #everyInvalid: number;
  readonly #acts = new Map<string, unknown>();
  readonly #undo: FakeCell[][] = [];
  readonly #redo: FakeCell[][] = [];

  /** @param everyInvalid every n-th row has a region that is not allowed; every third of them a quantity as well */
  constructor(rows: number, everyInvalid = 50) {
    this.#rows = rows;
    this.#everyInvalid = everyInvalid;
    this.routes = {
      'GET /imports/i1': () => this.#info(),
      'GET /imports/i1/columns': () => ({ headers: HEADERS, rowCount: this.#rows }),
      'GET /imports/i1/first-rows': () => ({
        headers: HEADERS.map((it) => it.text),
        items: [2, 3, 4, 5, 6, 7, 8].map((row) => this.row(row)),
      }),
      'GET /imports/i1/rows': async ({ query }) => {
        if (this.delay > 0) await new Promise((resolve) => setTimeout(resolve, this.delay));
        const [from, count] = [Number(query.get('from')), Number(query.get('count'))];
        const total = this.#rows;
        const places =
          query.get('at')?.split(',').map(Number) ??
          Array.from({ length: Math.max(0, Math.min(count, total - from)) }, (_, at) => from + at);
        return { items: places.map((it) => this.row(it + 2)), total };
      },
      'GET /imports/i1/row-positions': ({ query }) => {
        const kind = query.get('kind') ?? undefined;
        const isPart = kind !== undefined || query.get('invalid') === 'true';
        const filter = Object.entries(JSON.parse(query.get('filter') ?? '{}') as Record<string, string>);
        const sort = Number(query.get('sort') ?? 0);
        const key = (row: number) => this.#text(row, Math.abs(sort) - 1);
        const rows = (
          isPart ? this.#invalidRows(kind) : Array.from({ length: this.#rows }, (_, at) => at + 2)
        )
          .filter((row) =>
            filter.every(([column, text]) => this.#text(row, Number(column) - 1).includes(text)),
          )
          .sort((a, b) => (sort === 0 || key(a) === key(b) ? a - b : (key(a) < key(b) ? -1 : 1) * sort));
        const places = rows.flatMap((it, at) => [it - (at === 0 ? 2 : rows[at - 1]! + 1), 1]);
        return { places, total: rows.length };
      },
      'POST /imports/i1/corrections': ({ body }) =>
        this.#once(body, () => {
          const cells = body.cells as FakeCell[];
          this.#undo.push(cells.map((it) => ({ ...it, text: this.#text(it.row, it.column - 1) })));
          this.#redo.length = 0;
          this.#put(cells);
          this.carried.push(cells.map((it) => `${it.row}:${it.column}=${it.text}`).join(' '));
          return cells.map((it) => it.row);
        }),
      'POST /imports/i1/undo': ({ body }) =>
        this.#once(body, () => this.#back(this.#undo, this.#redo, 'undo')),
      'POST /imports/i1/redo': ({ body }) =>
        this.#once(body, () => this.#back(this.#redo, this.#undo, 'redo')),
      'POST /imports/i1/proposals': ({ body }) => {
        const isRegion = body.kind === 'region';
        const cells = this.#invalidRows(String(body.kind)).map((row) => ({
          row,
          column: isRegion ? 3 : 4,
          before: this.#text(row, isRegion ? REGION : QUANTITY),
          ...(isRegion ? { text: 'China' } : {}),
        }));
        return { cells, left: 0 };
      },
      'GET /imports/i1/nearest': ({ query }) => (query.get('column') === '3' ? { text: 'China' } : {}),
      'GET /imports/i1/corrections': () => ({
        items: [...this.corrected].map(([at, text], n) => ({
          n,
          row: Number(at.split(':')[0]),
          column: Number(at.split(':')[1]),
          header: HEADERS[Number(at.split(':')[1]) - 1]?.text,
          before: 'Chian',
          text,
          who: 'Wang',
          at: '2026-11-20T02:10:00Z',
        })),
      }),
      'GET /imports/i1/plans': () => ({ items: [] }),
      'POST /imports/i1/plan': () => ({ run: 'p1' }),
      'GET /imports/none': () => problem(404, 'There is no import none', 'console.no_import'),
    };
  }

  row(row: number) {
    const cells = HEADERS.map((_, at) => this.#text(row, at));
    const faults = [];
    if (!REGIONS.includes(cells[REGION] ?? '')) {
      const text = `"${cells[REGION]}" is not allowed here; did you mean China? Allowed are: ${REGIONS.join(', ')}`;
      faults.push({ column: 3, code: 'mapping.not_allowed', text });
    }
    if (!/^\d+$/.test(cells[QUANTITY] ?? '')) {
      faults.push({
        column: 4,
        code: 'mapping.not_whole',
        text: `"${cells[QUANTITY]}" is not a whole number`,
      });
    }
    const corrected = HEADERS.filter(({ column }) => this.corrected.has(`${row}:${column}`)).map(
      (it) => it.column,
    );
    return {
      row,
      position: row - 2,
      status: faults.length > 0 ? 'invalid' : 'valid',
      cells,
      faults,
      corrected,
      messages: [],
    };
  }

  #text(row: number, at: number): string {
    const own = this.corrected.get(`${row}:${at + 1}`);
    if (own !== undefined) return own;
    const invalid = row % this.#everyInvalid === 0;
    switch (at) {
      case 0:
        return `PO-${String(row).padStart(7, '0')}`;
      case 1:
        return (
          ['Acme Ltd', '上海某某科技有限公司', 'Müller & Söhne GmbH', 'Northwind "Traders"'][row % 4] ?? ''
        );
      case REGION:
        return invalid ? 'Chian' : (REGIONS[row % REGIONS.length] ?? '');
      case QUANTITY:
        return invalid && row % (3 * this.#everyInvalid) === 0 ? 'ten' : String((row % 90) + 1);
      case 4:
        return `2026-${String((row % 12) + 1).padStart(2, '0')}-15`;
      default:
        return row % 7 === 0 ? 'to be confirmed by the buyer before the end of the quarter' : '';
    }
  }

  #invalidRows(kind?: string): number[] {
    const rows: number[] = [];
    for (let row = 2; row < this.#rows + 2; row += 1) {
      if (
        row % this.#everyInvalid !== 0 &&
        !this.corrected.has(`${row}:3`) &&
        !this.corrected.has(`${row}:4`)
      )
        continue;
      const { faults } = this.row(row);
      if (faults.some((it) => kind === undefined || (kind === 'region') === (it.column === 3)))
        rows.push(row);
    }
    return rows;
  }

  #info() {
    const base = {
      import: 'i1',
      job: 'orders.yaml',
      operation: 'order.new_buy',
      name: 'orders.xlsx',
      sheet: 'Orders',
    };
    const more = {
      connection: { name: 'production', host: 'licences.example.com', sandbox: false },
      by: 'Wang',
      at: '2026-11-20T01:58:00Z',
      limits: this.limits,
      warnings: this.warnings,
      others: [],
      version: this.carried.length + 1,
    };
    if (this.looks > 0) {
      this.looks -= 1;
      const done = Math.round(this.#rows / (this.looks + 2));
      const progress = { done, total: this.#rows };
      return {
        ...base,
        ...more,
        state: 'checking',
        counts: { valid: done },
        progress,
        faults: [],
        corrections: this.#state(),
      };
    }
    const failed = this.failure === undefined ? {} : { failure: this.failure };
    return { ...base, ...more, state: this.state, ...this.#reported(), ...failed };
  }

  #reported() {
    const [regions, quantities] = [this.#invalidRows('region'), this.#invalidRows('quantity')];
    const invalid = new Set([...regions, ...quantities]).size;
    const kind = (name: string, text: string, rows: number[], column: number) =>
      rows.length === 0
        ? []
        : [{ kind: name, code: `mapping.${name}`, text, count: rows.length, first: rows[0], column }];
    return {
      counts: { valid: this.#rows - invalid, ...(invalid > 0 ? { invalid } : {}) },
      faults: [
        ...kind('region', 'Region: "Chian" is not allowed here', regions, 3),
        ...kind('quantity', 'Quantity: "ten" is not a whole number', quantities, 4),
      ],
      corrections: this.#state(),
    };
  }

  #state() {
    return { cells: this.corrected.size, canUndo: this.#undo.length > 0, canRedo: this.#redo.length > 0 };
  }

  /** An act that came before is answered as it was then. */
  #once(body: Record<string, unknown>, work: () => number[]): unknown {
    const id = String(body.act);
    const before = this.#acts.get(id);
    if (before !== undefined) return before;
    const rows = work();
    const answer = { rows: rows.map((it) => this.row(it)), ...this.#reported() };
    this.#acts.set(id, answer);
    return answer;
  }

  #put(cells: readonly FakeCell[]): void {
    for (const { row, column, text } of cells) {
      this.corrected.delete(`${row}:${column}`);
      if (this.#text(row, column - 1) !== text) this.corrected.set(`${row}:${column}`, text);
    }
  }

  #back(from: FakeCell[][], to: FakeCell[][], name: string): number[] {
    const cells = from.pop();
    if (!cells) return [];
    to.push(cells.map((it) => ({ ...it, text: this.#text(it.row, it.column - 1) })));
    this.#put(cells);
    this.carried.push(name);
    return cells.map((it) => it.row);
  }
}
