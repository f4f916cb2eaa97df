import { EXIT } from '../../model/exit-code.js';
import { explainRow } from '../../run/report/explain.js';
import { exactPretty } from '../../util/exact-json.js';
import { redactKnown } from '../../util/known-secrets.js';
import { guarded } from '../exit.js';
import { explainedJson, explainedText } from '../explain-text.js';
import { languageOf } from '../language.js';
import { findLedger } from '../ledger-location.js';
import { runNamed } from '../run-named.js';

export interface ExplainFlags {
  readonly json?: boolean;
  readonly ledger?: string;
}

/** `explain RUN ROW` */
export async function explain(id: string, row: number, flags: ExplainFlags): Promise<void> {
  const language = languageOf(process.env);
  await guarded(
    language,
    async () => {
      const { ledger } = await findLedger(flags.ledger);
      try {
        const explained = await explainRow(ledger, await runNamed(ledger, id), row);
        const text = flags.json
          ? `${exactPretty(explainedJson(explained))}\n`
          : explainedText(explained, language);
        process.stdout.write(redactKnown(text));
        return EXIT.ok;
      } finally {
        await ledger.close();
      }
    },
    flags.json,
  );
}
