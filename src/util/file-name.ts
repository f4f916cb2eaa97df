/** Longer ones are cut; file systems hold 255 bytes, and a character takes up to four. */
const MOST_CHARACTERS = 60;
/** Names that Windows keeps for devices, whatever stands behind the point. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * A name that somebody sent as a file's name on any system: no folder, no characters that steer terminals or turn text
 * round, not too long, its extension kept.
 */
export function plainFileName(sent: string): string {
  const last = sent.normalize('NFC').split(/[/\\]/).at(-1)!;
  const plain = last
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"|?*]/gu, '')
    .replace(/\s+/gu, ' ')
    .replace(/^[\s.~$]+|[\s.]+$/gu, '')
    .replace(DEVICES, '_$&');
  const point = plain.lastIndexOf('.');
  const extension = point > 0 && plain.length - point <= 6 ? plain.slice(point) : '';
  const stem = [...plain.slice(0, plain.length - extension.length)]
    .slice(0, MOST_CHARACTERS)
    .join('')
    .trimEnd();
  return `${stem === '' ? 'upload' : stem}${extension}`;
}
