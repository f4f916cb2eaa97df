import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fixture } from '../support/job-runs.js';
import { figures, judge, listsIn } from './lists.js';

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.open();
});

afterEach(async () => {
  await fixture.close();
});

/**
 * Lists of headers with what they mean. Word lists were worked on with the known ones alone; the others were written
 * without a look at the word lists, and show how far these reach.
 */
describe.each(['known', 'held-out', 'fresh', 'fresh-2', 'fresh-3'])('the %s lists of headers', (folder) => {
  it('are read as a careful person reads them', async () => {
    const lists = listsIn(folder);
    const found = await judge(fixture, lists);
    const reported = figures(found);
    console.log(`${folder}: ${reported}`);
    expect(found.wrongAndSure, reported).toEqual([]);
    expect(found.right / found.headers, reported).toBeGreaterThanOrEqual(0.95);
    expect(found.operations / found.lists, reported).toBeGreaterThanOrEqual(0.95);
    expect(found.wrongOperations, reported).toEqual([]);
    expect(found.questionsMissing, reported).toEqual([]);
  });
});

it('there are more than a hundred, in both languages and for every operation', () => {
  const lists = ['known', 'held-out', 'fresh', 'fresh-2', 'fresh-3'].flatMap(listsIn);
  expect(lists.length).toBeGreaterThanOrEqual(120);
  expect(new Set(lists.map((it) => it.operation)).size).toBe(12);
  const chinese = lists.filter((it) => /[\u3400-\u9fff]/.test(it.name)).length;
  expect(chinese / lists.length).toBeCloseTo(0.5, 1);
});
