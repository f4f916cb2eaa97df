import { access, constants, lstat, stat } from 'node:fs/promises';
import path from 'node:path';
import { message } from '../errors/message.js';
import type { RestoreState } from '../ledger/contract/sending-guard.js';
import { MarksFolder } from '../ledger/marks/host-marks.js';
import { inspectLedger, inspectServer } from '../ledger/open.js';
import { exists } from '../util/atomic-file.js';
import { isLedgerPath, stateFolderOf } from '../util/ledger-address.js';
import { type DoctorFinding, faultOf, finding } from './step.js';

/** A file of the sandbox in the ledger's folder. */
const NOTE = 'sandbox.json';
const MOST_NAMES = 5;

/** Checks the ledger and its folder without creating or changing anything. */
export async function checkLedger(ledger: string, env: NodeJS.ProcessEnv): Promise<DoctorFinding> {
  try {
    if (!isLedgerPath(ledger)) return await checkServer(ledger, env);
    if (await exists(ledger)) {
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

/** Reports that the ledger is closed, missing records, or why this host could not detect them. Nothing for a ledger that only the sandbox used. */
async function restoredFinding(
  ledger: string,
  restored: RestoreState | undefined,
  env: NodeJS.ProcessEnv,
): Promise<DoctorFinding | undefined> {
  if (restored?.kind === 'lost' || restored?.kind === 'closed')
    return finding('ledger', 'fault', restored.what);
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

/** Checks the server's durability settings and the ledger on it. */
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
    const params = { folder, files: open.slice(0, MOST_NAMES).join(', '), count: open.length };
    return finding('ledger', 'warning', message('doctor.state_open', params));
  }
  return finding('ledger', 'ok', message('doctor.ledger', { ledger }));
}

/** Files of the program that other users can open. A folder without access for others protects its content. */
async function openToOthers(folder: string, kept: readonly string[]): Promise<readonly string[]> {
  if (process.platform === 'win32') return [];
  if (!(await isOpen(folder))) return [];
  const open: string[] = [];
  for (const name of [...kept, NOTE]) if (await isOpen(path.join(folder, name))) open.push(name);
  return open;
}

async function isOpen(file: string): Promise<boolean> {
  const stats = await lstat(file).catch(() => undefined);
  return stats !== undefined && (stats.mode & 0o077) !== 0;
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
  let nearest = folder;
  while (!(await exists(nearest)) && path.dirname(nearest) !== nearest) nearest = path.dirname(nearest);
  return nearest;
}
