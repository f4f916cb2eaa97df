import { signal } from '@preact/signals';

/** Where the reader is. What a page is filtered by stands in its query, so that an address can be opened again. */
export interface PageAddress {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** What a page is given: the parts of its address in order. */
export interface PageProps {
  readonly params: readonly string[];
}

export const address = signal<PageAddress>(read());

function read(): PageAddress {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

/** Goes to a page of the console. @param replace in place of the present one: for what is no step of its own, such as a filter */
export function go(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(undefined, '', to);
  else history.pushState(undefined, '', to);
  const before = address.value.path;
  address.value = read();
  if (before !== address.value.path) scrollTo(0, 0);
}

/** The present address with other filters; an empty one is left out. */
export function withQuery(changes: Readonly<Record<string, string | undefined>>): string {
  const { path, query } = address.value;
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  const text = next.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Links within the console turn pages without loading the document; all others stay the browser's. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    address.value = read();
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.target !== '' || link.hasAttribute('download') || link.hasAttribute('data-document')) return;
    const to = new URL(link.href);
    if (to.origin !== location.origin || to.pathname.startsWith('/api/') || to.hash !== '') return;
    event.preventDefault();
    go(to.pathname + to.search);
  });
}
