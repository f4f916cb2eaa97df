import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { checkWritable, DISK_FULL, type ReplaceGuard, writeAtomically } from '../util/atomic-file.js';
import { write } from '../util/streams.js';
import { Times, type Words, wordsIn } from './format.js';
import { aboutOf, contentsOf, eventsOf, headerOf, partsOf, rowMessagesOf, totalsOf } from './header.js';
import { html, Markup } from './markup.js';
import { problemsOf } from './problems.js';
import type { RunPage } from './run-page.js';
import { SCRIPT, styleOf } from './style.js';
import { timelineOf } from './timeline.js';

/** Identifies pages of this program; the version follows. */
const PAGE_GENERATOR = '<meta name="generator" content="license-sync ';

interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: () => Iterable<Markup>;
}

/** A run's page as chunks: complete and without external resources. All data is escaped. */
export function* runPage(page: RunPage): Generator<string> {
  const words = wordsIn(page.language);
  const times = new Times(page.run.timezone);
  const style = styleOf(words('html.row'));
  const sections = sectionsOf(page, words, times);
  const { id, job, sandbox, rehearsal, version, madeAt } = page.run;
  const title = `${rehearsal ? 'REHEARSAL · ' : sandbox ? 'SANDBOX · ' : ''}${words('html.title', { run: id, job })}`;
  const head = html`<!doctype html>
<html lang="${page.language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${new Markup(PAGE_GENERATOR)}${version}">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Markup(style)}</style>
</head>
<body>
<main>
${headerOf(page, words)}
${contentsOf(
  sections.map(({ id: sectionId, title: name }) => [sectionId, name]),
  words,
)}
`;
  yield head.text;
  for (const section of sections) {
    yield html`<section id="${section.id}" aria-labelledby="h-${section.id}">
<h2 id="h-${section.id}">${section.title}</h2>
`.text;
    for (const part of section.content()) yield part.text;
    yield '\n</section>\n';
  }
  const footer = { version, time: times.full(madeAt), zone: times.zone };
  yield html`<footer>${words('html.footer', footer)}</footer>
</main>
<script>${new Markup(SCRIPT)}</script>
</body>
</html>
`.text;
}

function sectionsOf(page: RunPage, words: Words, times: Times): Section[] {
  const { messages, figures, steps } = page;
  return [
    { id: 'totals', title: words('html.totals'), content: () => [totalsOf(page, words)] },
    ...(page.parts
      ? [{ id: 'parts', title: words('html.parts'), content: () => [partsOf(page, words)] }]
      : []),
    ...(steps.length > 0 ? [{ id: 'next', title: words('html.next'), content: () => [stepsOf(page)] }] : []),
    ...(messages.length > 0
      ? [{ id: 'sayings', title: words('html.sayings'), content: () => [rowMessagesOf(page, words)] }]
      : []),
    { id: 'run', title: words('html.about'), content: () => [aboutOf(page, words, times)] },
    ...(page.run.kind === 'run'
      ? [{ id: 'timeline', title: words('html.timeline'), content: () => [timelineOf(page, words, times)] }]
      : []),
    ...(figures.kinds.length > 0
      ? [{ id: 'events', title: words('html.events'), content: () => [eventsOf(page, words)] }]
      : []),
    { id: 'problems', title: words('html.problems'), content: () => problemsOf(page, words) },
  ];
}

/** Recommended actions, in order, with their commands. */
function stepsOf({ steps }: RunPage): Markup {
  const lines = steps.map(
    ({ text, commands }) =>
      html`<li><p>${text}</p>${commands.map((it) => html`<pre tabindex="0"><code>${it}</code></pre>`)}</li>\n`,
  );
  return html`<ol class="steps">\n${lines}</ol>`;
}

/** Content security policy: nothing is loaded, sent or framed; only this style and this script are allowed. */
function policy(style: string): string {
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [
    "default-src 'none'",
    `style-src ${hash(style)}`,
    `script-src ${hash(SCRIPT)}`,
    // For the empty icon, without which browsers request one.
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

const EXTENSIONS = new Set(['.html', '.htm']);

/**
 * Writes a run's page atomically.
 * @returns the path written; another one than `file` if that cannot be replaced
 * @throws ProductError usage for another extension or a location that is not writable, internal if the disk is full
 */
export async function writeRunPage(file: string, page: RunPage, guard?: ReplaceGuard): Promise<string> {
  refuseExtension(file);
  try {
    return await writeAtomically(
      file,
      async (sink) => {
        for (const part of runPage(page)) await write(sink, part);
      },
      guard,
    );
  } catch (error) {
    throw writeError(error, file);
  }
}

/** A page's generator is in its first bytes. */
const HEAD_BYTES = 4096;

/** Whether a file is a run's page; false if it cannot be read. */
export async function isRunPage(file: string): Promise<boolean> {
  try {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      return buffer.toString('utf8', 0, bytesRead).includes(PAGE_GENERATOR);
    } finally {
      await handle.close();
    }
  } catch {
    return false;
  }
}

/**
 * Checks that a page can be written, before anything is sent.
 * @throws ProductError usage if not
 */
export async function checkPageTarget(file: string): Promise<void> {
  refuseExtension(file);
  try {
    await checkWritable(file);
  } catch (error) {
    throw writeError(error, file);
  }
}

function refuseExtension(file: string): void {
  if (EXTENSIONS.has(path.extname(file).toLowerCase())) return;
  throw new ProductError('usage', message('html.extension', { file }));
}

function writeError(error: unknown, file: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  const kind = DISK_FULL.has(code) ? 'internal' : 'usage';
  return new ProductError(kind, message('html.unwritable', { file, reason: code }), { cause: error });
}
