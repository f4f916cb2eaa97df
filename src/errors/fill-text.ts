/** A placeholder: a value, `{count}`, or words that depend on a number, `{count|# row is|# rows are}`. */
const PLACEHOLDER = /\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g;

/**
 * Replaces the placeholders of a text.
 * @param fill returns the value of a name, given the offset of the placeholder; undefined leaves the placeholder unchanged
 */
export function fillText(text: string, fill: (name: string, offset: number) => string | undefined): string {
  return text.replace(PLACEHOLDER, (match, name: string, singular?: string, plural?: string, offset = 0) => {
    const value = fill(name, offset) ?? match;
    if (singular === undefined) return value;
    return (value === '1' ? singular : plural!).replace('#', () => value);
  });
}
