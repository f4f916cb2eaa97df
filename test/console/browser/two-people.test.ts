import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NO_BROWSER, picture, violations } from '../../support/browser.js';
import type { FakeRequest } from '../../support/fake-console.js';
import { FakeImport } from './fake-import.js';
import { stage } from './stage.js';

const on = stage();

const cell = (page: Page, row: number, column: number) =>
  page.getByRole('gridcell').and(page.locator(`[aria-rowindex="${row}"] [aria-colindex="${column + 1}"]`));
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Changed by another user' });

/** An import in which Zhou corrects cells as well. */
class Shared {
  readonly sheet = new FakeImport(1000, 7);
  readonly #byZhou = new Map<string, string>();
  #version = 1;

  async open(): Promise<Page> {
    const { routes } = this.sheet;
    const correct = routes['POST /imports/i1/corrections']!;
    const page = await on.open(
      {
        ...routes,
        'GET /imports/i1': async (request) => ({
          ...((await routes['GET /imports/i1']!(request)) as object),
          others: this.#byZhou.size > 0 ? ['Zhou'] : [],
          version: this.#version,
        }),
        'POST /imports/i1/corrections': (request) => this.#changed(request) ?? correct(request),
      },
      '/imports/i1',
    );
    await cell(page, 7, 3).waitFor();
    return page;
  }

  zhou(row: number, column: number, text: string): void {
    this.#byZhou.set(`${row}:${column}`, text);
    this.sheet.corrected.set(`${row}:${column}`, text);
    this.#version += 1;
  }

  #changed({ body }: FakeRequest): Response | undefined {
    const typed = body.cells as { row: number; column: number; before?: string }[];
    const cells = typed.flatMap(({ row, column, before }) => {
      const text = this.#byZhou.get(`${row}:${column}`);
      return text === undefined || text === before
        ? []
        : [{ row, column, text, who: 'Zhou', at: '2026-11-27T02:10:00Z' }];
    });
    if (cells.length === 0) return undefined;
    const problem = { title: 'Conflict', status: 409, code: 'imports.cell_changed', cells };
    return Response.json(problem, { status: 409, headers: { 'content-type': 'application/problem+json' } });
  }
}

async function type(page: Page, row: number, column: number, text: string): Promise<void> {
  await cell(page, row, column).dblclick();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

describe.skipIf(NO_BROWSER)('two people in one import', () => {
  it('see each other and what the other corrects', async () => {
    const shared = new Shared();
    const page = await shared.open();
    expect(await page.getByText('Also working on this import').count()).toBe(0);
    shared.zhou(7, 3, 'Germany');
    await page.getByText('Also working on this import: Zhou').waitFor();
    await expect.poll(() => cell(page, 7, 3).textContent()).toBe('Germany');
  });

  it('are shown a cell that the other changed before it is replaced', async () => {
    const shared = new Shared();
    const page = await shared.open();
    await cell(page, 7, 3).dblclick();
    shared.zhou(7, 3, 'Germany');
    // Also if the change is shown behind the field by then.
    await page.getByText('Also working on this import: Zhou').waitFor();
    await page.keyboard.type('China');
    await page.keyboard.press('Enter');
    const dialog = dialogOf(page);
    const row = dialog.getByRole('row', { name: /^C7/ });
    expect(await row.getByRole('cell').allTextContents()).toEqual([
      'Germany',
      expect.stringContaining('Zhou'),
      'China',
    ]);
    expect(await violations(page)).toEqual([]);
    await picture(page, 'changed-meanwhile');
    await dialog.getByRole('button', { name: 'Keep the current value' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => cell(page, 7, 3).textContent()).toBe('Germany');
    expect(shared.sheet.carried).toEqual([]);
    // With a look at it, it is replaced.
    shared.zhou(7, 3, 'Hong Kong SAR');
    await type(page, 7, 3, 'China');
    await dialog.getByRole('button', { name: 'Replace with your value' }).click();
    await expect.poll(() => shared.sheet.carried).toEqual(['7:3=China']);
  });

  it('paste over the rest, and fix all of the rest, where the other changed one cell', async () => {
    const shared = new Shared();
    const page = await shared.open();
    shared.zhou(7, 3, 'Germany');
    await cell(page, 7, 2).click();
    await page.evaluate(`navigator.clipboard.writeText('Customer A\\tChina')`);
    await page.keyboard.press('ControlOrMeta+v');
    await dialogOf(page).getByText('1 other cell is corrected in either case.').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => shared.sheet.carried).toEqual(['7:2=Customer A']);
    shared.zhou(14, 3, 'Germany');
    await page
      .getByRole('button', { name: /^Fix all/ })
      .first()
      .click();
    const fix = page.getByRole('button', { name: /^Fix \d+ cells/ });
    await fix.waitFor();
    shared.zhou(21, 3, 'Germany');
    await fix.click();
    await dialogOf(page).getByRole('row', { name: /^C21/ }).waitFor();
    await dialogOf(page).getByRole('button', { name: 'Keep the current value' }).click();
    await expect.poll(() => shared.sheet.carried.length).toBe(2);
    expect(shared.sheet.carried[1]).toContain('28:3=China');
    expect(shared.sheet.carried[1]).not.toMatch(/\b(7|14|21):3=/);
  });

  it('leave a cell as the other made it, if nothing was typed', async () => {
    const shared = new Shared();
    const page = await shared.open();
    await cell(page, 7, 3).dblclick();
    shared.zhou(7, 3, 'Germany');
    await page.getByText('Also working on this import: Zhou').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => cell(page, 7, 3).textContent()).toBe('Germany');
    expect(on.fake.asked.filter((it) => it.startsWith('POST'))).toEqual([]);
  });
});
