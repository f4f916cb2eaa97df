/** Text and columns in turn, or what is wrong; `at` is a UTF-16 index into the template. */
type ParsedTemplate =
  | { readonly ok: true; readonly parts: readonly (string | { readonly column: string })[] }
  | { readonly ok: false; readonly problem: 'unclosed' | 'unopened' | 'empty'; readonly at: number };

/** `SO-{Order No}`: a name in braces is a column; `{{` and `}}` are braces themselves. */
export function parseTemplate(source: string): ParsedTemplate {
  const parts: (string | { readonly column: string })[] = [];
  let text = '';
  let at = 0;
  while (at < source.length) {
    const pair = source.slice(at, at + 2);
    if (pair === '{{' || pair === '}}') {
      text += pair[0];
      at += 2;
    } else if (source[at] === '}') return { ok: false, problem: 'unopened', at };
    else if (source[at] === '{') {
      const end = source.indexOf('}', at);
      const column = source.slice(at + 1, end === -1 ? undefined : end);
      if (end === -1 || column.includes('{')) return { ok: false, problem: 'unclosed', at };
      if (column.trim() === '') return { ok: false, problem: 'empty', at };
      if (text !== '') parts.push(text);
      parts.push({ column: column.trim() });
      text = '';
      at = end + 1;
    } else {
      text += source[at];
      at += 1;
    }
  }
  if (text !== '') parts.push(text);
  return { ok: true, parts };
}
