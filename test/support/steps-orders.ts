import { readFile } from 'node:fs/promises';
import { type Accounts, must } from './accounts.js';
import { onboardingWith } from './onboarding.js';

/** A job of three steps: customers, each of two rows, get their ids, rows their numbers, and orders both. */
export const STEPS_JOB = onboardingWith([
  ['name: onboard', 'name: orders'],
  ['rows.csv', 'orders.csv'],
  ['    when: row["Customer ID"] == ""\n', ''],
  ['operation: order.new_buy\n', 'operation: order.new_buy\n    batch: { size: BATCH }\n'],
  [', else: Customer ID }', ' }'],
  ['customerName: Customer\n        channelCustomerId', 'customerName: Order\n        channelCustomerId'],
  ['enterpriseGlobalId: { value: E1 }', 'enterpriseGlobalId: { from: customer.enterpriseGlobalId }'],
  ['limitConcurrent: Nodes', 'limitConcurrent: { value: 5 }'],
]);

/** Rows of one customer. */
export const ROWS_OF_CUSTOMER = 2;
/** So many sizes of numbers are asked for, that one allocated twice stands out among those of its size. */
const SIZES = 23;

export function stepsRows(count: number): string {
  const lines = Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    return `SO-${number},C${customerOf(number)},${1 + (number % SIZES)}`;
  });
  return `${['Order,Customer,Locks', ...lines].join('\n')}\n`;
}

function customerOf(row: number): number {
  return Math.ceil(row / ROWS_OF_CUSTOMER);
}

/** Requests of an undisturbed run. */
export function stepsRequests(orders: number, batch: number): number {
  return customerOf(orders) + orders + Math.ceil(orders / batch);
}

type Line = Readonly<Record<string, string>>;

interface OrderEffect {
  readonly customerId: string;
  readonly customerName: string;
  readonly enterpriseGlobalId: string;
  readonly assets: readonly { readonly assetNos: readonly string[] }[];
}

/** What the platform executed of each step, from its own journal. */
interface Effects {
  readonly binds: ReadonlyMap<string, number>;
  /** How often numbers were allocated, by how many at a time. */
  readonly numbers: ReadonlyMap<number, number>;
  readonly orders: ReadonlyMap<string, readonly OrderEffect[]>;
}

