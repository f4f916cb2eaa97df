import { chineseValue } from './chinese-names.js';
import { fillText } from './fill-text.js';
import { EN } from './locales/en.js';
import { ZH } from './locales/zh.js';
import { forConsole, languageOf, type MessageSurface } from './message-surface.js';

/** All codes of messages: the English locale defines them. */
export type Code = Exclude<keyof typeof EN, `${string}@page`>;

export type Language = 'en' | 'zh';

type Names<Template> = Template extends `${string}{${infer Place}}${infer Rest}`
  ? (Place extends `${infer Name}|${string}` ? Name : Place) | Names<Rest>
  : never;

/**
 * A parameter of a message. A nested message, or a text in both languages, is rendered in the language of the outer
 * message.
 */
export type Param = string | number | Message | Readonly<Record<Language, string>>;

/** The parameters of a code, derived from its English text. */
export type Params<C extends Code> = { readonly [K in Names<(typeof EN)[C]>]: Param };

/** A message for users, stored as data so that its language is chosen when it is shown. */
export interface Message {
  readonly code: Code;
  readonly params: Readonly<Record<string, Param>>;
}

const TEXTS: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en: EN, zh: ZH };

export function isCode(text: string): text is Code {
  return Object.hasOwn(EN, text);
}

type Rest<C extends Code> = keyof Params<C> extends never ? [] : [params: Params<C>];

export function message<C extends Code>(code: C, ...[params]: Rest<C>): Message {
  return { code, params: (params ?? {}) as Readonly<Record<string, Param>> };
}

/** Renders a message; a text, such as the platform's, is returned unchanged. */
export function renderText(text: Message | string, surface: MessageSurface = 'en'): string {
  return typeof text === 'string' ? text : render(text, surface);
}

/** Renders a message. A code unknown to this version (from a newer ledger) is shown with its parameters. */
export function render({ code, params }: Message, surface: MessageSurface = 'en'): string {
  const language = languageOf(surface);
  const plain = TEXTS[language][code];
  if (plain === undefined) return `${code} ${JSON.stringify(params)}`;
  const text =
    surface === language ? plain : (TEXTS[language][`${code}@page`] ?? forConsole(plain, language));
  return fillText(text, (name, offset) => {
    const param = params[name];
    if (typeof param === 'object') return 'code' in param ? render(param, surface) : param[language];
    if (param === undefined || language === 'en') return param?.toString();
    return chineseValue(name, String(param), text.slice(0, offset));
  });
}
