import type { ComponentChildren } from 'preact';
import { APPEARANCES, appearance, chooseAppearance } from '../appearance.js';
import { PAGES } from '../page-table.js';
import { address } from '../router.js';
import { type SessionAnswer, signOut } from '../session.js';
import { COMMON } from '../words/common.js';
import { chooseLanguage, language, say, zoneText } from '../words/language.js';
import { LiveRegions } from './live.js';

const LANGUAGES = [
  { value: 'en', name: 'English' },
  { value: 'zh', name: '中文' },
] as const;

/** The frame of all pages; without a session there is nowhere to go. */
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
        {say(COMMON.skip)}
      </a>
      <header class="top">
        <span class="product">
          <Mark />
          {say(COMMON.product)}
        </span>
        {session && <Navigation />}
        <div class="who">
          {session && <Who session={session} />}
          <Choices />
        </div>
      </header>
      <main id="main">
        {children}
        <p class="zone">{say(COMMON.zone, { zone: zoneText() })}</p>
      </main>
      <LiveRegions />
    </div>
  );
}

function Navigation() {
  const { path } = address.value;
  return (
    <nav aria-label={say(COMMON.pages)}>
      <ul>
        {PAGES.map(({ link, path: own, under }) => {
          if (!link) return undefined;
          const current = own.test(path) ? 'page' : under?.test(path) ? 'true' : undefined;
          return (
            <li key={link.to}>
              <a href={link.to} aria-current={current}>
                {say(link.name)}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function Who({ session }: { readonly session: SessionAnswer }) {
  return (
    <p class="person">
      <span class="name" title={say(COMMON.roles, { roles: session.roles.join(', ') })}>
        {session.who}
      </span>
      <button type="button" class="plain" onClick={() => void signOut()}>
        {say(COMMON.sign_out)}
      </button>
    </p>
  );
}

function Choices() {
  const looks = { system: COMMON.as_system, light: COMMON.light, dark: COMMON.dark } as const;
  return (
    <div class="choices">
      <label>
        <span>{say(COMMON.language)}</span>
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
        <span>{say(COMMON.appearance)}</span>
        <select
          value={appearance.value}
          onChange={(event) => {
            const chosen = APPEARANCES.find((it) => it === event.currentTarget.value);
            if (chosen) chooseAppearance(chosen);
          }}
        >
          {APPEARANCES.map((it) => (
            <option key={it} value={it}>
              {say(looks[it])}
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
