import { expect, it } from 'vitest';
import type { AppContext } from '../../src/app/context.js';
import { Rehearsals } from '../../src/console/child-processes/rehearsals.js';
import { WebRefusal } from '../../src/console/problem.js';
import { ServiceRegistry } from '../../src/console/service-registry.js';

const APP = { env: {}, cwd: '.', language: 'en' } as AppContext;

/** Rehearsals whose children begin as the test says. */
function rehearsals(start: () => Promise<unknown>): Rehearsals {
  const services = new ServiceRegistry();
  services.get = (() => ({ start })) as never;
  return Rehearsals.of(services);
}

it('begins one rehearsal of a plan, however many ask for it at the same time', async () => {
  let started = 0;
  const all = rehearsals(async () => {
    started += 1;
    return { subscribe() {}, over: new Promise(() => {}), stop() {} };
  });
  const asked = await Promise.allSettled([all.begin(APP, 'r'), all.begin(APP, 'r')]);
  expect(asked.map((it) => it.status)).toEqual(['fulfilled', 'rejected']);
  expect(started).toBe(1);
  expect(all.of('r')).toEqual({ state: 'running' });
});

it('reports nothing about one that could not begin, so that it can be asked for again', async () => {
  const all = rehearsals(() => Promise.reject(new Error('no room')));
  await expect(all.begin(APP, 'r')).rejects.toThrow('no room');
  expect(all.of('r')).toBeUndefined();
  await expect(all.begin(APP, 'r')).rejects.not.toBeInstanceOf(WebRefusal);
});

it('stops one whose process is only being started', async () => {
  let stops = 0;
  let begin = (_: unknown): void => {};
  const started = new Promise((resolve) => {
    begin = resolve;
  });
  const all = rehearsals(() => started);
  const begun = all.begin(APP, 'r');
  all.stop('r');
  begin({ subscribe() {}, over: new Promise(() => {}), stop: () => (stops += 1) });
  await begun;
  expect(stops).toBe(1);
});
