import { address, go, withQuery } from '../router.js';
import { COMMON } from '../words/common.js';
import { say } from '../words/language.js';

/** Leads on through a list whose place stands in the address, and back to its beginning. */
export function Pager({
  by,
  next,
}: {
  /** What the address calls the place. */
  readonly by: 'before' | 'after';
  /** Where the next page begins; undefined on the last. */
  readonly next: string | number | undefined;
}) {
  const isFirst = !address.value.query.get(by);
  if (isFirst && next === undefined) return undefined;
  return (
    <div class="acts">
      {!isFirst && <a href={withQuery({ [by]: undefined })}>{say(COMMON.first_page)}</a>}
      {next !== undefined && <a href={withQuery({ [by]: String(next) })}>{say(COMMON.next_page)}</a>}
    </div>
  );
}

interface ListFilters {
  /** As they stand in their fields: who types `Wang Fang` has a space at the end for a moment. */
  readonly typed: Readonly<Record<string, string>>;
  /** As they are asked for. */
  readonly filters: Readonly<Record<string, string>>;
  /** Any of them is set. */
  readonly filtered: boolean;
  /** Where the page begins. */
  readonly before: string;
}

/** What a list is filtered by, as the address has it. */
export function listFilters(names: readonly string[]): ListFilters {
  const { query } = address.value;
  const typed = Object.fromEntries(names.map((it) => [it, query.get(it) ?? '']));
  const filters = Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, text.trim()]));
  return {
    typed,
    filters,
    filtered: names.some((it) => filters[it] !== ''),
    before: query.get('before') ?? '',
  };
}

/** Each change is in the address at once, in place of the one before: `Back` leads to another page, not to half a word. */
export function changeFilter(name: string): (text: string) => void {
  return (text) => go(withQuery({ [name]: text.trimStart(), before: undefined }), { replace: true });
}
