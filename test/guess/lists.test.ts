import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Desk } from '../support/job-runs.js';
import { figures, judge, listsIn } from './lists.js';

let desk: Desk;

beforeEach(async () => {
  desk = await Desk.open();
});

afterEach(async () => {
  await desk.close();
});

/**
 * Lists of headers with what they mean. Word lists were worked on with the known ones alone; the others were written
 * without a look at the word lists, and show how far these reach.
 */
describe.each(['known', 'held-out', 'fresh', 'fresh-2', 'fresh-3'])('the %s lists of headers', (folder) => {
  it('are read as a careful person reads them', async () => {
    const lists = listsIn(folder);
    const found = await judge(desk, lists);
    const told = figures(found);
    console.log(`${folder}: ${told}`);
    expect(found.wrongAndSure, told).toEqual([]);
    expect(found.right / found.headers, told).toBeGreaterThanOrEqual(0.95);
    expect(found.operations / found.lists, told).toBeGreaterThanOrEqual(0.95);
    expect(found.wrongOperations, told).toEqual([]);
    expect(found.questionsMissing, told).toEqual([]);
  });
});

it('there are more than a hundred, in both languages and for every operation', () => {
  const lists = ['known', 'held-out', 'fresh', 'fresh-2', 'fresh-3'].flatMap(listsIn);
  expect(lists.length).toBeGreaterThanOrEqual(120);
  expect(new Set(lists.map((it) => it.operation)).size).toBe(12);
  const chinese = lists.filter((it) => /[\u3400-\u9fff]/.test(it.name)).length;
  expect(chinese / lists.length).toBeCloseTo(0.5, 1);
});
