import { expect, it } from 'vitest';
import { cronText } from '../../../src/console/pages/pages/schedules/cron-text.js';
import { TEXTS } from '../../../src/console/pages/words/texts.js';
import { fillText } from '../../../src/errors/fill-text.js';

function shown(cron: string, language: 'en' | 'zh'): string | undefined {
  return cronText(cron, language, (code, params) =>
    fillText(TEXTS[code][language], (name) => String(params[name])),
  );
}

it.each([
  ['30 7 * * 1-5', 'every workday at 07:30', '周一至周五 07:30'],
  ['30 7 * * MON-FRI', 'every workday at 07:30', '周一至周五 07:30'],
  ['0 2 * * *', 'every day at 02:00', '每天 02:00'],
  ['0 6 * * 1', 'every Monday at 06:00', '每星期一 06:00'],
  ['0 6 * * 0', 'every Sunday at 06:00', '每星期日 06:00'],
  ['0 6 * * 7', 'every Sunday at 06:00', '每星期日 06:00'],
  ['5 18 * * Sat', 'every Saturday at 18:05', '每星期六 18:05'],
  ['*/15 * * * *', 'every 15 minutes', '每 15 分钟'],
])('%s is shown in words', (cron, en, zh) => {
  expect(shown(cron, 'en')).toBe(en);
  expect(shown(cron, 'zh')).toBe(zh);
});

it.each([
  '0 2 1 * *',
  '0 2 * 6 *',
  '0 2,14 * * *',
  '0 */2 * * *',
  '*/25 * * * *',
  '*/15 8 * * *',
  '*/15 * * * 1-5',
  '0 2 * * 1,3',
  '0 2 * * 5L',
  '0 2 * * mon#1',
  '* * * * *',
])('%s is shown as cron alone', (cron) => {
  expect(shown(cron, 'en')).toBeUndefined();
});
