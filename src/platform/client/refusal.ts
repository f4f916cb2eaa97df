import { STATUS_CODES } from 'node:http';
import { type Message, message } from '../../errors/message.js';
import { type Json, member } from '../../model/json.js';
import { plainText } from '../../util/plain-text.js';
import { type ParsedJson, stringifyJson } from './lossless.js';

/** Longest text of the platform that is kept; more than this helps no one in a cell. */
const TEXT_LIMIT = 2_000;
const CODE_LIMIT = 100;
/** Of a page that is no JSON (a proxy's, mostly) the beginning tells enough. */
const PAGE_LIMIT = 300;

/** What a reply says in words, empty texts where it says nothing. */
export interface Said {
  /** `code` of an order service body or `resultCode` of an activity's; a number as its digits. */
  readonly code: string | undefined;
  readonly text: string;
  readonly cause: string;
}

/** Reads the error body of either service (§4.1.6, §2.7), or the beginning of whatever else came. */
export function whatItSays(parsed: ParsedJson, text: string): Said {
  if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null) {
    return { code: undefined, text: plainText(text.replace(/<[^<>]*>/gu, ' '), PAGE_LIMIT), cause: '' };
  }
  const body = parsed.value;
  return {
    code: codeOf(body),
    text: words(member(body, 'message') ?? member(body, 'resultMessage')),
    cause: words(member(body, 'cause')),
  };
}

/**
 * The business code as text: `0`, `13004`; undefined where there is none or it isn't text or a number. Danger: `0.0`
 * is a success too; taken for a refusal, what was carried out would be sent again by hand.
 */
export function codeOf(body: Json): string | undefined {
  const code = member(body, 'code') ?? member(body, 'resultCode');
  if (typeof code !== 'string') return undefined;
  const text = plainText(code, CODE_LIMIT);
  if (text === '') return undefined;
  const number = PLAIN_NUMBER.test(text) ? Number(text) : Number.NaN;
  return number === 0 || number === 500 ? String(Math.abs(number)) : text;
}

/** A number as JSON writes it: `0000` is none. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;

function words(value: Json | undefined): string {
  if (value === undefined) return '';
  return plainText(typeof value === 'string' ? value : stringifyJson(value), TEXT_LIMIT);
}

/** The platform's refusal in its own words. */
export function refusal(said: Said, code: string): Message {
  if (said.text === '' && said.cause === '') return message('platform.refused_silently', { code });
  if (said.text === '' || said.cause === '' || said.cause === said.text) {
    return message('platform.said', { text: said.text || said.cause });
  }
  return message('platform.said_cause', { text: said.text, cause: said.cause });
}

/** The platform's words about a status, else the status' own name, so that no sentence ends in nothing. */
export function statusText(said: Said | undefined, status: number): string {
  return said?.text || said?.cause || STATUS_CODES[status] || '-';
}
