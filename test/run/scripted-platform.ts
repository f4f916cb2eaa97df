import type { Answer, Seen } from '../support/fake-platform.js';

/** What the platform does with a request: whether it executes it, and its reply. */
interface Script {
  readonly effect: boolean;
  readonly answer: (done: Answer) => Answer;
  /** The program may send the request again. */
  readonly again?: true;
}

const coded = (code: string): Answer => ({ body: { code, message: 'no', cause: 'why' } });
const status = (code: number, headers?: Record<string, string>): Answer => ({
  status: code,
  body: {},
  ...(headers ? { headers } : {}),
});
const orders = (done: Answer, change: (data: object[]) => unknown): Answer => {
  const { body } = done as { body: { code: number; data: object[] } };
  return { body: { ...body, data: change(body.data) } };
};

/** The rows of the event table (docs/outcomes.md) that a server can bring about at once. */
export const SCRIPTS: Readonly<Record<string, Script>> = {
  done: { effect: true, answer: (done) => done },
  'done, reset': { effect: true, answer: () => 'reset' },
  'done, not JSON': { effect: true, answer: () => ({ text: '<html>done</html>' }) },
  'done, cut off': { effect: true, answer: () => ({ text: '{"code":0,"message":"success","da' }) },
  'done, HTTP 503': { effect: true, answer: () => status(503) },
  'done, HTTP 408': { effect: true, answer: () => status(408) },
  'done, HTTP 303': { effect: true, answer: () => status(303, { location: '/elsewhere' }) },
  'done, HTTP 299 with code 0': {
    effect: true,
    answer: (done) => ({ ...(done as { body: unknown }), status: 299 }),
  },
  'done, no data': { effect: true, answer: () => ({ body: { code: 0, message: 'success' } }) },
  'done, data of another shape': { effect: true, answer: (done) => orders(done, () => ({ ok: true })) },
  'done, one missing': { effect: true, answer: (done) => orders(done, (data) => data.slice(1)) },
  'done, one twice': {
    effect: true,
    answer: (done) => orders(done, (data) => [...data, { ...data[0], licenseOrderId: 'LO-other' }]),
  },
  'done, one not asked for': {
    effect: true,
    answer: (done) =>
      orders(done, (data) => [...data, { sequence: 99, licenseOrderId: 'LO-99', customerId: 'C' }]),
  },
  'done, code 500': { effect: true, answer: () => coded('500'), again: true },
  'code 500': { effect: false, answer: () => coded('500'), again: true },
  'HTTP 429': { effect: false, answer: () => status(429), again: true },
  'code 13004': { effect: false, answer: () => coded('13004') },
  'HTTP 299': { effect: false, answer: () => ({ status: 299, body: { code: '20001', message: 'no' } }) },
  'HTTP 404': { effect: false, answer: () => status(404) },
  'HTTP 401': { effect: false, answer: () => status(401) },
  'HTTP 500': { effect: false, answer: () => status(500) },
  reset: { effect: false, answer: () => 'reset' },
};

export type ScriptName = keyof typeof SCRIPTS;

interface Sent {
  readonly channelOrderId: string;
  readonly script: string;
}

/** Answers each request by what it holds and how often it came; remembers which orders were executed. */
export class ScriptedPlatform {
  /** `channelOrderId` and customer of each order that was executed. */
  readonly effects = new Set<string>();
  /** Requests by what they hold, in order. */
  readonly sent = new Map<string, Sent[]>();
  readonly #names: readonly string[];
  readonly #numbered: boolean;

  /**
   * @param names the outcome of the requests, which pick theirs by their content
   * @param numbered the sheet gives the orders their numbers: two of them may hold the same
   */
  constructor(names: readonly string[], numbered: boolean) {
    this.#names = names;
    this.#numbered = numbered;
  }

  answer(seen: Seen): Answer {
    const items = seen.body.orderList as { sequence: number; customerName: string }[];
    const channelOrderId = String(seen.body.channelOrderId);
    const content = JSON.stringify(this.#numbered ? [channelOrderId, items] : items);
    const before = this.sent.get(content) ?? [];
    const at =
      [...content].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 65_521, 7) + before.length;
    const name = this.#names[at % this.#names.length]!;
    const script = SCRIPTS[name]!;
    this.sent.set(content, [...before, { channelOrderId, script: name }]);
    if (script.effect) {
      for (const { customerName } of items) this.effects.add(`${channelOrderId} ${customerName}`);
    }
    const data = items.map(({ sequence }) => ({
      sequence,
      licenseOrderId: `LO-${sequence}`,
      customerId: 'C',
    }));
    return script.answer({ body: { code: 0, message: 'success', data } });
  }
}
