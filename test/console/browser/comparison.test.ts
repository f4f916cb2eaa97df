import { describe, expect, it } from 'vitest';
import { NO_BROWSER, violations } from '../../support/browser.js';
import { type FakeRoutes, problem } from '../../support/fake-console.js';
import { fakeAnswers } from './fake-answers.js';
import { stage } from './stage.js';

const on = stage();

const AT = '/reconcile/20261123-030000-c0c0c0';
const SHOW = 'GET /reconciliations/[^/]+';

/** The comparison of the fixture, as a test changes it. */
function compared(change: () => object | Response | undefined): FakeRoutes {
  const routes = fakeAnswers();
  const whole = routes[SHOW]!;
  return {
    ...routes,
    [SHOW]: async (request) => {
      const it = (await whole(request)) as { run: object };
      const now = change();
      return now instanceof Response ? now : now ? { ...it, run: { ...it.run, ...now }, drift: [] } : it;
    },
  };
}

describe.skipIf(NO_BROWSER)('a comparison', () => {
  it('is followed to its end, whatever the console could not answer in between', async () => {
    const answers = [
      () => problem(503, 'The ledger is away'),
      () => ({ state: 'planning', counts: {} }),
      () => problem(429, 'Too much at once'),
      () => ({ state: 'planning', counts: {} }),
    ];
    let asked = 0;
    const page = await on.open(
      compared(() => {
        asked += 1;
        return answers[0]?.();
      }),
      AT,
    );
    // Each is answered until it was seen.
    const next = (): unknown => answers.shift();
    await page.getByText('The ledger is away').waitFor();
    next();
    await page.getByText('Comparing').waitFor();
    next();
    // What was shown stays, and why it isn't newer.
    await page.getByText('Too much at once').waitFor();
    await expect.poll(() => page.getByText('Comparing').count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    next();
    await expect.poll(() => page.getByText('Too much at once').count()).toBe(0);
    next();
    await page.getByRole('table', { name: 'Differences' }).waitFor();
    await expect.poll(() => page.getByText('Too much at once').count()).toBe(0);
    const then = asked;
    await page.waitForTimeout(3000);
    expect(asked).toBe(then);
  });

  it.each(['cut off', 'stopped', 'interrupted', 'invalid'])(
    'says nothing of what it never compared: %s',
    async (state) => {
      const page = await on.open(
        compared(() => ({ state, counts: {} })),
        AT,
      );
      await page.getByText('the differences are not known').waitFor();
      expect(await page.getByText('in sync').count()).toBe(0);
      expect(await violations(page)).toEqual([]);
    },
  );

  it('that no longer exists is not asked for again by itself', async () => {
    let asked = 0;
    const page = await on.open(
      compared(() => {
        asked += 1;
        return problem(404, 'There is no such run');
      }),
      AT,
    );
    await page.getByText('There is no such run').waitFor();
    await page.waitForTimeout(3000);
    expect(asked).toBe(1);
  });
});
