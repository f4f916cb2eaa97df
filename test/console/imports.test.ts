import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UNWATCHED, type WatchedContext } from '../../src/app/context.js';
import { runJob } from '../../src/app/run.js';
import { message, render } from '../../src/errors/message.js';
import { openLedger } from '../../src/ledger/open.js';
import { systemClock } from '../../src/util/clock.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { cookieOf } from '../support/console.js';
import { ImportFixture } from '../support/imports.js';
import { collect } from '../support/ledger-samples.js';
import { orderJob } from '../support/orders.js';
import { postgresPlace } from '../support/postgres/shared-server.js';
import { readLines, readSheet } from '../support/read-sheet.js';

const HEADER = 'Order,Customer,Asset,Nodes';
/** 成都瑞丰信息技术有限公司 in GB18030. */
const GB18030 = Buffer.from('b3c9b6bcc8f0b7e1d0c5cfa2bcbccaf5d3d0cfdeb9abcbbe', 'hex');
const EXCLUDED = render(message('run.row_excluded'), 'en');
const INVALID = `${HEADER}
SO-1,Customer 1,A1,5
SO-2,Customer 2,A2,many
SO-3,Customer 3,A3,7
SO-4,,A4,8
`;

const PLACES = [
  { name: 'SQLite', place: async () => undefined },
  { name: 'PostgreSQL', place: postgresPlace },
] as const;

