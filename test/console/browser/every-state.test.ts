import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  launchBrowser,
  NO_BROWSER,
  type OpenedPage,
  openPage,
  picture,
  violations,
} from '../../support/browser.js';
import {
  type FakeConsole,
  type FakeRequest,
  type FakeRoutes,
  problem,
  startFakeConsole,
} from '../../support/fake-console.js';
import { fakeAnswers, NOTHING_YET } from './fake-answers.js';

interface Looks {
  readonly locale?: string;
  readonly width?: number;
  readonly dark?: boolean;
}

const LOOKS = {
  plain: {},
  'dark, 400 px': { dark: true, width: 400 },
  Chinese: { locale: 'zh-CN' },
  'dark, Chinese, 400 px': { dark: true, locale: 'zh-CN', width: 400 },
} as const satisfies Record<string, Looks>;
type Look = keyof typeof LOOKS;

/** Requests without an answer. The browser does not repeat one while it waits for the first. */
const waiting: ((error: Error) => void)[] = [];

/** What the console answers to all but the question who is there. */
const ANSWERS = {
  full: undefined,
  empty: undefined,
  busy: () => new Promise<never>((_, reject) => waiting.push(reject)),
  refused: () => problem(403, '您只能查看。', 'people.denied'),
  gone: () => problem(404, '没有这个运行。', 'run.no_such_run'),
  failed: () => problem(500, '账本被其他程序锁定。', 'console.failed'),
  offline: () => {
    throw new Error('the connection is cut');
  },
} as const;
type State = keyof typeof ANSWERS;

interface WalkedPage {
  readonly name: string;
  readonly at: string;
  /** Present as soon as all is rendered. */
  readonly ready: string;
  /** What opens its dialogs, by the words of both languages. */
  readonly dialogs?: readonly RegExp[];
  /** It is never empty. */
  readonly never?: readonly State[];
}

/** At least one for each entry of page-table.ts. */
const WALKED: readonly WalkedPage[] = [
  { name: 'Sign in', at: '/sign-in', ready: 'form', never: ['empty'] },
  { name: 'Runs', at: '/runs', ready: 'table' },
  {
    name: 'run',
    at: '/runs/20261123-012410-4f9a21',
    ready: 'table',
    dialogs: [/^(Row 2|第 2 行)$/, /^(Resolve|核实).*41/, /^(Resume|继续)$/],
  },
  {
    name: 'plan',
    at: '/plans/20261123-012000-77d0aa',
    ready: 'table',
    dialogs: [/^(Send|发送)$/, /^(Request approval|提交审批)$/, /^(Approve|通过)$/, /^(Reject|驳回)$/],
    never: ['empty'],
  },
  {
    name: 'rehearsal',
    at: '/runs/20261123-012410-4f9a21/rehearsal',
    ready: 'table',
    never: ['empty'],
  },
  { name: 'New import', at: '/import', ready: 'form' },
  {
    name: 'check',
    at: '/imports/i1',
    ready: '[role="grid"] [role="gridcell"]',
    dialogs: [
      /^(Fix all|全部更正).*Region/,
      /^(Find and replace|查找和替换)$/,
      /^(Sort and filter|排序和筛选).*Region/,
      /^(Save as job|另存为任务)$/,
    ],
  },
  { name: 'Reconcile', at: '/reconcile', ready: 'table' },
  {
    name: 'comparison',
    at: '/reconcile/20261123-030000-c0c0c0',
    ready: 'table',
    dialogs: [/^(Plan the actions|为处理动作生成计划)/],
  },
  { name: 'Schedules', at: '/schedules', ready: 'table', dialogs: [/^(Run now|立即运行).*nightly/] },
  { name: 'Connections', at: '/connections', ready: 'table' },
  { name: 'Templates', at: '/templates', ready: 'table', never: ['empty'] },
  { name: 'Audit', at: '/audit', ready: 'table' },
  {
    name: 'People',
    at: '/people',
    ready: 'table',
    dialogs: [
      /^(Add a person|添加人员)/,
      /^(Remove|移除) Li Na/,
      /^(New token for|为) Li Na/,
      /^(Change roles of |更改角色：)Li Na/,
      /^(Remove the policies of|移除) licences/,
      /^(Confirm|确认) Li Na/,
    ],
  },
  {
    name: 'nowhere',
    at: '/nowhere',
    ready: 'h1',
    never: ['empty', 'busy', 'refused', 'gone', 'failed', 'offline'],
  },
];

