import { type SandboxInput, serveSandbox } from '../../app/sandbox.js';
import { message, render } from '../../errors/message.js';
import { EXIT } from '../../model/run-outcome.js';
import { firstSignal, guarded } from '../process.js';

/** `sandbox`: serves until a signal stops it. */
export async function sandbox(flags: SandboxInput & { readonly json?: boolean }): Promise<void> {
  await guarded(flags, async (context) => {
    const { language } = context;
    // Installed before the ready line is printed, because callers may send a signal from then on.
    const stopSignal = firstSignal();
    const { url, port, stats, close } = await serveSandbox(context, flags);
    if (flags.json) process.stdout.write(`${JSON.stringify({ url, port, pid: process.pid })}\n`);
    else process.stdout.write(`${render(message('listing.listening', { url }), language)}\n`);
    await stopSignal;
    if (!flags.json) {
      const stopped = message('listing.sandbox_stopped', { stats: JSON.stringify(stats()) });
      process.stderr.write(`${render(stopped, language)}\n`);
    }
    await close();
    return EXIT.ok;
  });
}
