import { describe, expect, it } from 'vitest';
import { escaped, html, Markup } from '../../src/pages/markup.js';

describe('HTML put together', () => {
  it.each([
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['</style><b>', '&lt;/style&gt;&lt;b&gt;'],
    ['" onmouseover="x', '&quot; onmouseover=&quot;x'],
    ["' `", '&#39; &#96;'],
    ['a&amp;b', 'a&amp;amp;b'],
    ['a\u0000b\u202ec\ud800', 'a b c\ufffd'],
  ])('%j becomes harmless', (text, wanted) => {
    expect(escaped(text)).toBe(wanted);
    expect(html`<p title="${text}">${text}</p>`.text).toBe(`<p title="${wanted}">${wanted}</p>`);
  });

  it('takes markup, numbers and lists as they are, and nothing for undefined', () => {
    const item = (text: string): Markup => html`<li>${text}</li>`;
    expect(html`<ul>${['<', '>'].map(item)}</ul>${undefined}${7}`.text).toBe(
      '<ul><li>&lt;</li><li>&gt;</li></ul>7',
    );
    expect(html`${new Markup('<br>')}`.text).toBe('<br>');
  });

  it('cuts what is endless', () => {
    expect(escaped('x'.repeat(1_000_000)).length).toBeLessThan(3000);
  });
});
