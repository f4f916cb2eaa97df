import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { pageAt } from './page-table.js';
import { SignIn } from './pages/sign-in/form.js';
import { Heading } from './parts/heading.js';
import { Layout } from './parts/layout.js';
import { Busy, EmptyState, Outdated, ProblemNotice } from './parts/notices.js';
import { address, type PageProps } from './router.js';
import { askSession, session } from './session.js';
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
    case 'nobody':
      return (
        <Layout>
          <SignIn />
        </Layout>
      );
    case 'there':
      return (
        <Layout session={state.session}>
          <CurrentPage path={address.value.path} />
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
      // After an update of the console, the page's script may no longer exist.
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
  if (!loaded.Page) return <Outdated />;
  const { Page } = loaded;
  return <Page key={path} params={found.params} />;
}

function NotFound() {
  return (
    <>
      <Heading name={t('session.not_found')} />
      <EmptyState title={t('session.not_found_detail')} />
    </>
  );
}