async function effectsOf(journal: string): Promise<Effects> {
  const binds = new Map<string, number>();
  const numbers = new Map<number, number>();
  const orders = new Map<string, OrderEffect[]>();
  for (const line of (await readFile(journal, 'utf8')).split('\n')) {
    if (line === '') continue;
    const { effect } = JSON.parse(line) as { effect?: Record<string, unknown> };
    if (effect?.kind === 'bind') count(binds, String(effect.channelCustomerId));
    if (effect?.kind === 'numbers') count(numbers, Number(effect.size));
    for (const order of (effect?.orders ?? []) as OrderEffect[]) {
      orders.set(order.customerName, [...(orders.get(order.customerName) ?? []), order]);
    }
  }
  return { binds, numbers, orders };
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** What was done more often than the rows asked for, in any step. */
export async function repeatsInSteps(journal: string, orders: number): Promise<number> {
  const effects = await effectsOf(journal);
  const over = (counts: Iterable<number>, most: number): number =>
    [...counts].reduce((sum, it) => sum + Math.max(0, it - most), 0);
  const rowsOfSize = new Map<number, number>();
  for (let row = 1; row <= orders; row += 1) count(rowsOfSize, 1 + (row % SIZES));
  const numbers = [...effects.numbers].reduce(
    (sum, [size, times]) => sum + Math.max(0, times - (rowsOfSize.get(size) ?? 0)),
    0,
  );
  return (
    over(effects.binds.values(), 1) +
    numbers +
    over(
      [...effects.orders.values()].map((it) => it.length),
      1,
    )
  );
}

/** Row by row, over all steps: what the result says against what the platform did. */
export async function checkStepsAccounts(
  lines: readonly Line[],
  journal: string,
  { orders }: { readonly orders: number },
): Promise<Accounts> {
  const effects = await effectsOf(journal);
  for (const [customer, times] of effects.binds)
    must(times === 1, 'no customer may be bound twice:', { customer, times });
  for (const [order, done] of effects.orders)
    must(done.length === 1, 'no order may be carried out twice:', { order, done });
  must(lines.length === orders, 'every row must be in the result:', lines.length);
  const tally = { unknown: 0, unknownDone: 0 };
  const idOf = new Map<string, string>();
  /** By size: rows that got their numbers, and those that may have. */
  const got = new Map<number, number>();
  const perhaps = new Map<number, number>();
  const owner = new Map<string, string>();
  for (const [at, line] of lines.entries()) {
    must(line.row === String(at + 2), 'rows must stand in the source’s order:', line);
    const { Order: order = '', Customer: customer = '' } = line;
    const status = (step: string): string => line[`${step}.status`] ?? '';
    const worst = ['customer', 'numbers', 'order'].map(status);
    const isUnknown = worst.includes('unknown');
    must(isUnknown === (line.status === 'unknown'), 'a row is unknown where one of its steps is:', line);
    if (isUnknown) tally.unknown += 1;
    else
      must(
        worst.every((it) => it === 'succeeded'),
        'a resumed run must come to an end for every row:',
        line,
      );
    checkOrderOfSteps(worst, line);
    if (status('customer') === 'succeeded') {
      must(effects.binds.get(customer) === 1, 'a customer that shows as bound must be:', line);
      const id = line['customer.customerId'] ?? '';
      must(id !== '' && (idOf.get(customer) ?? id) === id, 'all rows of a customer have its one id:', line);
      idOf.set(customer, id);
    } else if (effects.binds.has(customer)) tally.unknownDone += 1;
    const size = Number(line.Locks);
    if (status('numbers') === 'succeeded') count(got, size);
    if (status('numbers') === 'unknown') count(perhaps, size);
    const numbers = (line['numbers.assetNumber'] ?? '').split('; ').filter((it) => it !== '');
    if (status('numbers') === 'succeeded') {
      must(numbers.length === size, 'a row has as many numbers as it asked for:', line);
    }
    for (const it of numbers) {
      must(!owner.has(it), 'no number may be given to two rows:', { it, line });
      owner.set(it, order);
    }
    const [carried] = effects.orders.get(order) ?? [];
    if (status('order') === 'succeeded')
      must(carried !== undefined, 'nothing may show as succeeded that was not carried out:', line);
    if (status('order') === 'unknown' && carried) tally.unknownDone += 1;
    if (!carried) continue;
    must(['succeeded', 'unknown'].includes(status('order')), 'what was carried out must be told:', line);
    must(carried.customerId === line['customer.customerId'], 'an order must carry its own customer’s id:', {
      line,
      carried,
    });
    must(
      carried.enterpriseGlobalId === line['customer.enterpriseGlobalId'],
      'an order must carry its own customer’s enterprise:',
      { line, carried },
    );
    const sent = carried.assets.flatMap((it) => it.assetNos);
    must(sent.join() === numbers.join(), 'an order must carry its own row’s numbers:', { line, sent });
  }
  must(new Set(idOf.values()).size === idOf.size, 'no two customers have one id:', [...idOf]);
  for (const [size, times] of effects.numbers) {
    const most = (got.get(size) ?? 0) + (perhaps.get(size) ?? 0);
    must(times >= (got.get(size) ?? 0) && times <= most, 'no row may get numbers twice:', {
      size,
      times,
      most,
    });
    tally.unknownDone += times - (got.get(size) ?? 0);
  }
  for (const order of effects.orders.keys()) {
    must(
      lines.some((it) => it.Order === order),
      'every order carried out must have a row:',
      order,
    );
  }
  return { carriedOut: effects.orders.size, ...tally };
}

/** After a step that is unknown nothing is sent of the row. */
function checkOrderOfSteps(statuses: readonly string[], line: Line): void {
  const first = statuses.indexOf('unknown');
  if (first < 0) return;
  const rest = statuses.slice(first + 1);
  must(
    rest.every((it) => it === 'not_sent'),
    'nothing follows a step that is unknown:',
    line,
  );
  must(
    statuses.slice(0, first).every((it) => it === 'succeeded'),
    'nothing precedes it that did not succeed:',
    line,
  );
}
