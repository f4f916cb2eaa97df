import type { ImportLink } from '../api/replies.js';
import { address, go, withQuery } from '../router.js';
import { t } from '../words/language.js';

/** The folder on the console's machine is of no use to the user. */
export function fileName(path = ''): string | undefined {
  return path.split(/[\\/]/).at(-1);
}

/** A link to the import of a plan or run. */
export function ImportOf({ of: { id, name } }: { readonly of: ImportLink }) {
  return <a href={`/imports/${encodeURIComponent(id)}`}>{name}</a>;
}

/** A link to the page where invalid rows can be corrected. */
export function FixRows({ of: { id, name } }: { readonly of: ImportLink }) {
  return (
    <>
      <a class="button" href={`/imports/${encodeURIComponent(id)}?invalid=1`}>
        {t('common.correct_rows')}
      </a>{' '}
      <span class="quiet">{t('common.in_import', { name })}</span>
    </>
  );
}

/** Links to the next and first page of a list. The position is in the address. */
export function Pager({
  by,
  next,
}: {
  /** The query parameter of the position. */
  readonly by: 'before' | 'after';
  /** Cursor of the next page; undefined on the last one. */
  readonly next: string | number | undefined;
}) {
  const isFirst = !address.value.query.get(by);
  if (isFirst && next === undefined) return undefined;
  return (
    <div class="actions">
      {!isFirst && <a href={withQuery({ [by]: undefined })}>{t('common.first_page')}</a>}
      {next !== undefined && <a href={withQuery({ [by]: String(next) })}>{t('common.next_page')}</a>}
    </div>
  );
}

interface ListFilters {
  /** Values of the filter fields, untrimmed: `Wang ` is a step in typing `Wang Fang`. */
  readonly typed: Readonly<Record<string, string>>;
  /** Trimmed values, for the query. */
  readonly filters: Readonly<Record<string, string>>;
  /** Whether any filter is set. */
  readonly filtered: boolean;
  /** Cursor of the page. */
  readonly before: string;
}

/** The filters of a list in the address. */
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

/**
 * Updates a filter in the address. It replaces the history entry, so that `Back` leads to another page and not to
 * half a word.
 */
export function changeFilter(name: string): (text: string) => void {
  return (text) => go(withQuery({ [name]: text.trimStart(), before: undefined }), { replace: true });
}
