import { type Language, render } from '../../errors/message.js';
import type { Resolution } from '../../ledger/contract/resolutions.js';

/** What evidence says, in words. */
export function evidenceText(evidence: Resolution['evidence'], language: Language): string {
  if (evidence === undefined) return '';
  return typeof evidence === 'string' ? evidence : render(evidence, language);
}
