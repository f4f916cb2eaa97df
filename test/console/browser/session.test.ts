import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NO_BROWSER, violations } from '../../support/browser.js';
import { type FakeRequest, type FakeRoutes, problem } from '../../support/fake-console.js';
import { FakeImport } from './fake-import.js';
import { stage } from './stage.js';

const on = stage();

/** A console whose session can end, and at which another user can sign in. */
class Door {
  who: string | undefined = 'Li Na';
  version = '0.1.0';
  oidc = false;
  readonly routes: FakeRoutes;

  constructor(routes: FakeRoutes) {
    // The proposal for a cell is requested while its text is typed: without it a correction is rejected first.
    const { 'GET /imports/i1/nearest': nearest, ...others } = routes;
    const guarded = Object.entries(others).map(([pattern, handle]) => [
      pattern,
      (request: FakeRequest) => {
        const user = request.headers.get('x-user');
        const isSame = this.who !== undefined && user === encodeURIComponent(this.who);
        return isSame ? handle(request) : problem(401, 'No user is signed in.');
      },
    ]);
    this.routes = {
      ...Object.fromEntries(guarded),
      ...(nearest ? { 'GET /imports/i1/nearest': nearest } : {}),
      'GET /session': () =>
        this.who === undefined
          ? problem(401, 'No user is signed in.')
          : {
              who: this.who,
              roles: ['maker'],
              ledger: { kind: 'postgres', people: true },
              languages: ['en', 'zh'],
              version: this.version,
            },
      'GET /sign-in': () => ({
        token: true,
        link: false,
        languages: ['en', 'zh'],
        version: this.version,
        ...(this.oidc ? { oidc: '/auth/oidc' } : {}),
      }),
      'DELETE /session': () => {
        this.who = undefined;
        return new Response(undefined, { status: 204 });
      },
      'POST /session': ({ body }) => {
        this.who = String(body.token);
        return new Response(undefined, { status: 204 });
      },
    };
  }
}

const cell = (page: Page, row: number, column: number) =>
  page.getByRole('gridcell').and(page.locator(`[aria-rowindex="${row}"] [aria-colindex="${column + 1}"]`));
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Sign in' });
const corrections = (): string[] => on.fake.asked.filter((it) => it === 'POST /imports/i1/corrections');

/** An import with a cell of row 14 open in the editor, and a correction of row 7 that the console rejected. */
async function typingWhenTheSessionEnds(door: Door): Promise<Page> {
  const page = await on.open(door.routes, '/imports/i1');
  await cell(page, 7, 3).waitFor();
  let send = (): void => {};
  const typed = new Promise<void>((resolve) => {
    send = resolve;
  });
  await page.route(
    /corrections/,
    async (route) => {
      await typed;
      await route.continue();
    },
    { times: 1 },
  );
  await cell(page, 7, 3).dblclick();
  await page.keyboard.type('China');
  // The click accepts the first text. Its request opens the dialog once the next one is typed.
  const rejected = page.waitForResponse((it) => it.status() === 401 && /corrections/.test(it.url()));
  await cell(page, 14, 3).dblclick();
  await page.keyboard.type('Germ');
  door.who = undefined;
  send();
  await rejected;
  await dialogOf(page).waitFor();
  return page;
}

