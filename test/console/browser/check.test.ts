import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NO_BROWSER, type openPage, picture, violations } from '../../support/browser.js';
import { type FakeRoutes, problem } from '../../support/fake-console.js';
import { FakeImport } from './fake-import.js';
import { stage } from './stage.js';

const at = stage();

async function check(
  sheet: FakeImport,
  looks: Parameters<typeof openPage>[2] = {},
  { path = '/imports/i1', routes = {} }: { path?: string; routes?: FakeRoutes } = {},
): Promise<Page> {
  return at.open({ ...sheet.routes, ...routes }, path, looks);
}

/** The cell of a column (Excel's letter counted from 1) in the row of an Excel row number. */
function cell(page: Page, row: number, column: number) {
  const rowheader = page.getByRole('rowheader', { name: String(row), exact: true });
  return page
    .getByRole('row')
    .filter({ has: rowheader })
    .locator(`[aria-colindex="${column + 1}"]`);
}

/** Where the focus is: row and column of the grid, counted from its header and its row numbers. */
async function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    interface Cell {
      readonly ariaColIndex: string | null;
      readonly parentElement: { readonly ariaRowIndex: string | null } | null;
    }
    const { activeElement: cell } = (globalThis as unknown as { document: { activeElement: Cell } }).document;
    return `${Number(cell.parentElement?.ariaRowIndex) - 1}:${Number(cell.ariaColIndex) - 1}`;
  });
}