describe.each(PLACES)('an import at the console ($name)', ({ name, place }) => {
  let fixture: ImportFixture;
  let made: Awaited<ReturnType<typeof place>>;

  beforeEach(async () => {
    made = await place();
    fixture = await ImportFixture.open(made ? { ledger: made.url } : {});
  });

  afterEach(async () => {
    await fixture.close();
    await made?.remove();
  });

  it('is there for another console of the same ledger, which creates the cells again', async () => {
    const id = await fixture.import('orders.csv', INVALID);
    const cells = path.join(fixture.console.folder, '.license-sync', 'cells');
    if (!made) expect(await readdir(cells)).toHaveLength(1);
    const other = await ImportFixture.open(
      made
        ? { ledger: made.url }
        : { ledger: path.join(fixture.console.folder, '.license-sync', 'ledger.db') },
    );
    try {
      expect(await other.checked(id)).toMatchObject({ state: 'checked', counts: { valid: 2, invalid: 2 } });
      expect((await other.rows(id)).items).toHaveLength(4);
    } finally {
      await other.close();
    }
  });

  it('finds the cells that contain a text, with it replaced, in one column or all', async () => {
    const rows = ['SO.1,Acme (CN),so.1,5', 'SOx1,acme,A2,6', 'SO-3,Customer,A3,7'];
    const id = await fixture.import('orders.csv', `${HEADER}\n${rows.join('\n')}\n`);
    await fixture.checked(id);
    const found = async (query: object) => {
      const { cells, left } = await fixture.ask('POST', `/imports/${id}/proposals`, query);
      expect(left).toBe(0);
      return cells.map(({ row, column, text }) => [row, column, text]);
    };
    // Characters of patterns mean themselves.
    expect(await found({ find: 'so.1', replace: '$&-1' })).toEqual([
      [2, 1, '$&-1'],
      [2, 3, '$&-1'],
    ]);
    expect(await found({ find: 'ACME', replace: 'Acme', column: 2 })).toEqual([[3, 2, 'Acme']]);
    expect(await found({ find: 'acme', replace: '', isWhole: true })).toEqual([[3, 2, '']]);
    await fixture.ask('POST', `/imports/${id}/corrections`, { cells: [{ row: 4, column: 2, text: 'ACME' }] });
    expect(await found({ find: 'ACME', replace: 'X', isWhole: true })).toEqual([
      [3, 2, 'X'],
      [4, 2, 'X'],
    ]);
    expect(
      (await fixture.ask('POST', `/imports/${id}/proposals`, { find: '', replace: 'X' })).httpStatus,
    ).toBe(400);
  });

  it('excludes a row, includes it again, and undoes that; an excluded row is empty in the corrected copy', async () => {
    const id = await fixture.import('orders.csv', INVALID);
    await fixture.checked(id);
    const change = (row: number, text: string) =>
      fixture.ask('POST', `/imports/${id}/corrections`, { cells: [{ row, column: 0, text }] });
    const excluded = await change(3, 'exclude');
    expect(excluded).toMatchObject({
      counts: { valid: 2, invalid: 1, skipped: 1 },
      corrections: { cells: 0, canUndo: true },
    });
    expect(excluded.rows.find((it) => it.row === 3)).toMatchObject({
      status: 'skipped',
      excluded: true,
      cells: ['SO-2', 'Customer 2', 'A2', 'many'],
      faults: [{ code: 'run.row_excluded' }],
      corrected: [],
    });
    expect(await fixture.checked(id)).toMatchObject({ counts: { valid: 2, invalid: 1, skipped: 1 } });
    expect(await change(2, 'exclude')).toMatchObject({ counts: { valid: 1, skipped: 2 } });
    expect(await change(2, 'include')).toMatchObject({ counts: { valid: 2, skipped: 1 } });
    expect(await fixture.ask('POST', `/imports/${id}/undo`, {})).toMatchObject({
      counts: { valid: 1, skipped: 2 },
    });
    expect((await change(4, 'other')).httpStatus).toBe(400);
    expect(await (await fixture.send('GET', `/imports/${id}/corrected.xlsx`)).text()).toBe(
      `${HEADER}\r\n\r\n\r\nSO-3,Customer 3,A3,7\r\nSO-4,,A4,8\r\n`,
    );
    expect(await (await fixture.send('GET', `/imports/${id}/corrections.csv`)).text()).toBe(
      'row,column,value\r\n2,,exclude\r\n3,,exclude\r\n',
    );
  });

  it('of a result keeps its excluded row excluded when cells of that row and the next are corrected', async () => {
    const result = (row: number, status: string, why: string, cells: string): string =>
      `${row},${status},,,"${why}",0,20261127-101010-abcdef,${cells}\n`;
    const id = await fixture.import(
      'orders.csv',
      `\ufeffrow,status,licenseOrderId,code,message,attempts,run,${HEADER}\n${result(2, 'skipped', EXCLUDED, 'SO-1,Customer 1,A1,5')}${result(3, 'invalid', '', 'SO-2,Customer 2,A2,many')}`,
    );
    expect(await fixture.checked(id)).toMatchObject({ counts: { skipped: 1, invalid: 1 } });
    const cells = [
      { row: 2, column: 11, text: '6' },
      { row: 3, column: 11, text: '7' },
    ];
    expect(await fixture.ask('POST', `/imports/${id}/corrections`, { cells })).toMatchObject({
      counts: { skipped: 1, valid: 1 },
    });
  });

  it('is corrected by two people: each sees the other, and no cell that the other changed is replaced unseen', async () => {
    const id = await fixture.import('orders.csv', INVALID);
    const [li, zhou] = [await person('Li Na'), await person('周')];
    const nodes = (text: string, before?: string) => ({ cells: [{ row: 3, column: 4, text, before }] });
    expect(await li('corrections', nodes('6', 'many'))).toMatchObject({ httpStatus: 200 });
    const two = {
      cells: [...nodes('7', 'many').cells, { row: 5, column: 2, text: 'Customer 4', before: '' }],
    };
    expect(await zhou('corrections', two)).toMatchObject({
      httpStatus: 409,
      code: 'imports.cell_changed',
      detail: expect.stringMatching(/D3.*Li Na/),
      cells: [{ row: 3, column: 4, text: '6', who: 'Li Na', at: expect.stringMatching(/^20\d\d-.*Z$/) }],
    });
    const now = async () => (await fixture.rows(id, '?at=1')).items[0]?.cells[3];
    expect([(await fixture.checked(id)).corrections.cells, await now()]).toEqual([1, '6']);
    // The same text, or one that is not compared, replaces nothing unseen.
    expect(await zhou('corrections', nodes('6', 'many'))).toMatchObject({ httpStatus: 200 });
    expect(await zhou('corrections', nodes('7', '6'))).toMatchObject({ httpStatus: 200 });
    // Own changes are never asked about; those of others are, also when they undo.
    expect(await zhou('corrections', nodes('8', 'many'))).toMatchObject({ httpStatus: 200 });
    await zhou('undo', {});
    expect(await li('corrections', nodes('9', '8'))).toMatchObject({
      httpStatus: 409,
      cells: [{ text: '7', who: '周' }],
    });
    // An undo replaces nothing that another user corrected since.
    await li('corrections', nodes('9', '7'));
    await zhou('undo', {});
    expect(await now()).toBe('9');
    const both = await Promise.all([
      li('corrections', nodes('10', '9')),
      zhou('corrections', nodes('11', '9')),
    ]);
    const statuses = both.map((it) => it.httpStatus);
    expect(statuses).toContain(200);
    // The second is asked, unless it is the one whose own text was replaced.
    expect(await now()).toBe(statuses[1] === 200 ? '11' : '10');
    expect(statuses.filter((it) => it === 200)).toHaveLength(1);
    const others = async (ask: typeof li) => (await ask('', undefined)).others;
    await others(zhou);
    expect(await others(li)).toContain('周');
    expect(await others(zhou)).toContain('Li Na');
    expect(await others(zhou)).not.toContain('周');
    const clock = vi.spyOn(systemClock, 'now').mockImplementation(() => Date.now() + 61_000);
    try {
      expect(await others(zhou)).toEqual([]);
    } finally {
      clock.mockRestore();
    }

    async function person(name: string) {
      const token = await fixture.console.addPerson(name, ['maker']);
      const cookie = cookieOf(await fixture.send('POST', '/session', { token }));
      return async (act: string, body: object | undefined) => {
        const at = act === '' ? `/imports/${id}` : `/imports/${id}/${act}`;
        const answer = await fixture.send(body ? 'POST' : 'GET', at, body, { cookie });
        return { httpStatus: answer.status, ...((await answer.json()) as { others?: string[] }) };
      };
    }
  });

  // The rest is the same on both: contract/ runs the ledger's statements on each, and browser/whole-way.test.ts corrects
  // and plans on a server.
  if (name !== 'SQLite') return;

  it('is corrected: at once, then by a whole check; undone and done again; the same act twice is one', async () => {
    const id = await fixture.import('orders.csv', INVALID);
    const before = await fixture.checked(id);
    // They do not depend on the stored cells, so that they are there while the file is being checked.
    const { items } = await fixture.rows(id);
    expect(await fixture.ask('GET', `/imports/${id}/first-rows`)).toMatchObject({
      headers: HEADER.split(','),
      items,
    });
    const act = { act: 'a-1', cells: [{ row: 3, column: 4, text: '6' }] };
    const reported = await fixture.ask('POST', `/imports/${id}/corrections`, act);
    expect(reported).toMatchObject({
      counts: { valid: 3, invalid: 1 },
      corrections: { cells: 1, canUndo: true },
      checking: true,
    });
    expect(reported.rows.find((it) => it.row === 3)).toMatchObject({
      status: 'valid',
      cells: ['SO-2', 'Customer 2', 'A2', '6'],
      faults: [],
      corrected: [4],
    });
    expect(reported.faults).toHaveLength(1);
    // The list of invalid rows follows at once, before the whole is checked again.
    expect(await fixture.rows(id, '?invalid=true')).toMatchObject({ total: 1, items: [{ row: 5 }] });
    const kinds = await Promise.all(before.faults.map((it) => fixture.rows(id, `?kind=${it.kind}`)));
    expect(kinds.map((it) => it.total).sort()).toEqual([0, 1]);
    // A page that began with the list of before continues with its positions.
    expect(await fixture.ask('GET', `/imports/${id}/row-positions?invalid=true`)).toMatchObject({
      places: [3, 1],
      total: 1,
    });
    expect(await fixture.rows(id, '?at=1,3,4')).toMatchObject({
      items: [
        { row: 3, status: 'valid' },
        { row: 5, status: 'invalid' },
      ],
    });
    const again = await fixture.ask('POST', `/imports/${id}/corrections`, act);
    expect(again.corrections.cells).toBe(1);
    const now = await fixture.checked(id);
    expect(now).toMatchObject({ counts: { valid: 3, invalid: 1 }, rows: 4 });
    expect(now.check).not.toBe(before.check);
    expect(now.version).not.toBe(before.version);
    const undone = await fixture.ask('POST', `/imports/${id}/undo`, { act: 'a-2' });
    expect(undone).toMatchObject({
      counts: { valid: 2, invalid: 2 },
      corrections: { cells: 0, canRedo: true },
    });
    expect(undone.rows.find((it) => it.row === 3)).toMatchObject({ status: 'invalid', corrected: [] });
    const redone = await fixture.ask('POST', `/imports/${id}/redo`, { act: 'a-3' });
    expect(redone).toMatchObject({ counts: { valid: 3, invalid: 1 } });
    const history = await fixture.ask('GET', `/imports/${id}/corrections`);
    expect(history.items[0]).toMatchObject({ row: 3, column: 4, header: 'Nodes', before: 'many', text: '6' });
    await fixture.checked(id);
  });

  it('is planned: the same plan as the command line makes of the same file, job and corrections', async () => {
    const id = await fixture.import('orders.csv', INVALID);
    const cells = [
      { row: 3, column: 4, text: '6' },
      { row: 5, column: 2, text: 'Customer 4' },
      { row: 2, column: 0, text: 'exclude' },
    ];
    await fixture.ask('POST', `/imports/${id}/corrections`, { cells });
    const { run, httpStatus } = await fixture.ask('POST', `/imports/${id}/plan`);
    expect(httpStatus).toBe(201);
    expect(await fixture.checked(id)).toMatchObject({ plan: run });
    const { folder } = fixture.console;
    await writeFile(path.join(folder, 'orders.csv'), INVALID);
    await writeFile(path.join(folder, 'jobs', 'orders.csv'), INVALID);
    const file = await fixture.send('GET', `/imports/${id}/corrections.csv`);
    expect(file.headers.get('content-disposition')).toContain('orders-corrections.csv');
    await writeFile(path.join(folder, 'corrections.csv'), Buffer.from(await file.arrayBuffer()));
    const planned = await runJob(commandLine(folder, made?.url), 'jobs/orders.yaml', {
      kind: 'plan',
      corrections: 'corrections.csv',
    });
    expect(planned.exitCode).toBe(0);
    const ledger = await openLedger(made?.url ?? path.join(folder, '.license-sync', 'ledger.db'));
    const reported = await Promise.all(
      [run, String(planned.summary.run)].map(async (id) => {
        const { planHash, kind, state, rows, items, settings } = (await ledger.runs.get(id))!;
        const bodies = await collect(ledger.plan.bodies(id));
        const { corrections } = settings as { corrections?: { sha256: string } };
        return { planHash, kind, state, rows, items, bodies, corrected: corrections?.sha256 };
      }),
    );
    await ledger.close();
    expect(reported[0]).toEqual(reported[1]);
    expect(reported[0]).toMatchObject({ kind: 'plan', state: 'planned', rows: 4, items: 3 });
  });

  it('requests what lookups fill where a user asks for it', async () => {
    const lookup =
      '{ lookup: enterprise.query, with: { channelCode: { value: CH }, channelCustomerId: Customer, defaultCustomer: { value: Y } }, take: enterpriseGlobalId }';
    const job = orderJob().replace('enterpriseGlobalId: { value: E1 }', `enterpriseGlobalId: ${lookup}`);
    await fixture.job('orders.yaml', `${job}connection: sandbox\n`);
    const id = await fixture.import('orders.csv', INVALID);
    const given = await fixture.checked(id);
    expect(given).toMatchObject({ hasLookups: true, lookups: 'given', counts: { valid: 2, invalid: 2 } });
    expect((await fixture.ask('POST', `/imports/${id}/check`, { lookups: true })).httpStatus).toBe(204);
    // No customer of that number is known to the sandbox.
    expect(await fixture.checked(id)).toMatchObject({ lookups: 'asked', counts: { invalid: 4 } });
  });

  it('is checked: counts, faults by kind, and the rows with their cells', async () => {
    const id = await fixture.import('orders.csv', INVALID);
    const now = await fixture.checked(id);
    expect(now).toMatchObject({
      import: id,
      name: 'orders.csv',
      job: 'jobs/orders.yaml',
      operation: 'order.new_buy',
      connection: { name: 'sandbox', sandbox: true },
      hasLookups: false,
      lookups: 'given',
      state: 'checked',
      rows: 4,
      counts: { valid: 2, invalid: 2 },
      corrections: { cells: 0, canUndo: false, canRedo: false },
    });
    expect(now.faults).toHaveLength(2);
    expect(now.faults.map((it) => [it.count, it.first]).sort()).toEqual([
      [1, 3],
      [1, 5],
    ]);
    // It is looked at here, and not among the runs.
    expect((await fixture.ask('GET', '/runs')).items).toEqual([]);
    expect((await fixture.ask('GET', '/runs?kind=dry_run')).items).toMatchObject([{ run: now.check }]);
    await fixture.ask('POST', `/imports/${id}/check`);
    await fixture.checked(id);
    expect((await fixture.ask('GET', '/runs')).items).toEqual([]);
    const columns = await fixture.ask('GET', `/imports/${id}/columns`);
    expect(columns.headers.map((it) => [it.letter, it.text])).toEqual([
      ['A', 'Order'],
      ['B', 'Customer'],
      ['C', 'Asset'],
      ['D', 'Nodes'],
    ]);
    expect(columns.headers[3]!.field).toMatch(/limitConcurrent$/);
    const all = await fixture.rows(id);
    expect(all.total).toBe(4);
    expect(all.items.map((it) => [it.row, it.status])).toEqual([
      [2, 'valid'],
      [3, 'invalid'],
      [4, 'valid'],
      [5, 'invalid'],
    ]);
    expect(all.items[1]).toMatchObject({
      cells: ['SO-2', 'Customer 2', 'A2', 'many'],
      faults: [{ column: 4 }],
      corrected: [],
    });
    const invalid = await fixture.rows(id, '?invalid=true&from=1&count=10');
    expect(invalid).toMatchObject({ total: 2, items: [{ row: 5 }] });
    const places = await fixture.ask('GET', `/imports/${id}/row-positions?invalid=true`);
    expect(places).toMatchObject({ places: [1, 1, 1, 1], total: 2 });
    const arranged = `/imports/${id}/row-positions?sort=-1&filter=${encodeURIComponent('{"2":"customer"}')}`;
    expect(await fixture.ask('GET', arranged)).toMatchObject({ places: [2, 1, -2, 1, -2, 1], total: 3 });
    const kind = now.faults.find((it) => it.first === 3)!.kind;
    expect(await fixture.rows(id, `?kind=${kind}`)).toMatchObject({ total: 1, items: [{ row: 3 }] });
    expect(await fixture.ask('GET', '/imports')).toMatchObject({ items: [{ id, state: 'checked' }] });
  });

  it('offers allowed values with their names, and takes the names', async () => {
    const job = (await readFile(jobFile(fixture), 'utf8')).replace(
      'licenseType: { value: normal_recover_usbkey }',
      'licenseType: Kind',
    );
    await fixture.job('kinds.yaml', job);
    const sheet = `${HEADER},Kind\nSO-1,Customer 1,A1,5,单机证书\nSO-2,Customer 2,A2,5,单机\n`;
    const id = await fixture.import('orders.csv', sheet, { job: 'kinds.yaml' });
    const { faults } = await fixture.checked(id);
    expect(faults).toEqual([
      expect.objectContaining({ text: expect.stringContaining('softkey (certificate for one machine)') }),
    ]);
    const { headers } = await fixture.ask('GET', `/imports/${id}/columns`);
    expect(headers.find((it) => it.text === 'Kind')).toMatchObject({
      allowed: expect.arrayContaining(['softkey']),
      names: expect.objectContaining({ softkey: 'softkey (certificate for one machine)' }),
    });
  });

  it('names faults by header and cell', async () => {
    const job = (await readFile(jobFile(fixture), 'utf8')).replace(
      'limitConcurrent: Nodes',
      'limitConcurrent: { column: Nodes, values: { few: 5, many: 50 } }',
    );
    await fixture.job('words.yaml', job);
    const sheet = `${HEADER}\nSO-1,Customer 1,A1,mny\nSO-2,,A2,5\nSO-3,,A3,5\n`;
    const id = await fixture.import('orders.csv', sheet, { job: 'words.yaml' });
    const near = '"mny" is not allowed here; did you mean many';
    const { faults } = await fixture.checked(id);
    expect(faults).toEqual([
      expect.objectContaining({ text: expect.stringMatching(/^Customer, column B: /) }),
      expect.objectContaining({ text: expect.stringContaining(`Nodes, D2: ${near}`) }),
    ]);
    const { items } = await fixture.rows(id);
    expect(items[0]!.faults[0]!.text).toContain(`Nodes, D2: ${near}`);
    expect(items[1]!.faults[0]!.text).toMatch(/^Customer, B3: /);
    const { run } = await fixture.ask('POST', `/imports/${id}/plan`);
    const { skipped } = (await fixture.ask('GET', `/plans/${run}`)) as never as {
      skipped: { reason: string }[];
    };
    expect(skipped.map((it) => it.reason)).toContainEqual(expect.stringMatching(/^Customer, orders!B3: /));
  });

  it('counts an error once, where its cell is, and names those that no cell of the grid has', async () => {
    const sheet = `${HEADER}\nSO-1,Customer 1,A1,5\nSO-1,Customer 1,A2,many\nSO-1,Customer 1,A3,6\nSO-3,C,A4,5,6\nSO-2,C`;
    const id = await fixture.import('orders.csv', sheet);
    const { faults, counts } = await fixture.checked(id);
    expect(counts).toEqual({ invalid: 5 });
    const reported = faults.map((it) => [it.code, it.count, it.first, it.outside]);
    expect(reported).toHaveLength(3);
    expect(reported).toContainEqual(['mapping.not_whole', 1, 3, undefined]);
    expect(reported).toContainEqual(['source.csv_row_cut_off', 1, 6, true]);
    expect(reported).toContainEqual(['source.csv_row_long', 1, 5, true]);
    const { kind } = faults.find((it) => it.first === 3)!;
    expect(await fixture.rows(id, `?kind=${kind}`)).toMatchObject({ total: 1, items: [{ row: 3 }] });
  });

  it('is reported by the name that it was put in under, and by no place of the server', async () => {
    const folder = fixture.console.folder;
    const bare = await fixture.import('bare.csv', `${HEADER}\n`);
    const { warnings } = await fixture.checked(bare);
    expect(warnings).toEqual([expect.stringMatching(/^bare\.csv, sheet bare: /)]);
    const chinese = Buffer.concat([Buffer.from(`${HEADER}\nSO-1,`), GB18030, Buffer.from(',A1,5\n')]);
    const id = await fixture.import('orders.csv', chinese);
    const now = await fixture.checked(id);
    expect(now.warnings).toContainEqual(expect.stringMatching(/^orders\.csv: read as GB18030/));
    const { run } = await fixture.ask('POST', `/imports/${id}/plan`);
    expect(JSON.stringify(await fixture.ask('GET', `/plans/${run}`))).not.toContain(
      `${folder}/.license-sync`,
    );
    const checked = await fixture.send('GET', `/imports/${id}/checked.xlsx`);
    const file = path.join(folder, 'checked.xlsx');
    await writeFile(file, new Uint8Array(await checked.arrayBuffer()));
    const summary = await readLines(file, 'Summary');
    expect(summary).toContainEqual(['input file', 'orders.csv']);
    expect(JSON.stringify(summary)).not.toContain(folder);
    const other = await fixture.import('other.csv', 'A,B\n1,2\n');
    const { failure } = await fixture.checked(other);
    expect(failure.others.at(-1)).toBe('the file is other.csv, the job jobs/orders.yaml');
  });

  it('proposes texts for the cells of a kind for which one is known, wherever in the sheet they are', async () => {
    const line = (at: number, nodes: string): string => `SO-${at},Customer ${at},A${at},${nodes}`;
    // Far too many nodes: without its unit it is no number that the field takes.
    const words = Array.from({ length: 100 }, (_, at) => line(at + 1, `99000000000${at + 10} 台`));
    const sheet = [HEADER, ...words, line(101, '5 台'), line(102, '6 台')];
    const id = await fixture.import('orders.csv', sheet.join('\n'));
    const { faults } = await fixture.checked(id);
    expect(faults).toMatchObject([{ count: 102 }]);
    const { kind } = faults[0]!;
    const proposals = await fixture.ask('POST', `/imports/${id}/proposals`, { kind });
    expect(proposals).toMatchObject({ cells: { length: 102 }, left: 0 });
    expect(proposals.cells.filter((it) => it.text !== undefined)).toEqual([
      { row: 102, column: 4, before: '5 台', text: '5' },
      { row: 103, column: 4, before: '6 台', text: '6' },
    ]);
    const cells = [102, 103].map((row) => ({ row, column: 4, text: '5' }));
    const corrected = await fixture.ask('POST', `/imports/${id}/corrections`, { act: 'all', cells });
    expect(corrected.faults).toMatchObject([{ count: 100 }]);
    const others = await fixture.ask('POST', `/imports/${id}/proposals`, { kind });
    expect(others.cells).toHaveLength(100);
    expect(others.cells.every((it) => it.text === undefined)).toBe(true);
    await fixture.checked(id);
  });

  it('is planned without its invalid rows where a user chooses that, as `plan --on-invalid skip` does', async () => {
    const id = await fixture.import('orders.csv', INVALID);
    const held = (await fixture.ask('POST', `/imports/${id}/plan`)).run;
    const { run } = await fixture.ask('POST', `/imports/${id}/plan`, { onInvalid: 'skip' });
    const link = { import: { id, name: 'orders.csv' } };
    expect(await fixture.ask('GET', `/plans/${held}`)).toMatchObject({
      ...link,
      state: 'invalid',
      onInvalid: 'abort',
      counts: { invalid: 2 },
      may: { send: expect.stringContaining('2 rows are invalid') },
    });
    expect(await fixture.ask('GET', `/plans/${run}`)).toMatchObject({
      ...link,
      state: 'planned',
      onInvalid: 'skip',
      items: 2,
      counts: { invalid: 2, valid: 2 },
      may: { send: true },
    });
    expect(await fixture.ask('GET', `/runs/${held}`)).toMatchObject(link);
    const plans = { run, state: 'planned', sent: false, items: 2, invalid: 2, onInvalid: 'skip' };
    expect((await fixture.ask('GET', `/imports/${id}/plans`)).items).toMatchObject([
      plans,
      { run: held, state: 'invalid', onInvalid: 'abort' },
    ]);
    expect(await fixture.checked(id)).toMatchObject({ plan: run, onInvalid: 'abort' });
    const { folder } = fixture.console;
    await writeFile(path.join(folder, 'jobs', 'orders.csv'), INVALID);
    const planned = await runJob(commandLine(folder, made?.url), 'jobs/orders.yaml', {
      kind: 'plan',
      onInvalid: 'skip',
    });
    expect(planned.exitCode).toBe(1);
    const ledger = await openLedger(made?.url ?? path.join(folder, '.license-sync', 'ledger.db'));
    const hashes = [];
    for (const of of [run, String(planned.summary.run)]) hashes.push((await ledger.runs.get(of))!.planHash);
    await ledger.close();
    expect(hashes[0]).toBe(hashes[1]);
  });

  it('reports why a check failed, and is checked again when the job is fixed', async () => {
    await fixture.job('orders.yaml', (await readFile(jobFile(fixture), 'utf8')).replace('Nodes', 'Seats'));
    const id = await fixture.import('orders.csv', INVALID);
    const failed = await fixture.checked(id);
    expect(failed).toMatchObject({ state: 'failed', failure: { code: expect.any(String) } });
    expect(failed.failure.text).toContain('Seats');
    expect((await fixture.rows(id)).httpStatus).toBe(409);
    await fixture.job('orders.yaml', (await readFile(jobFile(fixture), 'utf8')).replace('Seats', 'Nodes'));
    expect((await fixture.ask('POST', `/imports/${id}/check`, {})).httpStatus).toBe(204);
    expect(await fixture.checked(id)).toMatchObject({ state: 'checked', counts: { valid: 2, invalid: 2 } });
  });

  it('is taken home: the checked workbook has every row with what the check says', async () => {
    const id = await fixture.import('orders.csv', INVALID);
    const answer = await fixture.send('GET', `/imports/${id}/checked.xlsx`);
    expect(answer.status).toBe(200);
    const file = path.join(fixture.console.folder, 'home.xlsx');
    await writeFile(file, Buffer.from(await answer.arrayBuffer()));
    const rows = await readSheet(file, 'Results');
    expect(rows).toHaveLength(4);
    await fixture.ask('POST', `/imports/${id}/corrections`, { cells: [{ row: 3, column: 4, text: '6' }] });
    // Asked for while the check is behind: it has what the page shows, whole, though checks take each other's place.
    const sent = [fixture.ask('POST', `/imports/${id}/check`), fixture.ask('POST', `/imports/${id}/check`)];
    for (let times = 0; times < 2; times += 1) {
      const again = await fixture.send('GET', `/imports/${id}/checked.xlsx`);
      expect(again.status).toBe(200);
      await writeFile(file, Buffer.from(await again.arrayBuffer()));
      const reported = await readSheet(file, 'Results');
      expect(reported).toHaveLength(4);
      expect(reported[1]).toMatchObject({ status: 'valid' });
    }
    await Promise.all(sent);
    const corrected = await fixture.send('GET', `/imports/${id}/corrected.xlsx`);
    expect(corrected.headers.get('content-disposition')).toContain('orders-corrected.csv');
    expect(await corrected.text()).toContain('SO-2,Customer 2,A2,6');
    if (made) return;
    const uploads = path.join(fixture.console.folder, '.license-sync', 'uploads');
    await expect.poll(() => readdir(uploads)).toEqual([]);
  });
});

/** As a user in that folder. */
function commandLine(cwd: string, ledger: string | undefined): WatchedContext {
  return {
    env: process.env,
    cwd,
    language: 'en',
    ...(ledger === undefined ? {} : { ledger }),
    watch: UNWATCHED,
    stop: new StopSignal(),
    confirm: true,
  };
}

function jobFile(fixture: ImportFixture): string {
  return path.join(fixture.console.folder, 'jobs', 'orders.yaml');
}
