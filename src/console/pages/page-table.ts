import type { ComponentType } from 'preact';
import type { PageProps } from './router.js';
import type { TextCode } from './words/language.js';

/** A page's file exports its component as `Page`. It is loaded on demand. */
interface PageFile {
  readonly Page: ComponentType<PageProps>;
}

interface PageEntry {
  /** Matches the whole path; each group is an entry of `params`. */
  readonly path: RegExp;
  readonly load: () => Promise<PageFile>;
  /** Link in the navigation. */
  readonly link?: { readonly to: string; readonly name: TextCode };
  /** Other paths at which that link is the current one. */
  readonly alsoCurrentAt?: RegExp;
}

/**
 * All pages, in the order of the navigation. To add one: a folder in `pages/` with a `page.tsx` that exports `Page`,
 * its texts in `words/`, and an entry here.
 */
export const PAGES: readonly PageEntry[] = [
  {
    path: /^\/(?:runs)?$/,
    load: () => import('./pages/runs/page.js'),
    link: { to: '/runs', name: 'common.runs' },
    alsoCurrentAt: /^\/(?:runs|plans)\//,
  },
  {
    path: /^\/import$/,
    load: () => import('./pages/new-import/page.js'),
    link: { to: '/import', name: 'common.new_import' },
    alsoCurrentAt: /^\/imports\//,
  },
  { path: /^\/imports\/([^/]+)$/, load: () => import('./pages/import/page.js') },
  { path: /^\/runs\/([^/]+)$/, load: () => import('./pages/run/page.js') },
  { path: /^\/runs\/([^/]+)\/rehearsal$/, load: () => import('./pages/rehearsal/page.js') },
  { path: /^\/plans\/([^/]+)$/, load: () => import('./pages/plan/page.js') },
  {
    path: /^\/reconcile$/,
    load: () => import('./pages/reconcile/page.js'),
    link: { to: '/reconcile', name: 'common.reconcile' },
    alsoCurrentAt: /^\/reconcile\//,
  },
  { path: /^\/reconcile\/([^/]+)$/, load: () => import('./pages/comparison/page.js') },
  {
    path: /^\/schedules$/,
    load: () => import('./pages/schedules/page.js'),
    link: { to: '/schedules', name: 'common.schedules' },
  },
  {
    path: /^\/connections$/,
    load: () => import('./pages/connections/page.js'),
    link: { to: '/connections', name: 'common.connections' },
  },
  {
    path: /^\/templates$/,
    load: () => import('./pages/templates/page.js'),
    link: { to: '/templates', name: 'common.templates' },
  },
  {
    path: /^\/audit$/,
    load: () => import('./pages/audit/page.js'),
    link: { to: '/audit', name: 'common.audit' },
  },
  {
    path: /^\/people$/,
    load: () => import('./pages/people/page.js'),
    link: { to: '/people', name: 'common.people' },
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

/** Decodes a part of a path; an invalid encoding is kept unchanged. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
