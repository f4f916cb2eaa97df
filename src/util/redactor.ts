const MARK = '[redacted]';

const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/**
 * Makes a function that replaces every occurrence of the secrets in a text by `[redacted]`: as they are, and with
 * any of their characters written as in a URL, in JSON (also JSON within JSON; some servers write `=` as `\u003d`),
 * or in HTML. The mark is safe inside JSON strings.
 */
export function redactor(secrets: Iterable<string>): (text: string) => string {
  const values = new Set(secrets);
  values.delete('');
  if (values.size === 0) return (text) => text;
  // Longest first, so that the rest of a longer secret doesn't remain.
  const ordered = [...values].sort((a, b) => b.length - a.length);
  const written = new RegExp(ordered.map(everyWriting).join('|'), 'gu');
  return (text) => {
    const plain = ordered.reduce((rest, value) => rest.replaceAll(value, MARK), text);
    return /[\\%&]/u.test(plain) ? plain.replace(written, MARK) : plain;
  };
}

/** A pattern that matches a secret however each of its characters is written. */
function everyWriting(secret: string): string {
  return Array.from(secret, (character) => `(?:${writings(character).join('|')})`).join('');
}

function writings(character: string): string[] {
  const code = character.codePointAt(0) ?? 0;
  const hex = anyCase(code.toString(16));
  const bytes = Array.from(
    Buffer.from(character),
    (byte) => `%${anyCase(byte.toString(16).padStart(2, '0'))}`,
  );
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  const json = units.map((unit) => `\\\\{1,4}u${anyCase(unit.toString(16).padStart(4, '0'))}`).join('');
  const named = NAMED_ENTITIES[character];
  const literal = character.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
  return [
    // Bounded, so that a reply full of backslashes or zeros costs no more than any other.
    // A backslash is doubled in JSON, and again in JSON within JSON; a quote or slash is preceded by some.
    character === '\\' ? '\\\\{1,4}' : /["'/]/u.test(character) ? `\\\\{0,4}${literal}` : literal,
    bytes.join(''),
    json,
    `&#0{0,6}${code};`,
    `&#[xX]0{0,6}${hex};`,
    ...(named === undefined ? [] : [`&${named};`]),
  ];
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/gu, (it) => `[${it}${it.toUpperCase()}]`);
}
