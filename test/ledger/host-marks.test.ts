import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { MarksFolder } from '../../src/ledger/marks/host-marks.js';

test('marks that cannot be removed do not stop `ledger accept-restored`', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'host-marks-'));
  try {
    const marks = new MarksFolder({ XDG_STATE_HOME: home });
    // A folder cannot be removed as a file, as root too.
    await mkdir(path.join(marks.folder, 'other.json'), { recursive: true });
    expect(() => marks.remove('other')).not.toThrow();
    expect(
      marks.write({ id: 'a', location: '/l', at: 1, epoch: 0, attempts: [], platforms: [] }),
    ).toBeUndefined();
    expect(marks.all().map((it) => it.id)).toEqual(['a']);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
