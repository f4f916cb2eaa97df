import { message } from '../../errors/message.js';
import type { ConsoleContext } from '../context.js';
import { WebRefusal } from '../problem.js';
import { Carriers } from './carriers.js';
import type { ChildWork } from './messages.js';

/**
 * Lets a child begin, and answers as soon as its run has an id.
 * @throws what the use case threw before it had one; WebRefusal where there was nothing to do
 */
export async function began(
  { app, house }: ConsoleContext,
  work: ChildWork,
  yes?: 'all' | 'but_the_rest',
): Promise<{ readonly run: string }> {
  const child = await house.single(Carriers.of).start(app, work, yes === undefined ? {} : { yes });
  const run = await child.started;
  if (run !== undefined) return { run };
  const { nothing } = await child.over;
  throw new WebRefusal(409, message('send.nothing_to_do', { why: nothing ?? '' }));
}
