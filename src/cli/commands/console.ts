import { serveConsole } from '../../console/serve.js';
import { render } from '../../errors/message.js';
import { EXIT } from '../../model/exit-code.js';
import { guarded } from '../exit.js';
import { openInBrowser } from '../open-in-browser.js';
import { firstSignal } from '../signals.js';

interface ConsoleFlags {
  readonly port: number;
  readonly host: string;
  readonly open?: boolean;
  readonly ledger?: string;
}

/** Whatever is still open then, a database that does not answer among it. */
const ENDS_WITHIN_MS = 9500;

/** `console`: serves until a signal stops it. */
export async function serve(flags: ConsoleFlags): Promise<void> {
  await guarded(flags, async (context) => {
    // Listens before it reports that it is ready: from then on it may be stopped.
    const asked = firstSignal();
    const tell = (text: string): unknown => process.stderr.write(`${text}\n`);
    const served = await serveConsole(context, { ...flags, tell });
    // The same in every language: programs read it.
    process.stdout.write(`console ${served.url}\n`);
    for (const note of served.notes) tell(render(note, context.language));
    if (flags.open) {
      const removePage = openInBrowser(served.url);
      void served.linkUsed?.then(removePage);
    }
    await asked;
    setTimeout(() => process.exit(EXIT.ok), ENDS_WITHIN_MS).unref();
    await served.close();
    return EXIT.ok;
  });
}