// On a machine that does much else axe alone takes ten seconds.
describe.skipIf(NO_BROWSER)('the check', () => {
  it('shows counts, faults by their kind, and the rows in a grid as in Excel', async () => {
    const page = await check(new FakeImport(1_000_000));
    const grid = page.getByRole('grid', { name: 'Rows of orders.xlsx' });
    await grid.waitFor();
    await page.getByText('980,000 ready').waitFor();
    await expect.poll(() => page.getByText('20,000 invalid').count()).toBe(1);
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('1000001');
    await expect.poll(() => grid.getAttribute('aria-colcount')).toBe('7');
    await expect.poll(() => page.getByRole('rowheader').first().innerText()).toBe('2');
    expect(
      await page.getByRole('columnheader', { name: 'Region', exact: true }).getAttribute('aria-colindex'),
    ).toBe('4');
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Check of orders.xlsx');
    await picture(page, 'check');
    expect(await violations(page)).toEqual([]);
  });

  it('is asked for until the console, or its ledger, has an answer', async () => {
    const sheet = new FakeImport(100);
    const answers = [() => problem(503, 'The ledger is away'), () => problem(429, 'Too much at once')];
    const show = sheet.routes['GET /imports/i1']!;
    const page = await check(
      sheet,
      {},
      { routes: { 'GET /imports/i1': (request) => answers.shift()?.() ?? show(request) } },
    );
    await page.getByText('The ledger is away').waitFor();
    await page.getByRole('grid', { name: 'Rows of orders.xlsx' }).waitFor();
    await expect.poll(() => page.getByText('Too much at once').count()).toBe(0);
  });

  it('requests lookups where a maker asks for it, and saves a guessed job under a name', async () => {
    const sheet = new FakeImport(100);
    const info = sheet.routes['GET /imports/i1']!;
    const said: unknown[] = [];
    let lookups = 'given';
    let guessed = true;
    const page = await check(sheet, undefined, {
      routes: {
        'GET /imports/i1': async (request) => ({
          ...((await info(request)) as object),
          hasLookups: true,
          lookups,
          guessed,
        }),
        'POST /imports/i1/check': ({ body }) => {
          said.push(body);
          lookups = body.lookups ? 'asked' : 'given';
        },
        'POST /imports/i1/job': ({ body }) => {
          said.push(body);
          if (body.name === 'orders') return problem(409, 'jobs/orders.yaml is there already');
          guessed = false;
          return { file: `jobs/${body.name}.yaml` };
        },
      },
    });
    const box = page.getByRole('checkbox', { name: 'Run lookups' });
    await box.check();
    await expect.poll(() => said).toEqual([{ lookups: true }]);
    await expect.poll(() => box.isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Save as job' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as job' });
    await expect.poll(() => dialog.getByLabel('Name of the job file').inputValue()).toBe('orders');
    expect(await violations(page)).toEqual([]);
    await picture(page, 'save-job');
    await page.keyboard.press('Enter');
    await dialog.getByText('jobs/orders.yaml is there already').waitFor();
    await dialog.getByLabel('Name of the job file').fill('orders-south');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('The job was saved as jobs/orders-south.yaml.').waitFor({ state: 'attached' });
    await expect.poll(() => page.getByRole('button', { name: 'Save as job' }).count()).toBe(0);
    expect(said.slice(1)).toEqual([{ name: 'orders' }, { name: 'orders-south' }]);
  });

  it('marks invalid cells, with their error as description', async () => {
    const page = await check(new FakeImport(1000, 7));
    const invalid = cell(page, 7, 3);
    await invalid.waitFor();
    await expect.poll(() => invalid.getAttribute('aria-invalid')).toBe('true');
    const fault = await invalid.getAttribute('aria-describedby');
    await expect
      .poll(() => page.locator(`[id="${fault}"]`).textContent())
      .toMatch(/^"Chian" is not allowed here; did you mean China/);
    await expect.poll(() => invalid.textContent()).toBe('Chian');
    await expect.poll(() => cell(page, 8, 3).getAttribute('aria-invalid')).toBeNull();
  });

  it('is operated by the keyboard, and the focus stays where it is when the sheet is scrolled away', async () => {
    const page = await check(new FakeImport(1_000_000));
    await cell(page, 2, 1).click();
    const walk: [string, string][] = [
      ['ArrowRight', '1:2'],
      ['ArrowDown', '2:2'],
      ['End', '2:6'],
      ['Home', '2:1'],
      ['Control+End', '1000000:6'],
      ['ArrowUp', '999999:6'],
      ['Control+Home', '1:1'],
      ['Control+ArrowDown', '1000000:1'],
      ['PageUp', ''],
      ['Control+ArrowUp', '1:1'],
      ['ArrowUp', '0:1'],
      ['ArrowDown', '1:1'],
      ['ArrowLeft', '1:0'],
      ['ArrowRight', '1:1'],
    ];
    for (const [key, place] of walk) {
      await page.keyboard.press(key);
      if (place !== '') expect([key, await focused(page)]).toEqual([key, place]);
    }
    await page.keyboard.press('Control+End');
    await expect.poll(() => page.locator(':focus').innerText()).toBe('');
    await page.getByRole('rowheader', { name: '1000001' }).waitFor();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('grid').evaluate((grid) => {
      (grid as unknown as { scrollTop: number }).scrollTop = 7_000_000;
    });
    await page
      .getByRole('rowheader', { name: /^46\d{4}$/ })
      .first()
      .waitFor();
    expect(await focused(page)).toBe('2:1');
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe('3:1');
    await cell(page, 4, 1).waitFor();
    // Taken away by whatever it be, it comes back by itself; Tab is let go.
    await page.locator(':focus').evaluate((it) => (it as unknown as { blur(): void }).blur());
    await expect.poll(() => focused(page)).toBe('3:1');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.locator('[role="grid"] :focus').count()).toBe(0);
  });

  it('edits by Enter, F2, a double click or typing; Enter takes, Escape leaves', async () => {
    const sheet = new FakeImport(1000, 7);
    const page = await check(sheet);
    const region = cell(page, 7, 3);
    await region.dblclick();
    const field = page.getByRole('combobox', { name: 'Region, row 7' });
    await field.waitFor();
    await page.getByRole('option', { name: 'China (CN)' }).waitFor();
    await picture(page, 'check-editing');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => region.textContent()).toBe('Chian');
    expect(await focused(page)).toBe('6:3');

    await page.keyboard.press('F2');
    await page.keyboard.press('ArrowDown');
    await expect
      .poll(() => page.getByRole('listbox').getByRole('option', { selected: true }).innerText())
      .toMatch(/^China/);
    await page.keyboard.press('Enter');
    await page.getByText(/^C7 was corrected.*: ready/).waitFor({ state: 'attached' });
    await expect.poll(() => region.textContent()).toBe('China');
    await expect.poll(() => region.getAttribute('aria-invalid')).toBeNull();
    expect(await focused(page)).toBe('6:3');
    await expect.poll(() => page.getByText('858 ready').count()).toBe(1);

    await cell(page, 14, 3).click();
    await page.keyboard.press('Enter');
    await page.keyboard.type('Germany');
    await page.keyboard.press('Enter');
    await page.getByText('859 ready').waitFor();

    await cell(page, 8, 2).click();
    await page.keyboard.type('x');
    await expect.poll(() => page.getByRole('textbox', { name: 'Customer, row 8' }).inputValue()).toBe('x');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('7:3');
    await page.getByText('3 cells corrected', { exact: true }).waitFor();
    expect(sheet.carried).toEqual(['7:3=China', '14:3=Germany', '8:2=x']);
  });

  it('takes an option by the mouse, and offers the nearest next to the grid', async () => {
    const sheet = new FakeImport(1000, 7);
    const page = await check(sheet);
    await cell(page, 7, 3).dblclick();
    await page.getByRole('option', { name: 'Hong Kong SAR' }).click();
    await page.getByText('858 ready').waitFor();
    await cell(page, 14, 3).click();
    await page.getByRole('button', { name: 'Use “China”' }).click();
    await page.getByText('859 ready').waitFor();
    expect(sheet.carried).toEqual(['7:3=Hong Kong SAR', '14:3=China']);
  });

  it('undoes and redoes, by keys and buttons, and fills down', async () => {
    const sheet = new FakeImport(1000, 7);
    const page = await check(sheet);
    await cell(page, 6, 3).click();
    await cell(page, 9, 3).click({ modifiers: ['Shift'] });
    await page.keyboard.press('Control+d');
    await page.getByText('3 cells corrected', { exact: true }).waitFor();
    await expect.poll(() => cell(page, 7, 3).textContent()).toBe('Germany');
    await page.keyboard.press('Control+z');
    await page.getByText(/^Undone/).waitFor({ state: 'attached' });
    await expect.poll(() => cell(page, 7, 3).textContent()).toBe('Chian');
    await page.keyboard.press('Control+y');
    await page.getByText(/^Redone/).waitFor({ state: 'attached' });
    await expect.poll(() => cell(page, 7, 3).textContent()).toBe('Germany');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => cell(page, 7, 3).textContent()).toBe('Chian');
    expect(sheet.carried).toEqual(['7:3=Germany 8:3=Germany 9:3=Germany', 'undo', 'redo', 'undo']);
  });

  it('copies what is selected as cells of a spreadsheet, and pastes such', async () => {
    const sheet = new FakeImport(1000, 7);
    const page = await check(sheet);
    await cell(page, 3, 2).click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Control+c');
    const copied = () =>
      page.evaluate(() =>
        (
          globalThis as unknown as { navigator: { clipboard: { readText(): Promise<string> } } }
        ).navigator.clipboard.readText(),
      );
    await expect.poll(copied).toBe('"Northwind ""Traders"""\tUnited Kingdom\nAcme Ltd\tUnited States');
    await cell(page, 7, 2).click();
    await page.keyboard.press('Control+v');
    await page.getByText('858 ready').waitFor();
    // What is pasted over the same text is no correction.
    expect(sheet.carried).toEqual(['7:3=United Kingdom 8:3=United States']);
    await expect.poll(() => cell(page, 8, 3).textContent()).toBe('United States');
  });

  it('shows only invalid rows, or those of one kind, at an address that can be opened again', async () => {
    const page = await check(new FakeImport(1000, 7));
    await page.getByLabel('Only rows with errors').check();
    await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe('144');
    await expect.poll(() => page.getByRole('rowheader').first().innerText()).toBe('7');
    await page.getByRole('button', { name: 'Show: Quantity: "ten" is not a whole number' }).click();
    await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe('48');
    // Its first cell is selected: in a sheet of many columns it would be out of sight.
    const place = page.locator('[role="gridcell"][tabindex="0"]');
    await expect.poll(() => place.getAttribute('aria-colindex')).toBe('5');
    await expect.poll(() => place.innerText()).toBe('ten');
    await page.reload();
    await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe('48');
    await expect.poll(() => place.getAttribute('aria-colindex')).toBe('5');
    await page.getByRole('button', { name: 'Show all rows' }).click();
    await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe('1001');
  });

  it('puts what is typed where it was pointed, however many rows above were fixed since', async () => {
    const sheet = new FakeImport(3000, 7);
    const page = await check(sheet, {}, { path: '/imports/i1?invalid=1' });
    const rows = () => page.getByRole('grid').getAttribute('aria-rowcount');
    const middle = async (row: number): Promise<readonly [x: number, y: number]> => {
      const { x, y, width, height } = (await cell(page, row, 3).boundingBox())!;
      return [x + width / 2, y + height / 2];
    };
    await cell(page, 35, 3).waitFor();
    // Where a user who corrects cells sees the next ones.
    const aims = [];
    for (const row of [7, 14, 28, 35]) aims.push(await middle(row));
    for (const [x, y] of aims) {
      const again = page.waitForResponse(/\/rows\?/);
      await page.mouse.dblclick(x, y);
      await page.keyboard.type('China');
      await page.keyboard.press('Enter');
      await again;
      // What was read is rendered.
      await page.waitForTimeout(100);
    }
    expect(sheet.carried).toEqual(['7:3=China', '14:3=China', '28:3=China', '35:3=China']);
    // What was fixed is shown so; rows that come into view later are those of the same list.
    await expect.poll(() => cell(page, 7, 3).getAttribute('aria-invalid')).toBeNull();
    expect(await rows()).toBe('429');
    await page.keyboard.press('Control+End');
    await cell(page, 2996, 3).waitFor();
    await expect.poll(() => page.getByRole('rowheader').last().innerText()).toBe('2996');
    // The pointer is not there, but the user still types there.
    await page.mouse.move(0, 0);
    await page.keyboard.press('Control+Home');
    await cell(page, 7, 3).waitFor();
    expect(await rows()).toBe('429');
    // It is left.
    await page.getByRole('heading', { level: 1 }).click();
    await expect.poll(rows).toBe('425');
    await cell(page, 21, 3).waitFor();
    await expect.poll(() => cell(page, 7, 3).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
  });

  it('follows at once where nothing is invalid any more, and where the filter is chosen again', async () => {
    const sheet = new FakeImport(17, 7);
    const page = await check(sheet, {}, { path: '/imports/i1?invalid=1' });
    await cell(page, 7, 3).dblclick();
    await page.keyboard.type('China');
    await page.keyboard.press('Enter');
    await page.getByText('16 ready').waitFor();
    const filter = page.getByLabel('Only rows with errors');
    await page.keyboard.press('F2');
    await filter.uncheck();
    await filter.check();
    await expect.poll(() => page.getByRole('rowheader').allInnerTexts()).toEqual(['14']);
    await cell(page, 14, 3).dblclick();
    await page.keyboard.type('China');
    await page.keyboard.press('Enter');
    await page.getByText('No rows with errors are left.').waitFor();
    expect(sheet.carried).toEqual(['7:3=China', '14:3=China']);
  });

  it('stays where it is on the screen while it is used, whatever comes and goes above it', async () => {
    const sheet = new FakeImport(12, 4);
    const page = await check(sheet);
    const top = async (): Promise<number> => (await cell(page, 8, 3).boundingBox())!.y;
    await cell(page, 12, 4).dblclick();
    const stood = await top();
    const moved = async (): Promise<number> => Math.abs((await top()) - stood);
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    // A kind of error has left the list above.
    await expect.poll(() => page.getByRole('button', { name: /^Show: Quantity/ }).count()).toBe(0);
    await expect.poll(moved).toBeLessThanOrEqual(1);
    at.fake.online = false;
    await cell(page, 8, 3).dblclick();
    await page.keyboard.type('China');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: '1 correction is stored in this browser' }).waitFor();
    await expect.poll(moved).toBeLessThanOrEqual(1);
    at.fake.online = true;
    await page.getByText('1 correction is stored in this browser').waitFor({ state: 'detached' });
    await expect.poll(moved).toBeLessThanOrEqual(1);
    expect(sheet.carried).toEqual(['12:4=1', '8:3=China']);
    expect(await violations(page)).toEqual([]);
  });

  it('fixes all cells of a kind after a look at what would change', async () => {
    const sheet = new FakeImport(100, 7);
    const page = await check(sheet);
    await page.getByRole('button', { name: 'Fix all: Region: "Chian" is not allowed here' }).click();
    const dialog = page.getByRole('dialog', { name: 'Fix all cells of this kind' });
    await dialog.getByRole('row', { name: /^Chian 14 \(C7, C14, C21 …\)/ }).waitFor();
    await expect.poll(() => dialog.getByLabel('New value of Chian').inputValue()).toBe('China');
    await picture(page, 'check-mend');
    expect(await violations(page)).toEqual([]);
    expect(sheet.carried).toEqual([]);
    await dialog.getByRole('button', { name: 'Fix 14 cells' }).click();
    await page.getByText('14 cells corrected', { exact: true }).waitFor();
    expect(sheet.carried.length).toBe(1);
    await page.getByText('History of corrections').click();
    await page.getByRole('row', { name: /Wang C7 Chian China/ }).waitFor();
    await picture(page, 'check-history');
    expect(await violations(page)).toEqual([]);
  });

  it('sets a value for all cells of a kind without a proposal, or for those with one value', async () => {
    const sheet = new FakeImport(100, 7);
    sheet.corrected.set('21:4', 'twelve');
    const page = await check(sheet);
    const fix = page.getByRole('button', { name: 'Fix all: Quantity: "ten" is not a whole number' });
    await fix.click();
    const dialog = page.getByRole('dialog', { name: 'Fix all cells of this kind' });
    await expect.poll(() => dialog.getByRole('button', { name: 'Fix', exact: true }).isDisabled()).toBe(true);
    await dialog.getByLabel('New value of twelve').fill('12');
    await dialog.getByRole('button', { name: 'Fix 1 cell' }).click();
    await fix.click();
    await dialog.getByLabel('New value of ten').fill('10');
    await dialog.getByRole('button', { name: 'Fix 3 cells' }).click();
    await expect.poll(() => sheet.carried).toEqual(['21:4=12', '42:4=10 63:4=10 84:4=10']);
  });

  it('goes to the cells of a kind one after the other, also from a filtered sheet', async () => {
    const sheet = new FakeImport(3000, 70);
    const page = await check(sheet, {}, { path: '/imports/i1?invalid=1' });
    const goTo = page.getByRole('button', { name: 'Go to: Quantity: "ten" is not a whole number' });
    for (const row of [210, 420, 630]) {
      await goTo.click();
      await expect.poll(() => focused(page)).toBe(`${row - 1}:4`);
      await expect.poll(() => cell(page, row, 4).textContent()).toBe('ten');
    }
    await page.keyboard.type('10');
    await page.keyboard.press('Enter');
    await page.getByText('1 cell corrected', { exact: true }).waitFor();
    expect(sheet.carried).toEqual(['630:4=10']);
  });

  it('keeps what was typed while the network is unavailable, over a reload as well, and sends it once', async () => {
    const sheet = new FakeImport(1000, 7);
    const page = await check(sheet);
    await cell(page, 7, 3).waitFor();
    at.fake.online = false;
    await cell(page, 7, 3).dblclick();
    await page.keyboard.type('China');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: '1 correction is stored in this browser' }).waitFor();
    await expect.poll(() => cell(page, 7, 3).textContent()).toBe('China');
    await expect.poll(() => page.getByRole('button', { name: 'Plan' }).isDisabled()).toBe(true);
    await picture(page, 'check-offline');
    expect(await violations(page)).toEqual([]);
    at.fake.online = true;
    await page.reload();
    await page.getByText('858 ready').waitFor();
    await expect.poll(() => cell(page, 7, 3).textContent()).toBe('China');
    expect(sheet.carried).toEqual(['7:3=China']);
  });

  it('sends an act whose answer was lost again under its id', async () => {
    const sheet = new FakeImport(1000, 7);
    let lost = 0;
    const page = await check(
      sheet,
      {},
      {
        routes: {
          'POST /imports/i1/corrections': (request) => {
            const answer = sheet.routes['POST /imports/i1/corrections']!(request);
            lost += 1;
            if (lost === 1) throw new Error('the answer is lost');
            return answer;
          },
        },
      },
    );
    await cell(page, 7, 3).dblclick();
    await page.keyboard.type('China');
    await page.keyboard.press('Enter');
    await page.getByText('858 ready').waitFor();
    expect([lost, sheet.carried]).toEqual([2, ['7:3=China']]);
  });

  it('reports a correction that was refused, and shows the cell as it is', async () => {
    const sheet = new FakeImport(1000, 7);
    const page = await check(
      sheet,
      {},
      {
        routes: {
          'POST /imports/i1/corrections': () =>
            problem(403, 'That requires the role maker.', 'people.denied'),
        },
      },
    );
    await cell(page, 7, 3).dblclick();
    await page.keyboard.type('China');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'That requires the role maker.' }).waitFor();
    await expect.poll(() => cell(page, 7, 3).textContent()).toBe('Chian');
  });

  it('fixes nothing outside the grid, fills empty cells from above, and names rows not examined', async () => {
    const sheet = new FakeImport(1000, 7);
    const info = sheet.routes['GET /imports/i1']!;
    const page = await check(
      sheet,
      {},
      {
        routes: {
          'GET /imports/i1': async (request) => {
            const { faults, ...now } = (await info(request)) as { faults: { kind: string }[] };
            const outside = {
              kind: 'line',
              text: 'the line has more fields',
              count: 1,
              first: 9,
              outside: true,
            };
            return { ...now, faults: [...faults, outside] };
          },
          'POST /imports/i1/proposals': ({ body }) => ({
            cells: [
              { row: 8, column: 3, before: '', ...(body.how === 'above' ? { text: 'Germany' } : {}) },
              { row: 9, column: 3, before: 'Chna', ...(body.how === 'above' ? {} : { text: 'China' }) },
            ],
            left: 12,
          }),
        },
      },
    );
    await page.getByText('not in a cell shown here: correct the file').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Fix all/ }).count()).toBe(2);
    await page.getByRole('button', { name: /^Fix all: Region/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Fix all cells of this kind' });
    await dialog.getByText('rows of this kind that were not: 12').waitFor();
    await dialog.getByRole('button', { name: 'Fix 1 cell' }).waitFor();
    await dialog.getByLabel('Fill empty cells with the value above').check();
    await dialog.getByRole('row', { name: /^\(empty\) 1 \(C8\)/ }).waitFor();
    await dialog.getByLabel('Set all cells to').selectOption('Hong Kong SAR');
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Fix 2 cells' }).click();
    await page.getByText('2 cells corrected', { exact: true }).waitFor();
    expect(sheet.carried).toEqual(['8:3=Hong Kong SAR 9:3=Hong Kong SAR']);
  });

  it('sorts and filters by a column: the active cell keeps its row, and the address opens the same list', async () => {
    const sheet = new FakeImport(1000, 7);
    const page = await check(sheet);
    await cell(page, 9, 2).click();
    await page.getByRole('button', { name: 'Sort and filter Quantity' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sort and filter Quantity' });
    await dialog.getByLabel('Order').selectOption('Descending');
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Apply' }).click();
    const header = page.getByRole('columnheader', { name: 'Quantity', exact: true });
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending');
    const focusedRow = page.locator('[role=row]:has([role=gridcell]:focus) [role=rowheader]');
    await expect.poll(() => focusedRow.innerText()).toBe('9');
    // What is typed goes to the row with that number, not to that position.
    await page.keyboard.type('Buyer');
    await page.keyboard.press('Enter');
    await expect.poll(() => sheet.carried).toEqual(['9:2=Buyer']);
    await expect.poll(() => focusedRow.innerText()).toBe('9');
    // By the keyboard: the header keeps the focus.
    await page.keyboard.press('Control+ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const customer = page.getByRole('dialog', { name: 'Sort and filter Customer' });
    await customer.getByLabel('Contains').fill('Buyer');
    await page.keyboard.press('Enter');
    await page.getByText('Customer contains “Buyer”').waitFor();
    const grid = page.getByRole('grid', { name: 'Rows of orders.xlsx' });
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('2');
    await expect.poll(() => focused(page)).toBe('0:2');
    await page.reload();
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('2');
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending');
    await page.getByRole('button', { name: 'Clear sort and filter' }).click();
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('1001');
    expect(await header.getAttribute('aria-sort')).toBeNull();
  });

  it('leads on to the plan', async () => {
    const page = await check(new FakeImport(5, 1000));
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.waitForURL('**/plans/p1');
  });

  it('changes the width of a column, by the mouse and by keys', async () => {
    const page = await check(new FakeImport(100, 7));
    const header = page.getByRole('columnheader', { name: 'Customer' });
    await header.click();
    const before = (await header.boundingBox())!;
    await page.keyboard.press('+');
    const width = async (of = header): Promise<number> => (await of.boundingBox())!.width;
    await expect.poll(width).toBe(before.width + 16);
    await page.mouse.move(before.x + before.width + 12, before.y + 10);
    await page.mouse.down();
    await page.mouse.move(before.x + before.width + 72, before.y + 10);
    await page.mouse.up();
    await expect.poll(width).toBe(before.width + 76);
    await expect.poll(() => width(cell(page, 5, 2))).toBe(before.width + 76);
  });
});

describe.skipIf(NO_BROWSER)('the states of the check', () => {
  it('is in progress: how far it is', async () => {
    const sheet = new FakeImport(1000, 7);
    sheet.looks = 1000;
    const page = await check(sheet);
    await page.getByRole('progressbar').waitFor();
    const first = page.getByRole('table', { name: 'The first rows' });
    await expect.poll(() => first.getByRole('row').count()).toBe(8);
    expect(await first.getByRole('row', { name: /^7 / }).textContent()).toContain('Chian');
    await picture(page, 'check-checking');
    expect(await violations(page)).toEqual([]);
    sheet.looks = 0;
    await page.getByRole('grid').waitFor();
  });

  it('failed: why, and what to do', async () => {
    const sheet = new FakeImport(1000);
    sheet.state = 'failed';
    sheet.failure = { code: 'source.no_header', text: 'the sheet "Orders" has no header "Region"' };
    const page = await check(sheet);
    await page.getByRole('alert').filter({ hasText: 'has no header' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Import another file' }).count()).toBe(1);
    await picture(page, 'check-failed');
    expect(await violations(page)).toEqual([]);
  });

  it('is cancelled while it runs: this is reported, and it offers to check again', async () => {
    const sheet = new FakeImport(1000);
    sheet.looks = Number.POSITIVE_INFINITY;
    const routes: FakeRoutes = {
      'POST /imports/i1/cancel': () => {
        sheet.looks = 0;
        sheet.state = 'failed';
        sheet.failure = { code: 'imports.check_cancelled', text: 'the check was cancelled by wang' };
        return undefined;
      },
    };
    const page = await check(sheet, {}, { routes });
    await page.getByRole('button', { name: 'Cancel the check' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel the check' }).click();
    await page.getByRole('alert').filter({ hasText: 'cancelled by wang' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Check again' }).count()).toBe(1);
    await expect.poll(() => page.getByRole('button', { name: 'Cancel the check' }).count()).toBe(0);
  });

  it('gone', async () => {
    const page = await check(new FakeImport(1), {}, { path: '/imports/none' });
    await page.getByText('There is no such import').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('empty', async () => {
    const page = await check(new FakeImport(0));
    await page.getByText('The sheet has no rows').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Plan', exact: true }).isDisabled()).toBe(true);
    await picture(page, 'check-empty');
    expect(await violations(page)).toEqual([]);
  });

  it('without faults, with warnings', async () => {
    const sheet = new FakeImport(5, 1000);
    sheet.limits = ['sending on connection checked requires the approval of another user'];
    sheet.warnings = [
      'Columns that the job does not use: Remarks',
      'B2: removed the character U+200B, which is invisible',
    ];
    const page = await check(sheet);
    await page.getByText('No errors: every row').waitFor();
    await page.getByText('Warnings: 2').waitFor();
    const top = async (text: string) => (await page.getByText(text).boundingBox())!.y;
    const grid = (await page.getByRole('grid').boundingBox())!.y;
    expect(await top('requires the approval')).toBeLessThan(grid);
    expect(await top('Warnings: 2')).toBeGreaterThan(grid);
    await picture(page, 'check-no-faults');
    expect(await violations(page)).toEqual([]);
  });

  it('with a selected cell, in Chinese, in the dark, at 400 px', async () => {
    const looks = { locale: 'zh-CN', dark: true, width: 400, height: 900 };
    const page = await check(new FakeImport(1000, 7), looks);
    await page.getByRole('grid').waitFor();
    await cell(page, 7, 3).click();
    await page.getByRole('button', { name: 'China' }).waitFor();
    await picture(page, 'check-narrow');
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  });
});
