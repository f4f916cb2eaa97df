import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, NO_BROWSER, openPage, picture, violations } from '../../support/browser.js';
import { ConsoleFixture, type ConsolePerson } from '../../support/console-fixture.js';
import { FakePlatform } from '../../support/fake-platform.js';
import { OnboardingPlatform, onboarding, onboardingRows } from '../../support/onboarding.js';

const ROWS = 8;
/** The customers are bound by then, and some of the numbers allocated. */
const HELD_AFTER = ROWS + 3;

let browser: Browser;
let platform: FakePlatform;
/** The platform answers no more until this is called. */
let letGo: () => void;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  if (NO_BROWSER) return;
  browser = await launchBrowser();
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const answers = new OnboardingPlatform();
  platform = await new FakePlatform(async (seen, count) => {
    if (count > HELD_AFTER) await held;
    return answers.answer(seen);
  }).start();
});
afterEach(async () => {
  letGo();
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(async () => {
  await browser?.close();
  await platform?.stop();
});

async function signIn(address: string, { name, token }: ConsolePerson): Promise<Page> {
  const { page, context, complaints } = await openPage(browser, `${new URL(address).origin}/`);
  closing.push(async () => {
    await picture(page, `steps-last-${name}`);
    await context.close();
    expect(complaints).toEqual([]);
  });
  await page.getByLabel('API token').fill(token);
  await press(page, 'Sign in');
  await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
  return page;
}

const press = (
  within: Pick<Page, 'getByRole'>,
  name: string | RegExp,
  role: 'button' | 'link' = 'button',
): Promise<void> => within.getByRole(role, { name, exact: true }).click();
const reported = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByText(text, { exact: true }).first().waitFor();
/** What a step of the run is reported with at its page. */
const part = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Steps' }).getByRole('row', { name: new RegExp(`^${name}`) });

/** The maker asks, the checker looks at what waits and approves it, the maker opens `Send`. */
async function approved(maker: Page, checker: Page): Promise<void> {
  await press(maker, 'Request approval');
  await press(maker.getByRole('dialog'), 'Request approval');
  await maker.getByRole('dialog').waitFor({ state: 'detached' });
  await checker.getByRole('link', { name: 'Runs', exact: true }).click();
  await checker.getByRole('region', { name: 'Waiting for approval' }).getByRole('link').click();
  await press(checker, 'Approve');
  await press(checker.getByRole('dialog'), 'Approve');
  await reported(checker, /^Approved by li until/);
  await maker.reload();
  await press(maker, 'Send');
}

describe.skipIf(NO_BROWSER)('a job of several steps at the pages', () => {
  it('is approved, sent, stopped, resumed, and reverted, by two people', async () => {
    const fixture = await ConsoleFixture.open(platform);
    closing.push(() => fixture.close());
    await writeFile(path.join(fixture.folder, 'jobs', 'onboard.yaml'), onboarding());
    const sheet = path.join(fixture.folder, 'customers.csv');
    // Of the last customer the id is known.
    const lines = Array.from(
      { length: ROWS },
      (_, at) => `SO-${at},Customer ${at},${at === ROWS - 1 ? 'C-9' : ''},2,5`,
    );
    await writeFile(sheet, onboardingRows(lines));
    const chen = await fixture.add('chen', 'admin');
    const maker = await fixture.add('wang', 'maker', chen);
    const checker = await fixture.add('li', 'checker', chen);
    const address = await fixture.console();
    const wang = await signIn(address, maker);
    const li = await signIn(address, checker);

    await wang.getByRole('link', { name: 'New import', exact: true }).click();
    await wang.getByLabel('Job').selectOption('jobs/onboard.yaml');
    await wang.getByLabel('Spreadsheet').setInputFiles(sheet);
    await press(wang, 'Check');
    await reported(wang, `${ROWS} ready`);
    await press(wang, 'Plan');
    await wang.waitForURL('**/plans/*');
    const run = `**/runs/${new URL(wang.url()).pathname.split('/').at(-1)}`;
    await approved(wang, li);
    await press(wang.getByRole('dialog'), /^Send/);
    await wang.waitForURL(run);
    // Each part is reported while the run continues, not only when it is over.
    await part(wang, 'customer').getByText('completed').waitFor();
    await part(wang, 'numbers').getByText('running').waitFor();
    await part(wang, 'order').getByText('waiting').waitFor();
    expect(await violations(wang)).toEqual([]);
    await picture(wang, 'steps-live');
    await Promise.all([wang.waitForResponse(/\/stop$/), press(wang, 'Stop')]);
    // What is in flight hangs still, and the page shows that the stop was received.
    await reported(wang, 'Stopping: requests in flight finish');
    // A user who reads further down is not thrown back to the top as the button goes.
    await wang.mouse.wheel(0, 300);
    await expect.poll(() => wang.evaluate('scrollY')).toBeGreaterThan(0);
    letGo();
    await reported(wang, 'stopped');
    await wang.getByRole('button', { name: 'Resume' }).waitFor();
    await wang.waitForTimeout(300);
    expect(await wang.evaluate('scrollY')).toBeGreaterThan(0);
    await press(wang, 'Resume');
    await press(wang.getByRole('dialog'), 'Resume');
    await reported(wang, 'completed');
    // What is shown of a part could be mistaken for the run.
    for (const step of ['customer', 'numbers', 'order'])
      await part(wang, step).getByText('completed').waitFor();
    await reported(wang, `${ROWS} succeeded`);
    const sent = platform.seen.map(({ path: at, body }) => `${at} ${JSON.stringify(body)}`);
    expect(sent.filter((it) => /bind|batch/.test(it)).length).toBe(2 * ROWS - 1);
    expect(new Set(sent.filter((it) => /bind|batch/.test(it))).size).toBe(2 * ROWS - 1);
    await picture(wang, 'steps-over');

    await press(wang, 'Row 2', 'link');
    const story = wang.getByRole('dialog', { name: 'History of row 2' });
    for (const step of ['customer', 'numbers', 'order'])
      await story.getByRole('heading', { name: new RegExp(`^${step} .*succeeded$`) }).waitFor();
    expect(await violations(wang)).toEqual([]);
    await picture(wang, 'steps-story');
    await press(story, 'Close');

    const before = platform.seen.length;
    await press(wang, 'Revert');
    await wang.waitForURL('**/plans/*');
    await approved(wang, li);
    const sending = wang.getByRole('dialog');
    await picture(wang, 'steps-undo');
    await sending.getByLabel('Number to confirm').fill(String(ROWS));
    await press(sending, /^Send/);
    await wang.waitForURL('**/runs/*');
    await reported(wang, 'completed');
    await picture(wang, 'steps-undone');
    expect(platform.seen.length - before).toBe(ROWS);
    await wang
      .getByRole('region', { name: 'About this run' })
      .getByRole('link', { name: /^\d{8}-/ })
      .click();
    await wang.waitForURL(run);
    await press(wang, 'Row 2', 'link');
    await reported(wang, /^Reverted by run/);
  });
});
