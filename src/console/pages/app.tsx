import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { pageAt } from './page-table.js';
import { SignIn } from './pages/sign-in/form.js';
import { NotFound } from './pages/states/not-found.js';
import { Layout } from './parts/layout.js';
import { Busy, Outdated, ProblemNotice } from './parts/notices.js';
import { address, type PageProps } from './router.js';
import { askSession, session } from './session.js';

/** The frame with the page that the address names; without a session, the form to sign in, at whatever address. */
export function App() {
  const now = session.value;
  switch (now.kind) {
    case 'asking':
      return <Busy />;
    case 'problem':
      return (
        <Layout>
          <ProblemNotice problem={now.problem} again={() => void askSession()} />
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
        <Layout session={now.session}>
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
      // A page of another version than the one that was loaded first is not there any more.
      .catch(() => ({ path }))
      .then((next) => {
        if (!left) setLoaded(next);
      });
    return () => {
      left = true;
    };
  }, [path]);
  if (!found) return <NotFound />;
  // What is of the page before is not shown at the address of the next.
  if (loaded?.path !== path) return <Busy />;
  if (!loaded.Page) return <Outdated />;
  const { Page } = loaded;
  return <Page key={path} params={found.params} />;
}
