import type { RunPage } from './contract.js';
import { html, type Markup } from './markup.js';

/** What to do, in the order in which to do it, with its commands. */
export function stepsOf({ steps }: RunPage): Markup {
  const lines = steps.map(
    ({ text, commands }) =>
      html`<li><p>${text}</p>${commands.map((it) => html`<pre tabindex="0"><code>${it}</code></pre>`)}</li>\n`,
  );
  return html`<ol class="steps">\n${lines}</ol>`;
}
