import { describe, expect, it } from 'vitest';
import { RepeatedWrites } from '../../src/console/http.js';

describe('a write that is sent again', () => {
  it('is executed once, at the same time or later, and answered alike', async () => {
    const writes = new RepeatedWrites();
    let done = 0;
    const work = async (): Promise<Response> => {
      done += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return new Response(`answer ${done}`, { status: 201 });
    };
    const both = await Promise.all([writes.once('a', work), writes.once('a', work)]);
    const later = await writes.once('a', work);
    expect(await Promise.all([...both, later].map((it) => it.text()))).toEqual([
      'answer 1',
      'answer 1',
      'answer 1',
    ]);
    expect(later.status).toBe(201);
    expect(await (await writes.once('b', work)).text()).toBe('answer 2');
  });

  it('is tried again where nothing was done', async () => {
    const writes = new RepeatedWrites();
    await expect(writes.once('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect((await writes.once('a', async () => new Response('done'))).status).toBe(200);
  });

  it('is remembered while its replies fit: those of the last ones, however many there are', async () => {
    const writes = new RepeatedWrites();
    const large = 'x'.repeat(1024 ** 2);
    let done = 0;
    const work = async (): Promise<Response> => {
      done += 1;
      return new Response(large);
    };
    for (let n = 0; n < 100; n += 1) await (await writes.once(`act ${n}`, work)).text();
    expect(await (await writes.once('act 99', work)).text()).toBe(large);
    expect(done).toBe(100);
    // As if it had never been sent: the ledger knows it, or its act is refused.
    await writes.once('act 3', work);
    expect(done).toBe(101);
    await expect(
      writes.once('empty', async () => new Response(undefined, { status: 204 })),
    ).resolves.toMatchObject({
      status: 204,
    });
  });
});
