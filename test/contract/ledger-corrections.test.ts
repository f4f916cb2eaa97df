import { expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import { describeLedger } from '../support/ledgers.js';

const IMPORT = 'i1';

function cell(row: number, text: string, before = 'old') {
  return { row, column: 3, header: 'Licence type', before, text };
}

async function texts(store: Ledger['corrections'], who = 'wang'): Promise<string> {
  const { cells, canUndo, canRedo } = await store.current(IMPORT, who);
  const reported = cells.map((it) => `${it.row}=${it.text}(${it.who})`).join(' ');
  return `${reported} ${canUndo ? 'u' : '-'}${canRedo ? 'r' : '-'}`;
}

describeLedger('corrections of imports', (here) => {
  test('of each cell the last one holds, with who and when; each import has its own', async () => {
    const { corrections } = here.ledger;
    await corrections.add(IMPORT, [cell(7, 'a'), cell(5, 'b')], { id: '1', who: 'wang', at: 10 });
    await corrections.add(IMPORT, [cell(7, 'c', 'a')], { id: '2', who: 'li', at: 20 });
    await corrections.add('i2', [cell(7, 'd')], { id: '1', who: 'wang', at: 30 });
    await here.reopen();
    const store = here.ledger.corrections;
    expect(await store.current(IMPORT, 'wang')).toEqual({
      cells: [
        { row: 5, column: 3, header: 'Licence type', text: 'b', who: 'wang', at: 10 },
        { row: 7, column: 3, header: 'Licence type', text: 'c', who: 'li', at: 20 },
      ],
      last: 2,
      canUndo: true,
      canRedo: false,
    });
    expect(await store.lines(IMPORT)).toEqual([
      { act: 1, ...cell(5, 'b'), who: 'wang', at: 10 },
      { act: 1, ...cell(7, 'a'), who: 'wang', at: 10 },
      { act: 2, ...cell(7, 'c', 'a'), who: 'li', at: 20 },
    ]);
    expect((await store.current('i2', 'li')).cells).toHaveLength(1);
    expect(await store.current('i3', 'li')).toEqual({ cells: [], last: 0, canUndo: false, canRedo: false });
  });

  test('each person undoes their own acts and does them again; what another corrected since stays', async () => {
    const { corrections } = here.ledger;
    await corrections.add(IMPORT, [cell(5, 'a'), cell(6, 'a')], { id: '1', who: 'wang', at: 10 });
    await corrections.add(IMPORT, [cell(7, 'b')], { id: '2', who: 'wang', at: 20 });
    await corrections.add(IMPORT, [cell(6, 'c')], { id: '3', who: 'li', at: 30 });
    expect(await texts(corrections, 'zhao')).toBe('5=a(wang) 6=c(li) 7=b(wang) --');
    expect(await corrections.undo(IMPORT, { id: '4', who: 'wang', at: 40 })).toEqual([{ row: 7, column: 3 }]);
    expect(await corrections.undo(IMPORT, { id: '5', who: 'wang', at: 50 })).toEqual([
      { row: 5, column: 3 },
      { row: 6, column: 3 },
    ]);
    expect(await texts(corrections)).toBe('6=c(li) -r');
    expect(await corrections.undo(IMPORT, { id: '6', who: 'wang', at: 60 })).toEqual([]);
    expect(await corrections.redo(IMPORT, { id: '7', who: 'wang', at: 70 })).toHaveLength(2);
    expect(await texts(corrections)).toBe('5=a(wang) 6=c(li) ur');
    expect((await corrections.lines(IMPORT)).map((it) => it.undone)).toEqual([
      undefined,
      undefined,
      { who: 'wang', at: 40 },
      undefined,
    ]);
    await corrections.add(IMPORT, [cell(8, 'd')], { id: '8', who: 'wang', at: 80 });
    expect(await texts(corrections)).toBe('5=a(wang) 6=c(li) 8=d(wang) u-');
    expect(await corrections.redo(IMPORT, { id: '9', who: 'wang', at: 90 })).toEqual([]);
  });

  test('an act that is asked for again, as its answer was lost, is done once', async () => {
    const { corrections } = here.ledger;
    for (const text of ['a', 'other'])
      await corrections.add(IMPORT, [cell(5, text)], { id: '1', who: 'wang', at: 10 });
    await corrections.add(IMPORT, [cell(6, 'b')], { id: '2', who: 'wang', at: 20 });
    for (const at of [30, 31])
      expect(await corrections.undo(IMPORT, { id: '3', who: 'wang', at })).toEqual([{ row: 6, column: 3 }]);
    expect(await texts(corrections)).toBe('5=a(wang) ur');
    for (const at of [40, 41])
      expect(await corrections.redo(IMPORT, { id: '4', who: 'wang', at })).toEqual([{ row: 6, column: 3 }]);
    expect(await texts(corrections)).toBe('5=a(wang) 6=b(wang) u-');
    const audit = await here.ledger.audit.page({ limit: 100 });
    expect(audit.map(({ act, detail }) => `${act} ${detail.kind} ${detail.cells}`)).toEqual([
      'correct redo 1',
      'correct undo 1',
      'correct correct 1',
      'correct correct 1',
    ]);
  });

  test('that were typed before newer acts were seen are not stored, unless they are stored already', async () => {
    const other = await here.another();
    const { corrections } = here.ledger;
    const first = { id: '1', who: 'wang', at: 10 };
    expect(await corrections.add(IMPORT, [cell(5, 'a')], first, 0)).toBe(true);
    expect(await other.corrections.add(IMPORT, [cell(5, 'b')], { id: '2', who: 'li', at: 20 }, 0)).toBe(
      false,
    );
    expect(await other.corrections.add(IMPORT, [cell(5, 'b')], { id: '2', who: 'li', at: 20 }, 1)).toBe(true);
    expect(await corrections.add(IMPORT, [cell(5, 'a')], first, 0)).toBe(true);
    expect(await texts(corrections)).toBe('5=b(li) u-');
    const undone = await other.corrections.undo(IMPORT, { id: '3', who: 'li', at: 30 });
    expect(undone).toHaveLength(1);
    expect(await corrections.add(IMPORT, [cell(5, 'c')], { id: '4', who: 'wang', at: 40 }, 2)).toBe(false);
    await other.close();
  });

  test('two at once lose nothing of each other', async () => {
    const other = await here.another();
    const acts = Array.from({ length: 20 }, (_, n) => {
      const store = n % 2 === 0 ? here.ledger.corrections : other.corrections;
      return store.add(IMPORT, [cell(n + 2, `${n}`)], { id: `${n}`, who: `p${n % 2}`, at: n });
    });
    await Promise.all(acts);
    const { cells, last } = await other.corrections.current(IMPORT, 'p0');
    expect(cells.map((it) => it.text)).toEqual(acts.map((_, n) => `${n}`));
    expect(last).toBe(20);
    await Promise.all([
      here.ledger.corrections.undo(IMPORT, { id: 'u0', who: 'p0', at: 50 }),
      other.corrections.undo(IMPORT, { id: 'u1', who: 'p1', at: 50 }),
    ]);
    expect((await other.corrections.current(IMPORT, 'p0')).cells).toHaveLength(18);
    await other.close();
  });

  test('lines are never changed, and go with their import', async () => {
    const { corrections } = here.ledger;
    await corrections.add(IMPORT, [cell(5, 'a')], { id: '1', who: 'wang', at: 10 });
    await corrections.add('i2', [cell(5, 'b')], { id: '1', who: 'wang', at: 10 });
    const change = (sql: string) => here.ledger.upkeep.read(sql);
    await expect(change("UPDATE correction_cells SET typed = 'x'")).rejects.toThrow();
    await expect(change("UPDATE correction_acts SET who = 'x'")).rejects.toThrow();
    expect(await texts(corrections)).toBe('5=a(wang) u-');
    await corrections.remove(IMPORT);
    expect(await corrections.lines(IMPORT)).toEqual([]);
    expect(await corrections.lines('i2')).toHaveLength(1);
  });
});