/** Each state in one look, so that every look meets every kind of state; what is full is walked in all of them. */
const WALK: readonly (readonly [State, Look])[] = [
  ['full', 'plain'],
  ['full', 'dark, 400 px'],
  ['full', 'Chinese'],
  ['empty', 'dark, Chinese, 400 px'],
  ['busy', 'Chinese'],
  ['refused', 'dark, 400 px'],
  ['gone', 'dark, Chinese, 400 px'],
  ['failed', 'plain'],
  ['offline', 'Chinese'],
];

let browser: Browser;
let fake: FakeConsole;
let state: State = 'full';
let someone = true;
const opened = new Map<string, OpenedPage>();

function signInWays() {
  return { token: true, link: true, oidc: '/auth/oidc', problem: { code: 'console.link_used', text: '…' } };
}

/** Answers as `state` says, whatever is asked for but who is there. */
function staged(): FakeRoutes {
  const all: FakeRoutes = { ...fakeAnswers(), 'GET /sign-in': signInWays };
  const empty = Object.entries(NOTHING_YET);
  const entries = Object.entries(all).map(([pattern, handle]) => {
    const nothing = empty.find(([it]) => it === pattern || new RegExp(`^${it}$`).test(pattern))?.[1];
    const answer = (request: FakeRequest): unknown => {
      if (pattern === 'GET /session') return someone ? handle(request) : problem(401, 'Nobody.');
      if (state === 'empty' && nothing) return nothing(request);
      return (ANSWERS[state] ?? handle)(request);
    };
    return [pattern, answer] as const;
  });
  return Object.fromEntries(entries);
}

beforeAll(async () => {
  if (NO_BROWSER) return;
  browser = await launchBrowser();
  fake = await startFakeConsole(staged());
});
afterAll(async () => {
  for (const it of opened.values()) await it.context.close();
  await browser?.close();
  await fake?.close();
});

const NOWHERE = /^(There is nothing here|此处没有内容)$/;

/** Opens the page: by a load if no user is signed in, otherwise by a link within the document. */
async function show(look: Look, now: State, { name, at, ready }: WalkedPage): Promise<Page> {
  const { locale = 'en-GB', width = 1280, dark = false } = LOOKS[look] as Looks;
  state = 'full';
  someone = true;
  const known = opened.get(locale) ?? (await openPage(browser, `${fake.origin}/nowhere`, { locale }));
  opened.set(locale, known);
  const { page } = known;
  await page.setViewportSize({ width, height: 800 });
  // Transitions last from now on: a button that changed its colours slowly would be unreadable in between.
  await page.evaluate(`document.documentElement.style.setProperty('--quick', '30s')`);
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
  if (await page.locator('.sign-in').count()) await page.goto(`${fake.origin}/nowhere`);
  await follow(page, '/nowhere');
  await page.getByRole('heading', { name: NOWHERE }).waitFor();
  for (const reject of waiting.splice(0)) reject(new Error('the connection is cut'));
  state = now;
  if (name === 'Sign in') {
    someone = false;
    await page.goto(fake.origin + at);
  } else await follow(page, at);
  if (name !== 'nowhere') await page.getByRole('heading', { name: NOWHERE }).waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  if (now === 'full') await page.locator(ready).first().waitFor();
  else if (now !== 'busy' && now !== 'empty') {
    await page.locator('[role="alert"] p, .empty').first().waitFor();
  } else await page.locator('.busy, .empty, form').first().waitFor();
  return page;
}

async function follow(page: Page, to: string): Promise<void> {
  await page.evaluate(
    `history.pushState(undefined, '', '${to}'); dispatchEvent(new PopStateEvent('popstate'))`,
  );
}

