import { signal } from '@preact/signals';

export type PageLanguage = 'en' | 'zh';

/** A text of the pages; `{names}` are filled in. Both languages carry the same names. */
export interface PageWord {
  readonly en: string;
  readonly zh: string;
}

const KEPT = 'license-sync.language';

/** The language of the pages: what was chosen in this browser, else the browser's own. */
export const language = signal<PageLanguage>(keptLanguage() ?? browserLanguage());

export function chooseLanguage(chosen: PageLanguage): void {
  language.value = chosen;
  try {
    localStorage.setItem(KEPT, chosen);
  } catch {
    // A browser that keeps nothing shows the language for as long as the page is open.
  }
}

function keptLanguage(): PageLanguage | undefined {
  try {
    const kept = localStorage.getItem(KEPT);
    return kept === 'en' || kept === 'zh' ? kept : undefined;
  } catch {
    return undefined;
  }
}

function browserLanguage(): PageLanguage {
  const known = navigator.languages.find((it) => /^(en|zh)\b/i.test(it));
  return known?.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

/** The text in the reader's language. Whoever calls it while rendering is drawn again when the language changes. */
export function say(word: PageWord, params?: Readonly<Record<string, string | number>>): string {
  const text = word[language.value];
  if (!params) return text;
  return text.replaceAll(/\{(\w+)\}/g, (all, name: string) => {
    const value = params[name];
    if (value === undefined) return all;
    return typeof value === 'number' ? number(value) : value;
  });
}

/** The reader's own form of the language (`en-GB`), so that numbers and times look as they are used to. */
function locale(): string {
  const wanted = language.value;
  return (
    navigator.languages.find((it) => it.toLowerCase().startsWith(wanted)) ??
    (wanted === 'zh' ? 'zh-CN' : 'en')
  );
}

export function number(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(locale(), options).format(value);
}

/** @param iso a time; @returns it in the reader's zone, which is named */
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

/** The reader's zone as said once below every page: `Asia/Shanghai (GMT+8)`. */
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
