import { stringify } from 'yaml';
import type { Scalar } from '../../model/map.js';

const PLAIN = /^[\p{L}_][\p{L}\p{N}_ .()（）-]*$/u;

/** A value on one line that is valid within brackets too, in quotes if YAML might read it as something else. */
export function scalarText(value: Scalar): string {
  if (typeof value !== 'string') return String(value);
  const text = escapedText(value);
  const plain = PLAIN.test(text) && stringify(text, { lineWidth: 0 }) === `${text}\n`;
  return plain ? text : JSON.stringify(text);
}

/** `${` begins a variable in a job file. */
export function escapedText(text: string): string {
  return text.replaceAll('${', () => '$${');
}
