import { type Code, type Language, message, type Params, render } from '../errors/message.js';

/** The page's texts in its language. */
export type Words = <C extends Code>(
  code: C,
  ...params: keyof Params<C> extends never ? [] : [params: Params<C>]
) => string;

export function wordsIn(language: Language): Words {
  return (code, ...params) => render(message(code, ...params), language);
}
