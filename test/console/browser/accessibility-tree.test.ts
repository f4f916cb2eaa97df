import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NO_BROWSER } from '../../support/browser.js';
import { FakeImport } from './fake-import.js';
import { fakeRuns } from './fake-runs.js';
import { stage } from './stage.js';

const on = stage();

/** What a screen reader is given: roles, names, states and texts. */
async function tree(of: Locator): Promise<string> {
  await of.waitFor({ timeout: 10_000 });
  return of.ariaSnapshot({ timeout: 10_000 });
}

async function dialog(page: Page, button: string | RegExp): Promise<string> {
  await page
    .getByRole('button', { name: button, exact: typeof button === 'string' })
    .first()
    .click({ timeout: 10_000 });
  const opened = page.getByRole('dialog');
  await expect.poll(() => opened.locator('.busy').count()).toBe(0);
  return tree(opened);
}

/** It is not in the tree of roles and names. */
async function description(of: Locator): Promise<string | null> {
  const id = await of.getAttribute('aria-describedby');
  return of.page().locator(`[id="${id}"]`).textContent();
}

describe.skipIf(NO_BROWSER)('the accessibility tree', () => {
  /** Row 6 is invalid, row 7 excluded. */
  function sheet(): Promise<Page> {
    const { routes } = new FakeImport(8, 3);
    const rows = routes['GET /imports/i1/rows']!;
    return on.open(
      {
        ...routes,
        'GET /imports/i1/rows': async (request) => {
          const found = (await rows(request)) as { items: { row: number; faults: unknown[] }[] };
          const items = found.items.map((it) =>
            it.row === 7
              ? {
                  ...it,
                  status: 'skipped',
                  excluded: true,
                  faults: [{ code: 'run.row_excluded', text: 'excluded in the console' }],
                }
              : it,
          );
          return { ...found, items };
        },
      },
      '/imports/i1',
    );
  }

  it('of a row with an invalid cell', async () => {
    const page = await sheet();
    expect(
      await tree(page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: '6' }) })),
    ).toMatchInlineSnapshot(`
      "- row "6 PO-0000006 Müller & Söhne GmbH Chian 7 2026-07-15":
        - rowheader "6"
        - gridcell "PO-0000006"
        - gridcell "Müller & Söhne GmbH"
        - gridcell "Chian" [invalid]
        - gridcell "7"
        - gridcell "2026-07-15"
        - gridcell"
    `);
    const invalid = page.locator('[role="gridcell"][aria-invalid="true"]').nth(1);
    expect(await description(invalid)).toContain('is not allowed here');
  });

  it('of an excluded row', async () => {
    const page = await sheet();
    expect(
      await tree(page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: /^7/ }) })),
    ).toMatchInlineSnapshot(`
      "- row "7 PO-0000007 Northwind \\"Traders\\" Hong Kong SAR 8 2026-08-15 to be confirmed by the buyer before the end of the quarter":
        - rowheader "7"
        - gridcell "PO-0000007"
        - gridcell "Northwind \\"Traders\\""
        - gridcell "Hong Kong SAR"
        - gridcell "8"
        - gridcell "2026-08-15"
        - gridcell "to be confirmed by the buyer before the end of the quarter""
    `);
    const number = page.getByRole('rowheader', { name: '7', exact: true });
    expect(await description(number)).toBe('excluded in the console');
  });

  it('of the header of the grid', async () => {
    const page = await sheet();
    expect(await tree(page.getByRole('grid').getByRole('row').first())).toMatchInlineSnapshot(`
      "- row "Row Order number Customer Region Quantity Start date Remarks":
        - columnheader "Row"
        - columnheader "Order number":
          - text: Order number
          - button "Sort and filter Order number"
        - columnheader "Customer":
          - text: Customer
          - button "Sort and filter Customer"
        - columnheader "Region":
          - text: Region
          - button "Sort and filter Region"
        - columnheader "Quantity":
          - text: Quantity
          - button "Sort and filter Quantity"
        - columnheader "Start date":
          - text: Start date
          - button "Sort and filter Start date"
        - columnheader "Remarks":
          - text: Remarks
          - button "Sort and filter Remarks""
    `);
  });

  it('of the list of errors', async () => {
    const page = await sheet();
    expect(await tree(page.getByRole('region', { name: 'Errors' }))).toMatchInlineSnapshot(`
      "- region "Errors":
        - heading "Errors" [level=2]
        - list:
          - listitem:
            - text: "3 Region: \\"Chian\\" is not allowed here"
            - 'button "Go to: Region: \\"Chian\\" is not allowed here"': Go to
            - 'button "Show: Region: \\"Chian\\" is not allowed here"': Show
            - 'button "Fix all: Region: \\"Chian\\" is not allowed here"': Fix all …
          - listitem:
            - text: "1 Quantity: \\"ten\\" is not a whole number"
            - 'button "Go to: Quantity: \\"ten\\" is not a whole number"': Go to
            - 'button "Show: Quantity: \\"ten\\" is not a whole number"': Show
            - 'button "Fix all: Quantity: \\"ten\\" is not a whole number"': Fix all …"
    `);
  });

  it('of Fix all', async () => {
    expect(await dialog(await sheet(), /^Fix all: Region/)).toMatchInlineSnapshot(`
      "- dialog "Fix all cells of this kind":
        - heading "Fix all cells of this kind" [level=2]
        - paragraph: "Region: \\"Chian\\" is not allowed here"
        - region "What would change":
          - table "What would change":
            - caption: What would change
            - rowgroup:
              - row "Now Cells Becomes":
                - columnheader "Now"
                - columnheader "Cells"
                - columnheader "Becomes"
            - rowgroup:
              - row "Chian 3 (C3, C6, C9) New value of Chian China (CN)":
                - rowheader "Chian":
                  - deletion: Chian
                - cell "3 (C3, C6, C9)"
                - cell "New value of Chian China (CN)":
                  - text: New value of Chian
                  - combobox "New value of Chian":
                    - option "unchanged"
                    - option "China (CN)" [selected]
                    - option "Germany"
                    - option "Hong Kong SAR"
                    - option "United Kingdom"
                    - option "United States"
        - button "Cancel"
        - button "Fix 3 cells"
        - status"
    `);
  });

  const may = { send: true, request: true };
  const plan = () => on.open(fakeRuns({ plan: { may } }).routes, '/plans/20261123-012000-77d0aa');

  it('of Send', async () => {
    expect(await dialog(await plan(), 'Send')).toMatchInlineSnapshot(`
      "- dialog "Send 112 items to production?":
        - heading "Send 112 items to production?" [level=2]
        - paragraph: They are sent to licences.example.com.
        - list:
          - listitem:
            - strong: "Cannot be reverted: 100 of order.new_buy"
          - listitem: "Can be reverted: 12 of order.extend"
        - list:
          - listitem: 112 ready
          - listitem: 5 invalid
          - listitem: 3 skipped
        - paragraph: "5 invalid rows are excluded: nothing of them is sent."
        - region "Excluded rows, and why":
          - list:
            - listitem: "C7: \\"Sued\\" is not a region; allowed: China, Germany (5 rows: 7, 9, 12, …)"
        - paragraph:
          - link "All excluded rows":
            - /url: /runs/20261123-012000-77d0aa?status=invalid
        - checkbox "Send a test batch first"
        - text: Send a test batch first Test batch size
        - textbox "Test batch size"
        - paragraph: Only this many items are sent, then the run stops so that you can check their outcomes; Resume sends the rest.
        - button "Cancel"
        - button "Send 112 items to production"
        - status"
    `);
  });

  it('of Request approval', async () => {
    expect(await dialog(await plan(), 'Request approval')).toMatchInlineSnapshot(`
      "- dialog "Request approval":
        - heading "Request approval" [level=2]
        - paragraph: "You request approval of exactly this: 112 items to production, 8 rows excluded, plan hash 9f2c4b7d1e88. Any change requires a new plan."
        - list:
          - listitem: 112 ready
          - listitem: 5 invalid
          - listitem: 3 skipped
        - paragraph: "5 invalid rows are excluded: nothing of them is sent."
        - region "Excluded rows, and why":
          - list:
            - listitem: "C7: \\"Sued\\" is not a region; allowed: China, Germany (5 rows: 7, 9, 12, …)"
        - paragraph:
          - link "All excluded rows":
            - /url: /runs/20261123-012000-77d0aa?status=invalid
        - text: Comment
        - textbox "Comment"
        - button "Cancel"
        - button "Request approval"
        - status"
    `);
  });

  it('of Resolve', async () => {
    const page = await on.open(fakeRuns().routes, '/runs/20261123-012410-4f9a21');
    expect(await dialog(page, 'Resolve Row 41')).toMatchInlineSnapshot(`
      "- dialog "Resolve row 41":
        - heading "Resolve row 41" [level=2]
        - paragraph: It is not known whether the platform executed this row. Enter what you know, or ask the platform.
        - heading "What to look for in the platform" [level=3]
        - term: Order number
        - definition: SO-10280
        - term: Customer
        - definition: 海天酒店
        - term: Quantity
        - definition: "12"
        - term: Sent at
        - definition:
          - time: 23 Nov 2026, 09:24 GMT+8
        - group:
          - text: What is known
          - paragraph: no answer came after it was sent
          - paragraph:
            - code: POST https://licences.example.com/v1/orders/new-buy
          - group: Details
          - table "Attempts":
            - caption: Attempts
            - rowgroup:
              - row "Attempt At Reply Took":
                - columnheader "Attempt"
                - columnheader "At"
                - columnheader "Reply"
                - columnheader "Took"
            - rowgroup:
              - 'row "1 23 Nov 2026, 09:24 answered · 200 { \\"code\\": 200, \\"msg\\": \\"ok\\" } 431 ms"':
                - rowheader "1"
                - cell "23 Nov 2026, 09:24":
                  - time: 23 Nov 2026, 09:24
                - 'cell "answered · 200 { \\"code\\": 200, \\"msg\\": \\"ok\\" }"'
                - cell "431 ms"
        - group "What happened?":
          - text: What happened?
          - radio "Ask the platform" [checked]
          - text: Ask the platform
          - radio "It was executed"
          - text: It was executed
          - radio "It was not executed"
          - text: It was not executed
        - button "Cancel"
        - button "Resolve"
        - status"
    `);
  });
});
