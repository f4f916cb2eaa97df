import { describe, expect, it } from 'vitest';
import { EventStreams } from '../../src/console/http.js';

const endless = async (): Promise<Response> => new Response(new ReadableStream({}));

describe('streams of events', () => {
  it('are a few for each session, and some hundred for all: thousands are refused', async () => {
    const streams = new EventStreams();
    const opened: Response[] = [];
    let refused = 0;
    for (let n = 0; n < 5000; n++) {
      await streams.opened(`session ${n % 100}`, endless).then(
        (it) => opened.push(it),
        (error) => {
          expect(error).toMatchObject({ status: 429, code: 'console.too_many_streams' });
          refused += 1;
        },
      );
    }
    expect([opened.length, refused]).toEqual([1000, 4000]);
    await Promise.all(opened.map((it) => it.body?.cancel()));
    // A client that left frees a slot.
    for (let n = 0; n < 24; n++) opened.push(await streams.opened('one', endless));
    await expect(streams.opened('one', endless)).rejects.toMatchObject({ status: 429 });
    expect((await streams.opened('another', endless)).status).toBe(200);
  });

  it('that end, fail, or never began are counted no more', async () => {
    const streams = new EventStreams();
    for (let n = 0; n < 100; n++) {
      const ended = await streams.opened('one', async () => new Response('data: x\n\n'));
      expect(await ended.text()).toBe('data: x\n\n');
      await expect(streams.opened('one', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
      const failing = new ReadableStream({ pull: () => Promise.reject(new Error('lost')) });
      const failed = await streams.opened('one', async () => new Response(failing));
      await expect(failed.text()).rejects.toThrow('lost');
      await streams.opened('one', async () => new Response(undefined, { status: 204 }));
    }
    expect((await streams.opened('one', endless)).status).toBe(200);
  });
});
