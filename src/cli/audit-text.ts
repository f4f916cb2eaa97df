import { type Language, message, render } from '../errors/message.js';
import type { Resolution } from '../ledger/contract/resolutions.js';
import { evidenceText } from '../run/report/evidence-text.js';

/** Who settled what, when, how and why: one line of the audit. */
export function auditLine(it: Resolution, language: Language): string {
  const { how, who, from, to, at, licenseOrderId, evidence, note } = it;
  const params = { time: new Date(at).toISOString(), who, to };
  const line =
    how === 'operator'
      ? message('explain.audit_operator', { ...params, from })
      : to === 'unknown'
        ? message('explain.audit_left', params)
        : message('explain.audit_platform', { ...params, from });
  const rest = [
    licenseOrderId ?? '',
    evidenceText(evidence, language),
    note === undefined ? '' : render(message('explain.audit_note', { note }), language),
  ];
  return [render(line, language), ...rest.filter((text) => text !== '')].join('; ');
}

/** The same for machines, texts in English. A person's evidence is the note. */
export function auditJson({ at, evidence, note, ...line }: Resolution): Record<string, unknown> {
  const said = note ?? (line.how === 'operator' && typeof evidence === 'string' ? evidence : undefined);
  return {
    at: new Date(at).toISOString(),
    ...line,
    evidence: evidenceText(evidence, 'en'),
    ...(said === undefined ? {} : { note: said }),
  };
}
