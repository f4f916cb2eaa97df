import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { RETRY_INCLUDES, type RetryInclude, retryRun } from '../../run/retry/retry.js';
import { connectionOfRun } from '../../run/run-connection.js';
import type { RunSettings } from '../../run/settings.js';
import { nearest } from '../../util/nearest.js';
import { conductRun } from '../conduct.js';
import { languageOf } from '../language.js';
import { findLedger } from '../ledger-location.js';
import { runNamed } from '../run-named.js';
import { type ResumeFlags, withFlags } from './resume.js';

export interface RetryFlags extends ResumeFlags {
  /** Statuses, each entry one or several with commas. */
  readonly include: readonly string[];
}

/** `retry RUN` */
export async function retry(id: string, flags: RetryFlags): Promise<void> {
  await conductRun(languageOf(process.env), flags, async (conductor) => {
    const include = readIncludes(flags.include);
    const { ledger, location, stateFolder } = await findLedger(flags.ledger);
    try {
      const run = await runNamed(ledger, id);
      const here = { env: process.env, cwd: process.cwd() };
      const connection = await connectionOfRun(run, here, flags.connection);
      await conductor.aboutRun(run, connection, location);
      const parts = conductor.parts(ledger, stateFolder);
      const change = (settings: RunSettings): RunSettings => withFlags(settings, flags);
      return await conductor.reported(ledger, () => retryRun(parts, run, { include, connection, change }));
    } finally {
      await ledger.close();
    }
  });
}

function readIncludes(given: readonly string[]): ReadonlySet<RetryInclude> {
  const found = new Set<RetryInclude>();
  for (const word of given.flatMap((it) => it.split(',')).map((it) => it.trim())) {
    const known = RETRY_INCLUDES.find((it) => it === word);
    if (known) found.add(known);
    else if (word !== 'failed') {
      const near = nearest(word, RETRY_INCLUDES);
      const params = { word, known: RETRY_INCLUDES.join(', ') };
      const detail =
        near === undefined
          ? message('retry.unknown_include_far', params)
          : message('retry.unknown_include', { ...params, nearest: near });
      throw new ProductError('usage', detail);
    }
  }
  return found;
}
