/** Dashes other than the hyphen-minus, and an ellipsis, which stands for what was cut off. */
const SIGNS = '\\u2010-\\u2015\\u2043\\u2212\\u2026\\u22ef';
/** Circled, Roman, superscript and other numerals, and the digits of other scripts. 〇 is an ordinary Chinese character. */
const NUMERALS = new RegExp(`[${SIGNS}\\p{No}]|(?!\\u3007)\\p{Nl}|(?![0-9\\uff10-\\uff19])\\p{Nd}`, 'u');
/** Chinese and Japanese characters that look like a zero or a dash between Latin letters and digits. */
const BETWEEN_ASCII = /(?<=[0-9A-Za-z])[\u3007\u25cb\u25ef\u30fc\u4e00](?=[0-9A-Za-z])/;
const OTHER_SCRIPT = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
const LATIN = /[A-Za-z]/;
/** Cyrillic and Greek letters of the shape of a Latin one. */
const LATIN_SHAPE = /[АВЕЅІЈКМНОРСТУХЬаеѕіјорсухьΑΒΕΖΗΙΚΜΝΟΡΤΥΧοναυχ]/u;
/** Letters, numbers and symbols: other compatibility characters, such as （, are what an input method types. */
const COMPATIBLE = /(?![\uff00-\uffef])[\p{L}\p{N}\p{S}]/u;
const ORDINARY = /^[\x20-\x7e\u3400-\u4dff\u4e01-\u9fff]*$/;

/**
 * The first character that looks like another one in an identifier (`C–1`, `C①`, a Cyrillic С); undefined if there is none.
 * Two texts that look the same would name two things.
 */
export function lookAlike(text: string): string | undefined {
  if (ORDINARY.test(text)) return undefined;
  const found = NUMERALS.exec(text) ?? BETWEEN_ASCII.exec(text);
  if (found) return found[0];
  for (const character of text) {
    if (COMPATIBLE.test(character) && character.normalize('NFKC') !== character) return character;
  }
  if (!OTHER_SCRIPT.test(text)) return undefined;
  const letters = [...text].filter((it) => OTHER_SCRIPT.test(it));
  // A text wholly in the other script is meant so, unless it could be read as Latin from end to end.
  const foreign = !LATIN.test(text) && !letters.every((it) => LATIN_SHAPE.test(it));
  return foreign ? undefined : letters[0];
}
