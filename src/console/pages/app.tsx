import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { offline } from './api/problem.js';
import { checkConnection, updated } from './connection.js';
import { pageAt } from './page-table.js';
import { SignIn, SignInDialog } from './pages/sign-in/form.js';
import { Heading } from './parts/heading.js';
import { Layout } from './parts/layout.js';
import { Busy, EmptyState, ProblemNotice } from './parts/notices.js';
import { address, type PageProps } from './router.js';
import { askSession, session, sessionOver } from './session.js';
import { t } from './words/language.js';

/** The frame with the page of the current address, or the sign-in form if there is no session. */
export function App() {
  const state = session.value;
  switch (state.kind) {
    case 'asking':
      return <Busy />;
    case 'problem':
      return (
        <Layout>
          <ProblemNotice problem={state.problem} again={() => void askSession()} />
        </Layout>
      );
    case 'signed_out':
      return (
        <Layout>
          <SignIn />
        </Layout>
      );
    case 'there':
      return (
        <Layout session={state.session}>
          <CurrentPage path={address.value.path} />
          {sessionOver.value && <SignInDialog who={state.session.who} />}
        </Layout>
      );
  }
}

interface LoadedPage {
  readonly path: string;
  readonly Page?: ComponentType<PageProps>;
}

function CurrentPage({ path }: { readonly path: string }) {
  const found = pageAt(path);
  const [loaded, setLoaded] = useState<LoadedPage>();
  useEffect(() => {
    let left = false;
    pageAt(path)
      ?.entry.load()
      .then(({ Page }) => ({ path, Page }))
      .catch(() => ({ path }))
      .then((next) => {
        if (!left) setLoaded(next);
      });
    return () => {
      left = true;
    };
  }, [path]);
  if (!found) return <NotFound />;
  // The previous page must not be shown at the new address.
  if (loaded?.path !== path) return <Busy />;
  if (!loaded.Page) return <PageNotLoaded />;
  const { Page } = loaded;
  return <Page key={path} params={found.params} />;
}

/**
 * The page's script could not be loaded. It is loaded with the whole document when the console is reachable again: a
 * browser may remember that the script failed.
 */
function PageNotLoaded() {
  const [checked, setChecked] = useState(false);
  const wasOffline = useRef(false);
  const isOffline = offline.value;
  useEffect(() => void checkConnection().then(() => setChecked(true)), []);
  useEffect(() => {
    if (!isOffline && wasOffline.current) location.reload();
    wasOffline.current = isOffline;
  }, [isOffline]);
  // After an update the script no longer exists, which the frame reports.
  if (!checked || isOffline || updated.value) return <Busy />;
  const problem = { title: '', status: 404, detail: t('common.page_failed') };
  return <ProblemNotice problem={problem} again={() => location.reload()} againName={t('common.reload')} />;
}

function NotFound() {
  return (
    <>
      <Heading name={t('session.not_found')} />
      <EmptyState title={t('session.not_found_detail')} />
    </>
  );
}
