import { explainedData, explain as explainRow } from '../../app/explain.js';
import { EXIT } from '../../model/exit-code.js';
import { exactPretty } from '../../util/exact-json.js';
import { redactKnown } from '../../util/known-secrets.js';
import { guarded } from '../exit.js';
import { explainedText } from '../explain-text.js';

/** `explain RUN ROW` */
export async function explain(
  id: string,
  row: number,
  flags: { readonly json?: boolean; readonly ledger?: string },
): Promise<void> {
  await guarded(flags, async (context) => {
    const explained = await explainRow(context, id, row);
    const text = flags.json
      ? `${exactPretty(explainedData(explained, 'en'))}\n`
      : explainedText(explained, context.language);
    process.stdout.write(redactKnown(text));
    return EXIT.ok;
  });
}
