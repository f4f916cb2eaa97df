import type { Wording } from '../errors/at-page.js';
import { message, renderText } from '../errors/message.js';
import type { Resolution } from '../ledger/contract/resolutions.js';

/** Who settled what, when, how and why, as data. A person's evidence is the note. */
export function resolutionData({ at, evidence, note, ...line }: Resolution, language: Wording) {
  const said = note ?? (line.how === 'operator' && typeof evidence === 'string' ? evidence : undefined);
  return {
    at: new Date(at).toISOString(),
    ...line,
    evidence: renderText(
      evidence ?? (line.how === 'late_reply' ? message('explain.late_evidence') : ''),
      language,
    ),
    ...(said === undefined ? {} : { note: said }),
  };
}
