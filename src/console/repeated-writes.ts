const KEPT_MS = 600_000;
const MOST_KEPT = 2000;
/** A correction's answer tells hundreds of rows. */
const MOST_BYTES = 16 * 1024 ** 2;

/** An answer as it is given again. */
interface KeptAnswer {
  readonly body: ArrayBuffer;
  readonly status: number;
  readonly headers: Headers;
}

interface Kept {
  readonly answer: Promise<KeptAnswer>;
  readonly until: number;
  bytes: number;
}

/**
 * Browsers send a write again by themselves when its connection breaks before the answer comes, and pages do when they heard
 * nothing. A write that names its act (`X-Act`, an id of the page's own) is carried out once: whoever sends it again
 * hears the same answer.
 */
export class RepeatedWrites {
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  /** @param key who does it, what, and the id of the act */
  async once(key: string, work: () => Promise<Response>): Promise<Response> {
    const now = performance.now();
    for (const [old, { until }] of this.#kept)
      if (until < now || this.#kept.size >= MOST_KEPT) this.#forget(old);
      else break;
    let kept = this.#kept.get(key);
    if (!kept) {
      kept = { answer: work().then(keptAnswer), until: now + KEPT_MS, bytes: 0 };
      this.#kept.set(key, kept);
      kept.answer.then(
        ({ body }) => this.#weigh(key, kept!, body.byteLength),
        // Nothing was done: it may be tried again.
        () => {
          if (this.#kept.get(key) === kept) this.#forget(key);
        },
      );
    }
    const { body, status, headers } = await kept.answer;
    return new Response(body.byteLength === 0 ? undefined : body, { status, headers });
  }

  #weigh(key: string, kept: Kept, bytes: number): void {
    if (this.#kept.get(key) !== kept) return;
    kept.bytes = bytes;
    this.#bytes += bytes;
    for (const old of this.#kept.keys()) {
      if (this.#bytes <= MOST_BYTES || old === key) return;
      this.#forget(old);
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}

async function keptAnswer(answer: Response): Promise<KeptAnswer> {
  return { body: await answer.arrayBuffer(), status: answer.status, headers: answer.headers };
}
