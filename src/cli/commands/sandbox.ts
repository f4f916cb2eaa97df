import type { AppContext } from '../../app/context.js';
import { type SandboxInput, serveSandbox } from '../../app/sandbox.js';
import { message } from '../../errors/message.js';
import { firstSignal } from '../process.js';
import { type JsonFlag, printNote, printResult } from '../shown-text.js';

/** `sandbox`: serves until a signal stops it. */
export async function sandbox(context: AppContext, flags: SandboxInput & JsonFlag): Promise<void> {
  const { language } = context;
  // Installed before the ready line is printed, because callers may send a signal from then on.
  const stopSignal = firstSignal();
  const { url, port, stats, close } = await serveSandbox(context, flags);
  printResult(flags, { url, port, pid: process.pid }, message('listing.listening', { url }), language);
  await stopSignal;
  if (!flags.json)
    printNote(message('listing.sandbox_stopped', { stats: JSON.stringify(stats()) }), language);
  await close();
}
