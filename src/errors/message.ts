import { atPage, languageOf, type Wording } from './at-page.js';
import { CATALOGUE } from './catalogue/index.js';

type Catalogue = typeof CATALOGUE;

/** Every code a person can meet; the closed list is the catalogue itself. */
export type Code = keyof Catalogue;

export type Language = 'en' | 'zh';

type Names<Template> = Template extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

/** A message within another one is rendered with it, in the same language. */
export type Param = string | number | Message;

/** What a code's English text must be given, read off the text itself. */
export type Params<C extends Code> = { readonly [K in Names<Catalogue[C]['en']>]: Param };

/** A sentence for the person who must act, kept as data until it is shown (so that its language is chosen then). */
export interface Message {
  readonly code: Code;
  readonly params: Readonly<Record<string, Param>>;
}

type Rest<C extends Code> = keyof Params<C> extends never ? [] : [params: Params<C>];

export function message<C extends Code>(code: C, ...[params]: Rest<C>): Message {
  return { code, params: (params ?? {}) as Readonly<Record<string, Param>> };
}

/** A message in words; a text, such as the platform's own, as it is. */
export function renderText(it: Message | string, wording: Wording = 'en'): string {
  return typeof it === 'string' ? it : render(it, wording);
}

/** The message in words. A code unknown to this version (from a newer ledger) shows as itself with its values. */
export function render(it: Message, wording: Wording = 'en'): string {
  const entry = (CATALOGUE as Record<string, Record<Language, string> | undefined>)[it.code];
  if (!entry) return `${it.code} ${JSON.stringify(it.params)}`;
  const language = languageOf(wording);
  const text = wording === language ? entry[language] : atPage(it.code, entry[language], language);
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const param = it.params[name] ?? whole;
    return typeof param === 'object' ? render(param, wording) : String(param);
  });
}