describe.skipIf(NO_BROWSER)('a session that ends under the page', () => {
  it('is renewed in a dialog: nothing typed is lost or gets into another field, and the page continues', async () => {
    const sheet = new FakeImport(1000, 7);
    const door = new Door(sheet.routes);
    const page = await typingWhenTheSessionEnds(door);
    await page.keyboard.type('any');
    await page.keyboard.press('Tab');
    await page.keyboard.type('x');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    const token = dialogOf(page).getByLabel('API token');
    expect(await token.inputValue()).toBe('');
    expect(await violations(page)).toEqual([]);
    await token.fill('Li Na');
    await dialogOf(page).getByRole('button', { name: 'Sign in' }).click();
    await dialogOf(page).waitFor({ state: 'detached' });
    await expect.poll(() => sheet.carried).toEqual(['7:3=China']);
    const field = page.getByRole('grid').locator('input');
    expect(await field.inputValue()).toBe('Germ');
    await page.keyboard.type('any');
    await page.keyboard.press('Enter');
    await expect.poll(() => sheet.carried).toEqual(['7:3=China', '14:3=Germany']);
  });

  it('continues when the user signs in in another tab, as with a company account', async () => {
    const sheet = new FakeImport(1000, 7);
    const door = new Door(sheet.routes);
    door.oidc = true;
    const page = await typingWhenTheSessionEnds(door);
    const link = dialogOf(page).getByRole('link', { name: /company/ });
    expect(await link.getAttribute('target')).toBe('_blank');
    door.who = 'Li Na';
    await dialogOf(page).waitFor({ state: 'detached' });
    await expect.poll(() => sheet.carried).toEqual(['7:3=China']);
    expect(await page.getByRole('grid').locator('input').inputValue()).toBe('Germ');
  });

  it('belongs to one user: for another the page is loaded again, and nothing of the first is sent', async () => {
    const sheet = new FakeImport(1000, 7);
    const door = new Door(sheet.routes);
    const page = await typingWhenTheSessionEnds(door);
    const before = corrections().length;
    const loaded = page.waitForEvent('load');
    await dialogOf(page).getByLabel('API token').fill('Zhou');
    await dialogOf(page).getByRole('button', { name: 'Sign in' }).click();
    await loaded;
    await page.getByText('Zhou').waitFor();
    await expect.poll(() => cell(page, 7, 3).textContent()).toBe('Chian');
    expect([sheet.carried, corrections().length]).toEqual([[], before]);
    // The first user finds it again.
    door.who = 'Li Na';
    await page.reload();
    await expect.poll(() => sheet.carried).toEqual(['7:3=China']);
  });

  it('that another user took over in another tab is not used by the page', async () => {
    const sheet = new FakeImport(1000, 7);
    const door = new Door(sheet.routes);
    const page = await on.open(door.routes, '/imports/i1');
    await cell(page, 7, 3).waitFor();
    door.who = '周';
    const loaded = page.waitForEvent('load');
    await cell(page, 7, 3).dblclick();
    await page.keyboard.type('China');
    await page.keyboard.press('Enter');
    await loaded;
    await page.getByText('周').waitFor();
    await cell(page, 7, 3).waitFor();
    expect(sheet.carried).toEqual([]);
  });

  it('that its user ended leaves no request that is sent in the name of the next one', async () => {
    const sheet = new FakeImport(1000, 7);
    const door = new Door(sheet.routes);
    const page = await on.open(door.routes, '/imports/i1');
    await cell(page, 7, 3).waitFor();
    const answers: number[] = [];
    page.on('response', (it) => /corrections/.test(it.url()) && answers.push(it.status()));
    let send = (): void => {};
    const signedOut = new Promise<void>((resolve) => {
      send = resolve;
    });
    await page.route(/corrections/, async (route) => {
      await signedOut;
      await route.continue();
    });
    await cell(page, 7, 3).dblclick();
    await page.keyboard.type('China');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API token').waitFor();
    send();
    await expect.poll(() => answers).toEqual([401]);
    await page.getByLabel('API token').fill('Zhou');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Zhou').waitFor();
    await expect.poll(() => cell(page, 7, 3).textContent()).toBe('Chian');
    expect([sheet.carried, answers]).toEqual([[], [401]]);
    await page.unroute(/corrections/);
  });
});

describe.skipIf(NO_BROWSER)('without a connection to the console', () => {
  const away = (page: Page) => page.getByRole('alert').filter({ hasText: 'The console can’t be reached' });
  /** As a browser does when the user returns to the page. */
  const look = (page: Page) => page.evaluate(`dispatchEvent(new Event('online'))`);

  it('a page reports this in one place, loads what it could not load, and says nothing of a restart', async () => {
    const door = new Door({ 'GET /runs': () => ({ items: [] }), 'GET /templates': () => ({ items: [] }) });
    const page = await on.open(door.routes, '/nowhere');
    await page.getByRole('heading', { level: 1, name: 'There is nothing here' }).waitFor();
    on.fake.online = false;
    // Though the page requests nothing.
    await look(page);
    await away(page).waitFor();
    await page.route('**/assets/**', (route) => route.abort());
    await page.getByRole('link', { name: 'Runs' }).click();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(0);
    expect(await page.getByRole('alert').filter({ hasText: /./ }).count()).toBe(1);
    await page.unroute('**/assets/**');
    on.fake.online = true;
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
    expect(await page.getByRole('alert').filter({ hasText: /./ }).count()).toBe(0);
  });

  it('a page with data shows no problems of its polls, and continues', async () => {
    const door = new Door({ 'GET /runs': () => ({ items: [] }) });
    const page = await on.open(door.routes, '/runs');
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
    on.fake.online = false;
    await look(page);
    await away(page).getByText('This page shows the state of').waitFor();
    expect(await page.getByRole('alert').filter({ hasText: /./ }).count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    on.fake.online = true;
    await away(page).waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Reload the page' }).count()).toBe(0);
    door.version = '0.2.0';
    await look(page);
    await page.getByRole('alert').filter({ hasText: 'The console was updated' }).waitFor();
    await page.getByRole('button', { name: 'Reload the page' }).waitFor();
  });
});
