import { resolutionData } from '../app/resolution-data.js';
import { type Language, message, render } from '../errors/message.js';
import type { Resolution } from '../ledger/contract/resolutions.js';
import { zonedText } from '../util/zoned-time.js';

/** Who settled what, when, how and why, in one line; a late reply is no person's work. */
export function resolutionText(it: Resolution, language: Language, zone: string): string {
  const { how, who, from, to, at, licenseOrderId, note } = it;
  const params = { time: zonedText(at, zone), who, to };
  const line =
    how === 'late_reply'
      ? message('explain.audit_late', { ...params, from })
      : how === 'operator'
        ? message('explain.audit_operator', { ...params, from })
        : to === 'unknown'
          ? message('explain.audit_left', params)
          : message('explain.audit_platform', { ...params, from });
  const rest = [
    licenseOrderId ?? '',
    resolutionData(it, language).evidence,
    note === undefined ? '' : render(message('explain.audit_note', { note }), language),
  ];
  return [render(line, language), ...rest.filter((text) => text !== '')].join('; ');
}