/** Runs in the page: texts of the page's own that are not in the reader's language, or were never filled in. */
const ODD_TEXTS = `(() => {
  const own = 'h1, h2, h3, th[scope="col"], label, legend, summary, caption, button, a.button, .lead, .empty, .hint, .busy, nav a';
  const texts = [...document.querySelectorAll(own)].map((it) => it.tagName === 'LABEL' && it.querySelector('select') ? it.firstChild.textContent : it.textContent);
  const names = [...document.querySelectorAll('[aria-label]')].map((it) => it.getAttribute('aria-label'));
  return [...texts, ...names];
})()`;

/** What is the same in every language: addresses, ends of file names, names, what is typed into a terminal, and what the fake replies. */
const NAMES = new RegExp(
  [
    String.raw`https?:\S+`,
    String.raw`licences\.example\.com`,
    String.raw`\w*\.[a-z_*]{2,}`,
    'license-sync( people token (NAME|姓名)| [a-z]+)?',
    '[“"].*?[”"]',
    'Order number|Customer|Start date|Remarks',
    'POST|API|OIDC|OpenID|CSV|jobs|Excel|Enter|Escape|Ctrl|Tab|ndjson|English',
    'production|trial|broken|sandbox|SANDBOX|REHEARSAL|nightly|weekly|customers?|Asia/Shanghai',
    'Li Na|Chen Jing|Wang( Fang)?|Orders?|Region|Quantity|is not allowed here|is not a whole number',
  ].join('|'),
  'g',
);

async function isSound(page: Page, look: Look, what: string): Promise<void> {
  expect(await violations(page), what).toEqual([]);
  const { h1, wide } = await page.evaluate<{ h1: number; wide: number }>(
    `({ h1: document.querySelectorAll('h1').length, wide: document.documentElement.scrollWidth - innerWidth })`,
  );
  expect({ what, h1, wide: Math.max(0, wide) }).toEqual({ what, h1: 1, wide: 0 });
  const texts = await page.evaluate<string[]>(ODD_TEXTS);
  expect(
    texts.filter((it) => /undefined|\[object|NaN|\{\w+\}/.test(it)),
    what,
  ).toEqual([]);
  if (!look.includes('Chinese')) return;
  expect(
    texts.filter((it) => /[A-Za-z]{4,}/.test(it.replaceAll(NAMES, ''))),
    `${what}: not in Chinese`,
  ).toEqual([]);
}

describe.skipIf(NO_BROWSER)('every page in every state', () => {
  it.each(WALKED)('$name', async (page) => {
    for (const [now, look] of WALK) {
      if (page.never?.includes(now)) continue;
      // Only what has a name of its own can be gone.
      if (now === 'gone' && page.at.split('/').length < 3) continue;
      const what = `${page.name}, ${now}, ${look}`;
      const shown = await show(look, now, page);
      await isSound(shown, look, what);
      await picture(shown, what.replaceAll(/[ ,/]+/g, '-'));
    }
    for (const [index, opener] of (page.dialogs ?? []).entries()) {
      const look = 'dark, Chinese, 400 px';
      const what = `${page.name}, dialog ${index + 1}, ${look}`;
      const shown = await show(look, 'full', page);
      await shown
        .getByRole('button', { name: opener })
        .or(shown.getByRole('link', { name: opener }))
        .first()
        // Not by the pointer: columns are fitted when rows arrive, and a press and its release could meet two places.
        .dispatchEvent('click');
      const dialog = shown.getByRole('dialog');
      await dialog.waitFor();
      await expect.poll(() => dialog.locator('.busy').count()).toBe(0);
      await isSound(shown, look, what);
      await picture(shown, what.replaceAll(/[ ,/]+/g, '-'));
    }
  });

  it('includes all pages', async () => {
    const table = await readFile('src/console/pages/page-table.ts', 'utf8');
    const paths = [...table.matchAll(/ path: \/(.+)\/,/g)].map(([, it = '']) => new RegExp(it));
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !WALKED.some((it) => path.test(it.at)))).toEqual([]);
  });

  it('complained of nothing on the way', () => {
    expect([...opened.values()].flatMap((it) => it.complaints)).toEqual([]);
  });
});
