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

describe.each((process.env.LISTS ?? 'known').split(','))('the lists of %s', (folder) => {
  it('are read as a careful person reads them', async () => {
    const found = await judge(desk, listsIn(folder));
    const told = figures(found);
    console.log(told);
    expect(found.wrongAndSure, told).toEqual([]);
    expect(found.right / found.headers, told).toBeGreaterThanOrEqual(0.95);
    expect(found.operations / found.lists, told).toBeGreaterThanOrEqual(0.95);
  });
});
