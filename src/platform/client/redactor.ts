import type { Token } from './token.js';

const MARK = '[redacted]';

/**
 * Makes a function that replaces every occurrence of the secrets in a text by `[redacted]`: as they are, as they
 * stand in a URL, and as they stand in JSON. The mark is safe inside JSON strings.
 */
export function redactor(secrets: Iterable<string | Token>): (text: string) => string {
  const forms = new Set<string>();
  for (const secret of secrets) {
    const value = typeof secret === 'string' ? secret : secret.reveal();
    if (value === '') continue;
    const json = JSON.stringify(value).slice(1, -1);
    const url = encodeURIComponent(value);
    for (const form of [value, json, json.replaceAll('/', '\\/'), url, lowerEscapes(url), plusSpaces(url)]) {
      forms.add(form);
    }
  }
  // Longest first, so that no form leaves the tail of a longer one behind.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((rest, form) => rest.replaceAll(form, MARK), text);
}

function lowerEscapes(url: string): string {
  return url.replace(/%[0-9A-F]{2}/gu, (it) => it.toLowerCase());
}

function plusSpaces(url: string): string {
  return url.replaceAll('%20', '+');
}
