import { setTimeout as sleep } from 'node:timers/promises';
import type { DoorAnswer } from '../../support/console-door.js';
import { orderRows } from '../../support/orders.js';
import type { ServedPlatform } from '../../support/served-platform.js';
import { KilledFixture, type Who } from './fixture.js';
import type { ImportStory, StageTimes } from './story.js';

/** Nothing takes so long unless it hangs. */
const LONGEST_MS = 120_000;
/** Rows whose nodes are no number, and what is typed there. */
const INVALID = [3, 7, 12];
const CORRECTED = '9';
const NODES = 4;
/** An upload comes in so many pieces, one every so many milliseconds. */
const PIECES = 12;
const PIECE_EVERY_MS = 40;

/** The outcome of one story. */
export interface ReportedImport {
  readonly story: ImportStory;
  readonly kills: number;
  /** Plans next to the one that was sent: their answers were lost. */
  readonly otherPlans: number;
  readonly resumes: number;
  readonly took: StageTimes;
  readonly ms: number;
}

/**
 * Puts a sheet in, fixes it, plans, has it approved and sends it, while the console is killed; then looks whether anything was
 * lost, done twice, or hangs.
 * @throws where it was
 */
export async function tellImport(
  story: ImportStory,
  platform: ServedPlatform,
  ledger?: string,
): Promise<ReportedImport> {
  const began = performance.now();
  const fixture = await KilledFixture.open(platform, story, ledger);
  try {
    const reported = await new ImportDriver(fixture, story, platform).tell();
    const left = await fixture.close();
    if (left.length > 0) throw new Error(`left behind: ${left.join('; ')}`);
    return { story, kills: fixture.kills, took: fixture.took, ...reported, ms: performance.now() - began };
  } catch (error) {
    await fixture.abandon();
    throw new Error(`seed ${story.seed}, killed at ${killsReported(story)}: ${String(error)}`, {
      cause: error,
    });
  }
}

function killsReported({ kills }: ImportStory): string {
  return kills
    .map(({ stage, afterMs, children }) => `${stage}+${afterMs}${children ? ' with its children' : ''}`)
    .join(', ');
}

class ImportDriver {
  readonly #fixture: KilledFixture;
  readonly #story: ImportStory;
  readonly #platform: ServedPlatform;
  #resumes = 0;

  constructor(fixture: KilledFixture, story: ImportStory, platform: ServedPlatform) {
    this.#fixture = fixture;
    this.#story = story;
    this.#platform = platform;
  }

  async tell(): Promise<{ readonly otherPlans: number; readonly resumes: number }> {
    const { orders } = this.#story;
    const upload = await this.#fixture.stage('upload', () => this.#upload());
    const id = await this.#fixture.stage('check', () => this.#import(upload));
    const answered = await this.#correct(id);
    await this.#fixture.stage('check again', () => this.#checked(id, { valid: orders }));
    const plan = await this.#fixture.stage('plan', () => this.#plan(id));
    await this.#fixture.stage('request', () => this.#say(plan, 'request'));
    await this.#fixture.stage('approve', () => this.#say(plan, 'approve'));
    await this.#fixture.stage('send', () => this.#send(plan));
    await this.#nothingLost(id, plan, answered);
    const otherPlans = await this.#sendOthers(plan);
    await this.#nothingTwice();
    await this.#nothingHangs();
    for (const said of [
      await this.#fixture.complaint('ledger', 'check'),
      await this.#fixture.complaint('audit', 'check'),
    ])
      if (said !== undefined) throw new Error(said);
    return { otherPlans, resumes: this.#resumes };
  }

  get #firstOrder(): number {
    return this.#story.seed * 10_000;
  }

  #sheet(): string {
    const lines = orderRows(this.#story.orders, this.#firstOrder).split('\n');
    for (const row of INVALID) lines[row - 1] = lines[row - 1]!.replace(/,5$/, ',many');
    return lines.join('\n');
  }

