import { access, constants, lstat, stat } from 'node:fs/promises';
import path from 'node:path';
import { message } from '../errors/message.js';
import type { RestoreState } from '../ledger/contract/sending-guard.js';
import { MarksFolder } from '../ledger/marks/host-marks.js';
import { inspectLedger, inspectServer } from '../ledger/open.js';
import { isLedgerPath, stateFolderOf } from '../util/ledger-place.js';
import { type DoctorFinding, faultOf, finding } from './step.js';

/** Beside what the ledger keeps. */
const NOTE = 'sandbox.json';
const NAMED_AT_MOST = 5;

/** Checks the ledger and its folder, without making or changing anything. */
export async function checkLedger(ledger: string, env: NodeJS.ProcessEnv): Promise<DoctorFinding> {
  try {
    if (!isLedgerPath(ledger)) return await checkServer(ledger, env);
    if (await isThere(ledger)) {
      const { kept, restored, older } = await inspectLedger(ledger, env);
      if (older) return finding('ledger', 'warning', older);
      return (await restoredFinding(ledger, restored, env)) ?? (await checkModes(ledger, kept));
    }
  } catch (error) {
    return faultOf('ledger', error);
  }
  const folder = await nearestFolder(stateFolderOf(ledger));
  const writable = await mayWrite(folder);
  if (!writable) return finding('ledger', 'fault', message('doctor.ledger_unwritable', { ledger, folder }));
  return finding('ledger', 'ok', message('doctor.no_ledger', { ledger }));
}

/** Records that are missing; otherwise why this host could not notice it. Nothing for a ledger that only the sandbox used. */
async function restoredFinding(
  ledger: string,
  restored: RestoreState | undefined,
  env: NodeJS.ProcessEnv,
): Promise<DoctorFinding | undefined> {
  if (restored?.kind === 'lost') return finding('ledger', 'fault', restored.what);
  if (!restored || (restored.kind === 'no_marks' && !restored.sent)) return undefined;
  const { folder } = new MarksFolder(env);
  const nearest = await nearestFolder(folder);
  const reason = (await isFolder(nearest)) ? 'EACCES' : 'ENOTDIR';
  if (reason === 'ENOTDIR' || !(await mayWrite(nearest)))
    return finding('ledger', 'warning', message('ledger.marks_unwritable', { folder, reason }));
  return restored.kind === 'no_marks'
    ? finding('ledger', 'warning', message('doctor.ledger_no_marks', { ledger }))
    : undefined;
}

/** Whether the server keeps what it promised to keep. */
async function checkServer(ledger: string, env: NodeJS.ProcessEnv): Promise<DoctorFinding> {
  const { hasLedger, unsafe, asynchronous, restored, older } = await inspectServer(ledger, env);
  if (older) return finding('ledger', 'fault', older);
  const lost = await restoredFinding(ledger, restored, env);
  if (lost?.state === 'fault') return lost;
  const warnings = [
    ...(lost ? [lost.message] : []),
    ...(unsafe ? [message('doctor.ledger_fsync_off', { ledger })] : []),
    ...(asynchronous ? [message('doctor.ledger_asynchronous', { ledger })] : []),
  ];
  const [first, ...others] = warnings;
  if (first) return { ...finding('ledger', 'warning', first), ...(others.length > 0 ? { others } : {}) };
  return finding(
    'ledger',
    'ok',
    message(hasLedger ? 'doctor.ledger_server' : 'doctor.no_ledger', { ledger }),
  );
}

async function checkModes(ledger: string, kept: readonly string[]): Promise<DoctorFinding> {
  const folder = stateFolderOf(ledger);
  if (!(await mayWrite(ledger)) || !(await mayWrite(folder))) {
    return finding('ledger', 'fault', message('doctor.ledger_unwritable', { ledger, folder }));
  }
  const open = await openToOthers(folder, kept);
  if (open.length > 0) {
    const params = { folder, files: open.slice(0, NAMED_AT_MOST).join(', '), count: open.length };
    return finding('ledger', 'warning', message('doctor.state_open', params));
  }
  return finding('ledger', 'ok', message('doctor.ledger', { ledger }));
}

/** Files of the program that other users can open. A closed folder protects all that is in it. */
async function openToOthers(folder: string, kept: readonly string[]): Promise<readonly string[]> {
  if (process.platform === 'win32') return [];
  if (!(await isOpen(folder))) return [];
  const open: string[] = [];
  for (const name of [...kept, NOTE]) if (await isOpen(path.join(folder, name))) open.push(name);
  return open;
}

async function isOpen(file: string): Promise<boolean> {
  const about = await lstat(file).catch(() => undefined);
  return about !== undefined && (about.mode & 0o077) !== 0;
}

async function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

async function mayWrite(file: string): Promise<boolean> {
  return access(file, constants.W_OK).then(
    () => true,
    () => false,
  );
}

async function isFolder(file: string): Promise<boolean> {
  return stat(file).then(
    (it) => it.isDirectory(),
    () => false,
  );
}

async function nearestFolder(folder: string): Promise<string> {
  let at = folder;
  while (!(await isThere(at)) && path.dirname(at) !== at) at = path.dirname(at);
  return at;
}
