// Makes docs/pictures/console-*.png: two people go the way of docs/console.md at the built console. Run: node scripts/make-console-pictures.mjs
// Requires Chromium. Look at every picture afterwards.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PICTURES = path.join(ROOT, 'docs', 'pictures');
const WIDTH = 1060;

/** The office of the tests, whose modules are TypeScript. */
const vite = await createServer({
  configFile: false,
  root: ROOT,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
const support = (name) => vite.ssrLoadModule(path.join(ROOT, 'test', 'support', name));
const { ConsoleFixture, FAULTS, officePlatform } = await support('console-fixture.ts');
const { launchBrowser } = await support('browser.ts');

const NIGHTLY = `version: 1
name: nightly-locks
operation: asset.lock
connection: sandbox
source: { file: ../locks.csv }
schedule: { cron: "0 2 * * *", timezone: Asia/Shanghai }
map: { assetNums: Lock, operatorIdentity: { value: ada } }
output: { file: ../locks-done.csv }
`;
/** The last lock cannot be locked: it is frozen. */
const LOCKED = 'Lock,Enterprise ID\n8100000001,ENT-0001\n8100000002,ENT-0002\n8100000151,ENT-0031\n';
const COMPARED = `version: 1
name: customers
reconcile: enterprise
connection: sandbox
source: { file: ../customers.csv }
key: { channelCode: { value: CH }, channelCustomerId: Customer }
expect: { enterpriseName: Group }
output: { file: ../drift.csv }
`;

const platform = await officePlatform();
const { answer } = platform;
// The outcome of one order stays unknown.
platform.answer = (seen, count) => (seen.body.channelOrderId === 'SO-44' ? 'reset' : answer(seen, count));
const fixture = await ConsoleFixture.open(platform);
const browser = await launchBrowser();

async function signIn(address, token) {
  const context = await browser.newContext({
    viewport: { width: WIDTH, height: 720 },
    locale: 'en-GB',
    timezoneId: 'Asia/Shanghai',
  });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await page.goto(`${new URL(address).origin}/`);
  await page.getByLabel('API token').fill(token);
  return page;
}

/** @param height of what is pictured, from the top of the page */
async function picture(page, name, height = 720) {
  await page.setViewportSize({ width: WIDTH, height });
  await page.locator('.busy').first().waitFor({ state: 'detached' });
  // Spinners and colours come to rest.
  await page.waitForTimeout(400);
  await page.screenshot({ path: path.join(PICTURES, `console-${name}.png`) });
}

const press = (within, name) => within.getByRole('button', { name, exact: true }).click();
const reported = (page, text) => page.getByText(text).first().waitFor();

async function visit(page, name) {
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.waitForLoadState('networkidle');
}

/** The sheet is checked and fixed; cells that have no nearest text are typed. */
async function correct(page) {
  await visit(page, 'New import');
  await page.getByLabel('Job').selectOption('jobs/orders.yaml');
  await page.getByLabel('Spreadsheet').setInputFiles(fixture.sheet);
  await reported(page, ': uploaded');
  await picture(page, 'new-import', 560);
  await press(page, 'Check');
  await reported(page, '14 invalid');
  await reported(page, 'SO-2');
  await picture(page, 'check', 760);
  await page.getByRole('button', { name: /^Fix all: Type/ }).click();
  await page.getByRole('dialog').getByText('compny').first().waitFor();
  await picture(page, 'fix-all', 760);
  await press(page, 'Fix 6 cells');
  await reported(page, '8 invalid');
  await page.getByRole('button', { name: /^Fix all: Licence/ }).click();
  await press(page, 'Fix 4 cells');
  await reported(page, '4 invalid');
  await page.getByLabel('Only rows with errors').check();
  await page.locator('[role="grid"][aria-rowcount="5"]').waitFor();
  for (const at of Object.keys(FAULTS).filter((it) => !/^[CD]/.test(it))) {
    const row = page.getByRole('row').filter({
      has: page.getByRole('rowheader', { name: at.slice(1), exact: true }),
    });
    await row
      .getByRole('gridcell')
      .nth(at.charCodeAt(0) - 65)
      .dblclick();
    await page.keyboard.type(FAULTS[at].corrected);
    if (at === 'F31') {
      await page.setViewportSize({ width: WIDTH, height: 640 });
      await page.getByRole('grid').evaluate((it) => it.scrollIntoView({ block: 'center' }));
      await picture(page, 'correct', 640);
    }
    await page.keyboard.press('Enter');
  }
  await reported(page, '60 ready');
  await page.getByText('checking again').waitFor({ state: 'detached' });
  await press(page, 'Plan');
  await reported(page, '60 items would be sent');
}

async function approve(maker, checker) {
  await press(maker, 'Request approval');
  await maker.getByRole('dialog').getByLabel('Comment').fill('Orders of November');
  await picture(maker, 'request', 620);
  await press(maker.getByRole('dialog'), 'Request approval');
  await reported(maker, 'Waiting for approval');
  await press(checker, 'Sign in');
  await reported(checker, 'Orders of November');
  await picture(checker, 'runs', 620);
  await checker.getByRole('region', { name: 'Waiting for approval' }).getByRole('link').first().click();
  await reported(checker, '60 items would be sent');
  await picture(checker, 'plan', 780);
  await press(checker, 'Approve');
  await picture(checker, 'approve', 620);
  await press(checker.getByRole('dialog'), 'Approve');
  await reported(checker, 'Approved by li');
}

async function send(page) {
  await page.reload();
  await reported(page, 'Approved by li');
  await press(page, 'Send');
  await page.getByLabel('Test batch size').waitFor();
  await picture(page, 'send', 620);
  await page.getByRole('dialog').getByRole('button', { name: /^Send/ }).click();
  await page.waitForURL('**/runs/*');
  await page.getByText(/^[1-5]?\d succeeded$/).waitFor();
  await picture(page, 'live', 720);
  await page.getByText('completed', { exact: true }).waitFor();
  await reported(page, '1 unknown');
  await page.waitForLoadState('networkidle');
  await picture(page, 'run', 760);
  await page.getByRole('link', { name: 'Row 2', exact: true }).click();
  await reported(page, 'Safe next actions');
  await picture(page, 'history', 760);
  await press(page.getByRole('dialog'), 'Close');
  await page.getByLabel('Status').selectOption('unknown');
  await page.getByRole('button', { name: 'Resolve Row 44' }).click();
  await page.getByRole('dialog').getByLabel('It was executed').check();
  await page.getByRole('dialog').getByLabel('How do you know?').fill('Seen in the portal: LO-5123');
  await picture(page, 'resolve', 760);
}

async function rehearse(page, maker) {
  writeFileSync(path.join(fixture.folder, 'rehearsed.csv'), LOCKED);
  const job = NIGHTLY.replace('nightly-locks', 'lock-lent').replace('locks.csv', 'rehearsed.csv');
  writeFileSync(path.join(fixture.folder, 'jobs', 'lock-lent.yaml'), job);
  const { stdout } = await fixture.run(['plan', 'jobs/lock-lent.yaml', '--json'], maker);
  await page.goto(new URL(`/plans/${JSON.parse(stdout).plan}`, page.url()).href);
  await press(page, 'Rehearse');
  await reported(page, '1 rejected');
  await picture(page, 'rehearsal', 760);
}

try {
  writeFileSync(path.join(fixture.folder, 'jobs', 'nightly.yaml'), NIGHTLY);
  writeFileSync(path.join(fixture.folder, 'jobs', 'customers.yaml'), COMPARED);
  writeFileSync(path.join(fixture.folder, 'locks.csv'), 'Lock\n8000000001\n');
  writeFileSync(
    path.join(fixture.folder, 'customers.csv'),
    'Customer,Group\nC-1,Blue Group\nC-2,Green Group\n',
  );
  const chen = await fixture.add('chen', 'admin');
  const wang = await fixture.add('wang', 'maker', chen);
  const li = await fixture.add('li', 'checker', chen);
  const address = await fixture.console();
  const maker = await signIn(address, wang.token);
  await picture(maker, 'sign-in', 420);
  await press(maker, 'Sign in');
  await correct(maker);
  await approve(maker, await signIn(address, li.token));
  await send(maker);
  await rehearse(maker, wang);
  const admin = await signIn(address, chen.token);
  await press(admin, 'Sign in');
  await reported(admin, 'orders');
  for (const [name, height] of [
    ['Reconcile', 480],
    ['Schedules', 480],
    ['Connections', 560],
    ['Templates', 560],
    ['Audit', 720],
    ['People', 560],
  ]) {
    await visit(admin, name);
    await picture(admin, name.toLowerCase(), height);
  }
} finally {
  await browser.close();
  await fixture.close();
  await platform.stop();
  await vite.close();
}
