import type { ComponentType } from 'preact';
import type { PageProps } from './router.js';
import { COMMON } from './words/common.js';
import type { PageWord } from './words/language.js';

/** A page's file exports its component as `Page`; it is loaded when somebody goes there. */
interface PageFile {
  readonly Page: ComponentType<PageProps>;
}

interface PageEntry {
  /** Whole paths that it is shown at; each group is one of `params`. */
  readonly path: RegExp;
  readonly load: () => Promise<PageFile>;
  /** The link in the navigation: where it leads, and its name. */
  readonly link?: { readonly to: string; readonly name: PageWord };
  /** Addresses at which that link is the current one, besides its own. */
  readonly under?: RegExp;
}

/**
 * All pages, in the navigation's order. To add one: a folder in `pages/` with a `page.tsx` that exports `Page`, its words
 * in `words/`, and an entry here.
 */
export const PAGES: readonly PageEntry[] = [
  {
    path: /^\/(?:runs)?$/,
    load: () => import('./pages/runs/page.js'),
    link: { to: '/runs', name: COMMON.runs },
    under: /^\/(?:runs|plans)\//,
  },
  {
    path: /^\/import$/,
    load: () => import('./pages/new-import/page.js'),
    link: { to: '/import', name: COMMON.new_import },
    under: /^\/imports\//,
  },
  { path: /^\/imports\/([^/]+)$/, load: () => import('./pages/import/page.js') },
  { path: /^\/runs\/([^/]+)$/, load: () => import('./pages/run/page.js') },
  { path: /^\/runs\/([^/]+)\/rehearsal$/, load: () => import('./pages/rehearsal/page.js') },
  { path: /^\/plans\/([^/]+)$/, load: () => import('./pages/plan/page.js') },
  {
    path: /^\/reconcile$/,
    load: () => import('./pages/reconcile/page.js'),
    link: { to: '/reconcile', name: COMMON.reconcile },
    under: /^\/reconcile\//,
  },
  { path: /^\/reconcile\/([^/]+)$/, load: () => import('./pages/comparison/page.js') },
  {
    path: /^\/schedules$/,
    load: () => import('./pages/schedules/page.js'),
    link: { to: '/schedules', name: COMMON.schedules },
  },
  {
    path: /^\/connections$/,
    load: () => import('./pages/connections/page.js'),
    link: { to: '/connections', name: COMMON.connections },
  },
  {
    path: /^\/templates$/,
    load: () => import('./pages/templates/page.js'),
    link: { to: '/templates', name: COMMON.templates },
  },
  {
    path: /^\/audit$/,
    load: () => import('./pages/audit/page.js'),
    link: { to: '/audit', name: COMMON.audit },
  },
  {
    path: /^\/people$/,
    load: () => import('./pages/people/page.js'),
    link: { to: '/people', name: COMMON.people },
  },
  { path: /^\/sign-in$/, load: () => import('./pages/sign-in/page.js') },
];

export function pageAt(
  path: string,
): { readonly entry: PageEntry; readonly params: readonly string[] } | undefined {
  for (const entry of PAGES) {
    const found = entry.path.exec(path);
    if (found) return { entry, params: found.slice(1).map((it) => decoded(it ?? '')) };
  }
  return undefined;
}

/** A part of an address as text; one that is no valid encoding stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
