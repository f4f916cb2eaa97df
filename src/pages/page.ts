import { createHash } from 'node:crypto';
import { aboutOf } from './about.js';
import type { RunPage } from './contract.js';
import { eventsOf, partsOf, rowMessagesOf, totalsOf } from './figures.js';
import { Times } from './format.js';
import { contentsOf, headerOf } from './header.js';
import { html, Markup } from './markup.js';
import { problemsOf } from './problems.js';
import { SCRIPT } from './script.js';
import { styleOf } from './style.js';
import { timelineOf } from './timeline.js';
import { type Words, wordsIn } from './words.js';

/** In the head of every page, before the version. */
export const PAGE_GENERATOR = '<meta name="generator" content="license-sync ';

interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: () => Iterable<Markup>;
}

/** The page of a run, whole and self-contained, in pieces. Whatever stands in the data is shown as text. */
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
  sections.map(({ id: at, title: name }) => [at, name]),
  words,
)}
`;
  yield head.text;
  for (const section of sections) {
    yield html`<section id="${section.id}" aria-labelledby="h-${section.id}">
<h2 id="h-${section.id}">${section.title}</h2>
`.text;
    for (const piece of section.content()) yield piece.text;
    yield '\n</section>\n';
  }
  const made = { version, time: times.full(madeAt), zone: times.zone };
  yield html`<footer>${words('html.footer', made)}</footer>
</main>
<script>${new Markup(SCRIPT)}</script>
</body>
</html>
`.text;
}

function sectionsOf(page: RunPage, words: Words, times: Times): Section[] {
  const { messages: sayings, figures, steps } = page;
  return [
    { id: 'totals', title: words('html.totals'), content: () => [totalsOf(page, words)] },
    ...(page.parts
      ? [{ id: 'parts', title: words('html.parts'), content: () => [partsOf(page, words)] }]
      : []),
    ...(steps.length > 0 ? [{ id: 'next', title: words('html.next'), content: () => [stepsOf(page)] }] : []),
    ...(sayings.length > 0
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

/** What to do, in the order in which to do it, with its commands. */
function stepsOf({ steps }: RunPage): Markup {
  const lines = steps.map(
    ({ text, commands }) =>
      html`<li><p>${text}</p>${commands.map((it) => html`<pre tabindex="0"><code>${it}</code></pre>`)}</li>\n`,
  );
  return html`<ol class="steps">\n${lines}</ol>`;
}

/** The content security policy: nothing is loaded, sent or framed; only this style and this script run. */
function policy(style: string): string {
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [
    "default-src 'none'",
    `style-src ${hash(style)}`,
    `script-src ${hash(SCRIPT)}`,
    // The empty icon, so that no browser asks a server for one.
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
