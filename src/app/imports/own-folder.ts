import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Ledger } from '../../ledger/contract/ledger.js';
import { isLeft, OWN_MARK } from '../../util/temporary-file.js';

type Place = Pick<Ledger, 'stateFolder'>;

/** A folder of this process for a file that is coming in or going out. Its maker removes it, and others where it was killed. */
export async function ownFolder(place: Place, way: 'coming' | 'going'): Promise<string> {
  const folder = uploadsOf(place);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeft(place);
  return mkdtemp(path.join(folder, `${way}-${OWN_MARK}-`));
}

const NAME = /^(?:coming|going)-([0-9a-f]{8}-\d+-[0-9a-f]{8})-/;

/** Removes what processes left that were killed: an upload half done is gone. Never rejects. */
export async function removeLeft(place: Place): Promise<void> {
  const folder = uploadsOf(place);
  for (const name of await readdir(folder).catch(() => [])) {
    const mark = NAME.exec(name)?.[1];
    const left = path.join(folder, name);
    if (mark !== undefined && (await isLeft(left, mark)))
      await rm(left, { recursive: true, force: true }).catch(() => {});
  }
}

function uploadsOf({ stateFolder }: Place): string {
  return path.join(stateFolder, 'uploads');
}
