import { signal } from '@preact/signals';

/** The current address. Filters of a page are in its query, so that the address can be opened again. */
export interface PageAddress {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Props of pages: the parameters in the path, in order. */
export interface PageProps {
  readonly params: readonly string[];
}

export const address = signal<PageAddress>(read());

function read(): PageAddress {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

/** Navigates to a page. @param replace replaces the history entry, for changes that need no own entry, such as a filter */
export function go(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(undefined, '', to);
  else history.pushState(undefined, '', to);
  const before = address.value.path;
  address.value = read();
  if (before !== address.value.path) scrollTo(0, 0);
}

/** The current address with changed filters; empty ones are removed. */
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

/** Handles links within the console without loading the document. The browser handles all others. */
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
