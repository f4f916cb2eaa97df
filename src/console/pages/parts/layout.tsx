import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { lastContact, offline } from '../api/problem.js';
import { updated, watchConnection } from '../connection.js';
import { PAGES } from '../page-table.js';
import { address } from '../router.js';
import { askSession, type SessionAnswer, session as sessionState, signOut } from '../session.js';
import { chooseLanguage, language, listText, t, timeText, zoneText } from '../words/language.js';
import { LiveRegions } from './notices.js';

const LANGUAGES = [
  { value: 'en', name: 'English' },
  { value: 'zh', name: '中文' },
] as const;

/** The frame of all pages. Without a session there is no navigation. */
export function Layout({
  session,
  children,
}: {
  readonly session?: SessionAnswer;
  readonly children: ComponentChildren;
}) {
  return (
    <div class={session ? 'frame' : 'frame alone'}>
      <a class="skip" href="#main">
        {t('common.skip')}
      </a>
      <header class="top">
        <span class="product">
          <Mark />
          {t('common.product')}
        </span>
        {session && <Navigation />}
        <div class="who">
          {session && <CurrentUser session={session} />}
          <Choices />
        </div>
      </header>
      <main id="main">
        <ConnectionNotice />
        {children}
        <p class="zone">{t('common.zone', { zone: zoneText() })}</p>
      </main>
      <LiveRegions />
    </div>
  );
}

/** The only place that reports a lost connection or an update of the console. */
function ConnectionNotice() {
  useEffect(watchConnection, []);
  const isOffline = offline.value;
  useEffect(() => {
    if (!isOffline && sessionState.peek().kind === 'problem') void askSession();
  }, [isOffline]);
  if (!isOffline && !updated.value) return undefined;
  return (
    <div class="notice doubt connection" role="alert">
      <p class="first">{t(isOffline ? 'common.offline' : 'common.outdated')}</p>
      {isOffline ? (
        <p>
          {t('common.offline_detail')}{' '}
          {t('common.state_of', { time: timeText(lastContact.value.toISOString(), { seconds: true }) })}
        </p>
      ) : (
        <p>
          <button type="button" onClick={() => location.reload()}>
            {t('common.reload')}
          </button>
        </p>
      )}
    </div>
  );
}

function Navigation() {
  const { path } = address.value;
  return (
    <nav aria-label={t('common.pages')}>
      <ul>
        {PAGES.map(({ link, path: pattern, alsoCurrentAt }) => {
          if (!link) return undefined;
          const current = pattern.test(path) ? 'page' : alsoCurrentAt?.test(path) ? 'true' : undefined;
          return (
            <li key={link.to}>
              <a href={link.to} aria-current={current}>
                {t(link.name)}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function CurrentUser({ session }: { readonly session: SessionAnswer }) {
  return (
    <p class="person">
      <span class="name" title={t('common.roles', { roles: listText(session.roles) })}>
        {session.who}
      </span>
      <button type="button" class="plain" onClick={() => void signOut()}>
        {t('common.sign_out')}
      </button>
    </p>
  );
}

function Choices() {
  const looks = { system: 'common.as_system', light: 'common.light', dark: 'common.dark' } as const;
  return (
    <div class="choices">
      <label>
        <span>{t('common.language')}</span>
        <select
          value={language.value}
          onChange={(event) => chooseLanguage(event.currentTarget.value === 'zh' ? 'zh' : 'en')}
        >
          {LANGUAGES.map(({ value, name }) => (
            <option key={value} value={value} lang={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{t('common.appearance')}</span>
        <select
          value={appearance.value}
          onChange={(event) => {
            const chosen = APPEARANCES.find((it) => it === event.currentTarget.value);
            if (chosen) chooseAppearance(chosen);
          }}
        >
          {APPEARANCES.map((it) => (
            <option key={it} value={it}>
              {t(looks[it])}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" />
      <path d="M9 8v16h14M14 14l4 4 7-9" />
    </svg>
  );
}

const APPEARANCES = ['system', 'light', 'dark'] as const;
type Appearance = (typeof APPEARANCES)[number];

const STORAGE_KEY = 'license-sync.appearance';

/** Light or dark, as chosen in this browser; default: the system's setting. */
export const appearance = signal<Appearance>(storedAppearance());

function chooseAppearance(chosen: Appearance): void {
  appearance.value = chosen;
  show(chosen);
  try {
    localStorage.setItem(STORAGE_KEY, chosen);
  } catch {
    // Without storage the choice applies until the page is closed.
  }
}

/** The style uses the attribute; without it, the system's setting. */
export function show(chosen: Appearance): void {
  if (chosen === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}

function storedAppearance(): Appearance {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return APPEARANCES.find((it) => it === stored) ?? 'system';
  } catch {
    return 'system';
  }
}
