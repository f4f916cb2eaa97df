import { signal } from '@preact/signals';
import { chineseValue } from '../../../errors/chinese-names.js';
import { fillText } from '../../../errors/fill-text.js';
import { TEXTS } from './texts.js';

export type PageLanguage = 'en' | 'zh';

/** Code of a text of the pages. */
export type TextCode = keyof typeof TEXTS;

const STORAGE_KEY = 'license-sync.language';

/** The language chosen in this browser, or the browser's own. */
export const language = signal<PageLanguage>(storedLanguage() ?? browserLanguage());

export function chooseLanguage(chosen: PageLanguage): void {
  language.value = chosen;
  try {
    localStorage.setItem(STORAGE_KEY, chosen);
  } catch {
    // Without storage the choice applies until the page is closed.
  }
}

function storedLanguage(): PageLanguage | undefined {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return stored === 'en' || stored === 'zh' ? stored : undefined;
  } catch {
    return undefined;
  }
}

function browserLanguage(): PageLanguage {
  const preferred = navigator.languages.find((it) => /^(en|zh)\b/i.test(it));
  return preferred?.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

/** The text in the user's language. Components that call it render again when the language changes. */
export function t(code: TextCode, params: Readonly<Record<string, string | number>> = {}): string {
  return fillText(TEXTS[code][language.value], (name) => {
    const value = params[name];
    return typeof value === 'number' ? number(value) : value;
  });
}

export function isTextCode(code: string): code is TextCode {
  return code in TEXTS;
}

export function listText(items: readonly string[]): string {
  return items.join(t('common.comma'));
}

/** The name of one or several operations, separated by commas. In Chinese with the code: `新购下单（order.new_buy）`. */
export function operationText(operation: string): string {
  if (language.value === 'en') return operation;
  return operation.replaceAll(/[\w.]+/g, (code) => chineseValue('operation', code, ''));
}

/** The user's locale for the language (`en-GB`), for numbers and times. */
function locale(): string {
  const current = language.value;
  return (
    navigator.languages.find((it) => it.toLowerCase().startsWith(current)) ??
    (current === 'zh' ? 'zh-CN' : 'en')
  );
}

export function number(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(locale(), options).format(value);
}

/** @param iso a time; @returns it in the user's time zone */
export function timeText(iso: string, { zone = true, seconds = false } = {}): string {
  return new Intl.DateTimeFormat(locale(), {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...(seconds ? { second: '2-digit' } : {}),
    ...(zone ? { timeZoneName: 'short' } : {}),
  }).format(new Date(iso));
}

/** The user's time zone: `Asia/Shanghai (GMT+8)`. */
export function zoneText(): string {
  const format = new Intl.DateTimeFormat(locale(), { timeZoneName: 'shortOffset' });
  const offset = format.formatToParts(new Date()).find((it) => it.type === 'timeZoneName')?.value;
  return `${format.resolvedOptions().timeZone}${offset === undefined ? '' : ` (${offset})`}`;
}

/** A duration: `45 s`, `3 min 20 s`, `2 h 5 min`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const unit = (value: number, name: 'second' | 'minute' | 'hour' | 'day'): string =>
    number(value, { style: 'unit', unit: name, unitDisplay: 'short' });
  if (seconds < 60) return unit(seconds, 'second');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60)
    return [unit(minutes, 'minute'), ...(seconds % 60 ? [unit(seconds % 60, 'second')] : [])].join(' ');
  const hours = Math.floor(minutes / 60);
  if (hours < 48)
    return [unit(hours, 'hour'), ...(minutes % 60 ? [unit(minutes % 60, 'minute')] : [])].join(' ');
  return unit(Math.round(hours / 24), 'day');
}
