import { type SandboxInput, serveSandbox } from '../../app/sandbox.js';
import { message, render } from '../../errors/message.js';
import { EXIT } from '../../model/exit-code.js';
import { guarded } from '../exit.js';
import { firstSignal } from '../signals.js';

/** `sandbox`: serves until a signal stops it. */
export async function sandbox(flags: SandboxInput & { readonly json?: boolean }): Promise<void> {
  await guarded(flags, async (context) => {
    const { language } = context;
    // Listens before it reports that it is ready: from then on it may be stopped.
    const asked = firstSignal();
    const { url, port, stats, close } = await serveSandbox(context, flags);
    if (flags.json) process.stdout.write(`${JSON.stringify({ url, port, pid: process.pid })}\n`);
    else process.stdout.write(`${render(message('listing.listening', { url }), language)}\n`);
    await asked;
    if (!flags.json) {
      const stopped = message('listing.sandbox_stopped', { stats: JSON.stringify(stats()) });
      process.stderr.write(`${render(stopped, language)}\n`);
    }
    await close();
    return EXIT.ok;
  });
}
