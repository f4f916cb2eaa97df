import { doubtsOf, isEmpty } from '../app/inbox-summary.js';
import { type Language, type Message, message, render } from '../errors/message.js';
import type { InboxEnd } from '../inbox/contract.js';
import { runText } from './run-summary.js';
import { shownPath, shownText } from './shown-path.js';

/** What became of the files of an input folder: a block for each run, a line for each other file, and the sums. */
export function inboxText(end: InboxEnd, language: Language): string {
  const doubts = doubtsOf(end)
    .map((it) => `${shownText(render(it, language))}\n`)
    .join('');
  if (isEmpty(end))
    return `${render(message('inbox.none', { pattern: shownPath(end.pattern) }), language)}\n${doubts}`;
  const blocks = end.runs.map(({ input, end: run, durationMs }) => {
    return `${shownPath(input)}\n${runText(run, durationMs, language)}`;
  });
  for (const { file, movedTo, reason } of end.moved) {
    const lines = [reason, ...(movedTo === undefined ? [] : [movedMessage(movedTo)])];
    blocks.push(block(file, lines, language));
  }
  for (const { file, reason } of end.left) blocks.push(block(file, [reason], language));
  const tally = { runs: end.runs.length, moved: end.moved.length, left: end.left.length };
  blocks.push(`${render(message('inbox.tally', tally), language)}\n`);
  return blocks.join('') + doubts;
}

function block(file: string, lines: readonly Message[], language: Language): string {
  const texts = lines.map((it) => `  ${shownText(render(it, language))}`);
  return `${[shownPath(file), ...texts].join('\n')}\n`;
}

function movedMessage(movedTo: string): Message {
  return message('summary.moved', { file: shownPath(movedTo) });
}
