import { gzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NO_BROWSER, picture, violations } from '../../support/browser.js';
import { problem } from '../../support/fake-console.js';
import { fakeRuns } from './fake-runs.js';
import { stage } from './stage.js';

const on = stage();

const jobs = (page: Page) =>
  page.getByRole('table').getByRole('rowheader').getByRole('link').allTextContents();

describe.skipIf(NO_BROWSER)('the list of runs', () => {
  it('is the first page: newest first, what waits for approval on top, statuses in words', async () => {
    const page = await on.open(fakeRuns().routes, '/');
    await page.getByRole('table').waitFor();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Runs');
    await expect.poll(() => page.title()).toBe('Runs · license-sync');
    await expect
      .poll(() => page.getByRole('link', { name: 'Runs' }).getAttribute('aria-current'))
      .toBe('page');
    expect((await jobs(page)).slice(0, 3)).toEqual(['new-buy', 'new-buy', 'delete-asset']);
    const first = page.getByRole('row').nth(1);
    await first.getByText('running').waitFor();
    await first.getByText('40 succeeded').waitFor();
    const waiting = page.getByRole('region', { name: 'Waiting for approval' });
    await waiting.getByText('112 ready').waitFor();
    await waiting.getByText('November orders').waitFor();
    await page.getByText('Times are in Asia/Shanghai (GMT+8).').waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'runs');
  });

  it('lists on top what waits for the user, with the state of each plan', async () => {
    const runs = fakeRuns();
    const of = { ...runs.waiting[0], by: 'Wang Fang' };
    const until = '2026-11-24T01:30:00.000Z';
    runs.waiting = [
      of,
      { ...of, run: 'p2', approval: { state: 'rejected', by: 'Li Na', comment: 'wrong dates' } },
      { ...of, run: 'p3', approval: { state: 'approved', by: 'Li Na', until } },
    ];
    const page = await on.open(runs.routes, '/runs');
    const waiting = page.getByRole('region', { name: 'Waiting for approval' });
    await waiting.getByText('requested by Wang Fang').waitFor();
    await waiting.getByText('rejected', { exact: true }).waitFor();
    await waiting.getByText('Rejected by Li Na').waitFor();
    await waiting.getByText('wrong dates').waitFor();
    await waiting.getByText('Approved by Li Na until').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('shows the file, a rejection with its comment, and that rows need attention though the run is completed', async () => {
    const runs = fakeRuns();
    const [listed] = (
      runs.routes['GET /runs']!({ query: new URLSearchParams() } as never) as { items: object[] }
    ).items;
    const of = { ...listed, job: 'november', input: '/srv/uploads/November orders.xlsx' };
    const items = [
      { ...of, run: 'r1', state: 'completed', counts: { succeeded: 90, rejected: 2, unknown: 1 } },
      { ...of, run: 'r2', state: 'executing', counts: { succeeded: 9, unknown: 1 } },
      {
        ...of,
        run: 'r3',
        kind: 'plan',
        state: 'planned',
        counts: { valid: 9 },
        approval: {
          state: 'rejected',
          by: 'zhang',
          at: '2026-11-23T01:00:00.000Z',
          comment: 'Wrong year',
          lines: [],
        },
      },
    ];
    const page = await on.open({ ...runs.routes, 'GET /runs': () => ({ items }) }, '/runs?kind=run');
    const row = (at: number) => page.getByRole('row').nth(at);
    await row(1).getByText('3 need attention').waitFor();
    await row(1).getByText('November orders.xlsx').waitFor();
    expect(await row(2).getByText('attention').count()).toBe(0);
    await row(2).getByText('1 in flight or unknown').waitFor();
    await row(3).getByText('rejected', { exact: true }).waitFor();
    await row(3).getByText('Wrong year').waitFor();
    await row(3).getByText('zhang').waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'runs-attention');
  });

  it('lists imports once each, by the name of their file, and leads back to their grid', async () => {
    const listed = {
      by: 'wang',
      at: '2026-11-23T01:00:00.000Z',
      job: { file: 'jobs/orders.yaml', guessed: false },
    };
    const items = [
      { ...listed, id: 'i2', name: 'november.xlsx', state: 'checked' },
      { ...listed, id: 'i1', name: 'october.xlsx', state: 'checked', plan: 'p1' },
    ];
    const { routes } = fakeRuns();
    const page = await on.open({ ...routes, 'GET /imports': () => ({ items, next: 'i1' }) }, '/runs');
    const region = page.getByRole('region', { name: 'Imports' });
    await region.getByRole('link', { name: 'november.xlsx' }).waitFor();
    expect(await region.getByRole('link', { name: 'november.xlsx' }).getAttribute('href')).toBe(
      '/imports/i2',
    );
    expect(await region.getByRole('link', { name: 'planned' }).getAttribute('href')).toBe('/plans/p1');
    await region.getByRole('link', { name: 'All imports' }).click();
    await expect.poll(() => page.getByLabel('Kind').inputValue()).toBe('import');
    await expect.poll(() => jobs(page)).toEqual(['november.xlsx', 'october.xlsx']);
    expect(await violations(page)).toEqual([]);
  });

  it('has its filters in the address, so that it can be opened again', async () => {
    const runs = fakeRuns();
    const page = await on.open(runs.routes, '/runs');
    await page.getByLabel('Job').fill('extend');
    await page.getByLabel('Status').selectOption('stopped');
    await page.waitForURL(/\/runs\?job=extend&status=stopped/);
    await expect.poll(() => jobs(page)).toEqual(['extend']);
    await page.reload();
    await expect.poll(() => jobs(page)).toEqual(['extend']);
    await expect.poll(() => page.getByLabel('Job').inputValue()).toBe('extend');
    // Key by key: a space between two words stays.
    await page.getByLabel('Person').pressSequentially('no body');
    await expect.poll(() => page.getByLabel('Person').inputValue()).toBe('no body');
    await page.getByText('No run matches these filters').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('asks for a day as the reader’s zone has it', async () => {
    const asked: string[] = [];
    const page = await on.open(
      {
        'GET /runs': ({ query }) => {
          asked.push(query.toString());
          return { items: [] };
        },
      },
      '/runs',
    );
    await page.getByLabel('Date').fill('2026-11-23');
    await expect
      .poll(() => asked.at(-1))
      .toBe('from=2026-11-22T16%3A00%3A00.000Z&to=2026-11-23T16%3A00%3A00.000Z&limit=30');
  });

  it('continues by pages, and back', async () => {
    const page = await on.open(fakeRuns().routes, '/runs');
    await page.getByRole('link', { name: 'Next page' }).click();
    await expect.poll(async () => (await jobs(page)).length).toBe(1);
    expect(page.url()).toContain('before=older');
    await page.goBack();
    await expect.poll(async () => (await jobs(page)).length).toBe(6);
  });

  it('says when there is nothing, and when it cannot be determined', async () => {
    let fails = true;
    const page = await on.open(
      {
        'GET /runs': () => (fails ? problem(500, 'The ledger is locked by another program.') : { items: [] }),
      },
      '/runs',
    );
    await page.getByRole('alert').getByText('The ledger is locked').waitFor();
    expect(await violations(page)).toEqual([]);
    fails = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No runs yet').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('weighs 60 kB at most as transferred, with all that it loads', async () => {
    const page = await on.open(fakeRuns().routes, '/api/v1/nothing');
    const weights = new Map<string, number>();
    const weighing: Promise<void>[] = [];
    const weigh = async (answer: Response): Promise<void> => {
      const { pathname } = new URL(answer.url());
      if (pathname.startsWith('/api/') || answer.status() === 304) return;
      weights.set(pathname, gzipSync(await answer.body()).length);
    };
    page.on('response', (answer) => weighing.push(weigh(answer)));
    await page.goto(`${on.fake.origin}/`);
    await page.getByRole('table').waitFor();
    await page.waitForLoadState('networkidle');
    await Promise.all(weighing);
    const sum = [...weights.values()].reduce((all, it) => all + it, 0);
    process.stdout.write(`first page: ${(sum / 1000).toFixed(1)} kB gzipped in ${weights.size} files\n`);
    expect([...weights.keys()].some((it) => it.endsWith('.css'))).toBe(true);
    expect([...weights.keys()].filter((it) => it.endsWith('.js')).length).toBeGreaterThan(1);
    expect(sum).toBeLessThan(60_000);
  });
});

describe.skipIf(NO_BROWSER)('the frame', () => {
  it('speaks the browser’s language, or the one that was chosen, which it remembers', async () => {
    const page = await on.open(fakeRuns().routes, '/', { locale: 'zh-CN' });
    await page.getByRole('heading', { level: 1, name: '运行记录' }).waitFor();
    await page.getByText('12 就绪', { exact: true }).waitFor();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('zh-CN');
    expect(await violations(page)).toEqual([]);
    await picture(page, 'runs-zh');
    await page.getByLabel('语言').selectOption('English');
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
    await expect.poll(() => page.getByLabel('Language').inputValue()).toBe('en');
    await page.getByLabel('Language').selectOption('中文');
    await page.getByRole('heading', { level: 1, name: '运行记录' }).waitFor();
  });

  it('is walked by keyboard: over the navigation to the content, and to a page, whose heading has the focus', async () => {
    const page = await on.open(fakeRuns().routes, '/');
    await page.getByRole('table').waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.getByRole('table').getByRole('link').nth(1).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Run' }).waitFor();
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Run');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
  });

  it('keeps light or dark as it was chosen', async () => {
    const page = await on.open(fakeRuns().routes, '/');
    await page.getByLabel('Theme').selectOption('dark');
    await page.reload();
    await page.getByRole('table').waitFor();
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(18, 23, 27)');
    expect(await violations(page)).toEqual([]);
  });

  it('says that an address has no page, and that the console is away', async () => {
    const page = await on.open(fakeRuns().routes, '/nowhere');
    await page.getByRole('heading', { level: 1, name: 'There is nothing here' }).waitFor();
    expect(await violations(page)).toEqual([]);
    on.fake.online = false;
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.getByText('The network is down, or the console has exited.').first().waitFor();
    on.fake.online = true;
    await page.getByRole('table').waitFor();
  });
});

describe.skipIf(NO_BROWSER)('signing in', () => {
  function door() {
    const who: { name?: string } = {};
    const { 'GET /session': _, ...others } = fakeRuns().routes;
    return {
      who,
      routes: {
        'GET /session': () =>
          who.name === undefined
            ? problem(401, 'No user is signed in.')
            : {
                who: who.name,
                roles: ['maker'],
                ledger: { kind: 'postgres', people: true },
                languages: ['en', 'zh'],
              },
        'GET /sign-in': ({ query }: { query: URLSearchParams }) => ({
          token: true,
          link: true,
          oidc: '/auth/oidc',
          ...(query.get('problem')
            ? { problem: { code: 'console.link_used', text: 'That address was used already.' } }
            : {}),
        }),
        'POST /session': ({ body }: { body: Record<string, unknown> }) => {
          if (body.token !== 'lst_good') return problem(401, 'This token is unknown or has expired.');
          who.name = 'Li Na';
          return new Response(undefined, { status: 204 });
        },
        'DELETE /session': () => {
          delete who.name;
          return new Response(undefined, { status: 204 });
        },
        ...others,
      },
    };
  }

  it('shows no data without a session, takes a token, and stays at the address', async () => {
    const { routes } = door();
    const page = await on.open(routes, '/runs/20261123-012410-4f9a21');
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(on.fake.asked.filter((it) => !/session|sign-in/.test(it))).toEqual([]);
    expect(await violations(page)).toEqual([]);
    await picture(page, 'sign-in');
    await page.getByLabel('API token').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('unknown or has expired').waitFor();
    await page.getByLabel('API token').fill('lst_good');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Run' }).waitFor();
    await page.getByText('Li Na').waitFor();
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(
      'lst_',
    );
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API token').waitFor();
    await expect.poll(() => page.getByRole('table').count()).toBe(0);
  });

  it('asks again when the session has ended under an open page, and says what went wrong on the way', async () => {
    const { routes, who } = door();
    who.name = 'Li Na';
    let over = false;
    const page = await on.open(
      { ...routes, 'GET /runs/[^/]+/rows': () => (over ? problem(401, 'over') : { items: [], total: 0 }) },
      '/runs/20261123-012410-4f9a21',
    );
    await page.getByText('No row matches').waitFor();
    over = true;
    delete who.name;
    await page.getByLabel('Search rows').fill('x');
    await page.getByRole('dialog', { name: 'Sign in' }).waitFor();
    expect(await page.getByLabel('Search rows').inputValue()).toBe('x');
    await page.goto(`${on.fake.origin}/sign-in?problem=console.link_used`);
    await page.getByText('That address was used already.').waitFor();
    await expect
      .poll(() => page.getByRole('link', { name: /company/ }).getAttribute('href'))
      .toBe('/auth/oidc');
    expect(await violations(page)).toEqual([]);
  });
});