  async #upload(): Promise<string> {
    const bytes = new TextEncoder().encode(this.#sheet());
    const size = Math.ceil(bytes.length / PIECES);
    const slowly = new ReadableStream<Uint8Array>({
      async start(controller) {
        for (let at = 0; at < bytes.length; at += size) {
          controller.enqueue(bytes.subarray(at, at + size));
          await sleep(PIECE_EVERY_MS);
        }
        controller.close();
      },
    });
    const name = { 'x-file-name': 'orders.csv' };
    return (await this.#did(201, 'maker', '/uploads', slowly, name)).upload;
  }

  /** A user who doesn't know whether it was created looks at the list. */
  async #import(upload: string): Promise<string> {
    const { items } = await this.#get('/imports');
    const wish = { upload, name: 'orders.csv', job: 'orders.yaml' };
    const id = items[0]?.id ?? (await this.#did(201, 'maker', '/imports', wish)).import;
    await this.#checked(id, { valid: this.#story.orders - INVALID.length, invalid: INVALID.length });
    return id;
  }

  /** Gives the acts that were answered. */
  async #correct(id: string): Promise<ReadonlySet<number>> {
    const answered = new Set<number>();
    await this.#fixture.stage('correct', async () => {
      for (const row of INVALID.filter((it) => !answered.has(it))) {
        const body = { act: `mend-${row}`, cells: [{ row, column: NODES, text: CORRECTED }] };
        await this.#did(200, 'maker', `/imports/${id}/corrections`, body);
        answered.add(row);
      }
    });
    return answered;
  }

  /** @throws where it is still being checked after much longer than a check takes */
  async #checked(id: string, counts: object): Promise<void> {
    let now: { state?: string; checkingAgain?: boolean; counts?: object } = {};
    for (const end = performance.now() + LONGEST_MS; performance.now() < end; await sleep(100)) {
      now = await this.#get(`/imports/${id}`);
      if (now.state === 'failed') break;
      if (now.state !== 'checked' || now.checkingAgain) continue;
      if (JSON.stringify(sorted(now.counts)) === JSON.stringify(sorted(counts))) return;
    }
    throw new Error(`the import should have come to ${JSON.stringify(counts)}: ${JSON.stringify(now)}`);
  }

  async #plan(id: string): Promise<string> {
    const { plan } = await this.#get(`/imports/${id}`);
    return plan ?? (await this.#did(201, 'maker', `/imports/${id}/plan`)).run;
  }

  async #say(plan: string, what: 'request' | 'approve'): Promise<void> {
    const before = what === 'request' ? 'not_asked' : 'waiting';
    const { approval } = await this.#get(`/plans/${plan}`);
    const who = what === 'request' ? 'maker' : 'checker';
    if (approval.state === before) await this.#did(200, who, `/plans/${plan}/${what}`, {});
  }

  async #send(plan: string, items = this.#story.orders): Promise<void> {
    let run: DoorAnswer['reported'] = {};
    for (const end = performance.now() + LONGEST_MS; performance.now() < end; await sleep(150)) {
      run = await this.#get(`/runs/${plan}`);
      const { state } = run;
      if (state === 'completed') return;
      // A user who asks again, as the reply was lost, learns that it is being sent.
      if (state === 'planned') {
        const seen = { items, connection: 'desk' };
        await this.#did([202, 409], 'maker', `/plans/${plan}/send`, seen);
      } else if (state === 'cut off') {
        this.#resumes += 1;
        await this.#did([202, 409], 'maker', `/runs/${plan}/resume`, {});
      }
    }
    const { state, counts, reason } = run;
    throw new Error(`${plan} is still ${state}: ${JSON.stringify({ counts, reason })}`);
  }

  async #nothingLost(id: string, plan: string, answered: ReadonlySet<number>): Promise<void> {
    const { items } = await this.#get(`/imports/${id}/corrections`);
    for (const row of answered) {
      const of = items.filter((it: { row: number }) => it.row === row);
      if (of.length !== 1 || of[0].text !== CORRECTED)
        throw new Error(`row ${row} was corrected: ${JSON.stringify(of)}`);
    }
    const { counts } = await this.#get(`/runs/${plan}`);
    const wanted = { succeeded: this.#story.orders };
    if (JSON.stringify(counts) !== JSON.stringify(wanted))
      throw new Error(`${plan}: ${JSON.stringify(counts)}`);
  }

  /** Plans that were created without any user noticing: a user who finds one and sends it sends nothing again. */
  async #sendOthers(sent: string): Promise<number> {
    const { items } = await this.#get('/runs?limit=100');
    const others = items.filter(
      (it: { run: string; kind: string; state: string }) =>
        it.kind === 'plan' && it.run !== sent && it.state === 'planned',
    );
    for (const { run } of others) {
      await this.#say(run, 'request');
      await this.#say(run, 'approve');
      const plan = await this.#get(`/plans/${run}`);
      if (plan.items > 0) await this.#send(run, plan.items);
    }
    return others.length;
  }

  async #nothingTwice(): Promise<void> {
    const carried = (await this.#platform.orders()).map((it) => JSON.stringify(it));
    for (let at = 0; at < this.#story.orders; at += 1) {
      const number = `"SO-${this.#firstOrder + at}"`;
      const times = carried.filter((it) => it.includes(number)).length;
      if (times !== 1) throw new Error(`${number} was carried out ${times} times`);
    }
  }

  async #nothingHangs(): Promise<void> {
    const { items: imports } = await this.#get('/imports');
    for (const { id, state } of imports) if (state !== 'checked') throw new Error(`import ${id} is ${state}`);
    const { items: runs } = await this.#get('/runs?limit=100');
    const moving = runs.filter((it: { state: string }) =>
      /^(?:planning|executing|executed|queued)$/.test(it.state),
    );
    if (moving.length > 0) throw new Error(`nobody ends ${JSON.stringify(moving[0])}`);
  }

  async #get(at: string): Promise<DoorAnswer['reported']> {
    const { status, reported } = await this.#fixture.ask('maker', 'GET', at);
    if (status !== 200) throw new Error(`${at}: ${status} ${JSON.stringify(reported)}`);
    return reported;
  }

  async #did(
    wanted: number | readonly number[],
    who: Who,
    at: string,
    body?: unknown,
    headers: object = {},
  ): Promise<DoorAnswer['reported']> {
    const { status, reported } = await this.#fixture.ask(who, 'POST', at, body, headers);
    if (![wanted].flat().includes(status)) throw new Error(`${at}: ${status} ${JSON.stringify(reported)}`);
    return reported;
  }
}

function sorted(it: object | undefined): object {
  return Object.fromEntries(Object.entries(it ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
}
