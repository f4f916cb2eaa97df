import { access, constants, lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { message } from '../errors/message.js';
import { inspectLedger } from '../ledger/open.js';
import { type DoctorFinding, faultOf, finding } from './step.js';

/** Beside the ledger file itself and its side files. */
const OURS = ['inputs', 'locks', 'sandbox.json'];
const NAMED_AT_MOST = 5;

/** The ledger and the folder it lies in; makes and changes nothing. */
export async function checkLedger(ledger: string): Promise<DoctorFinding> {
  try {
    if (await isThere(ledger)) {
      await inspectLedger(ledger);
      return await checkModes(ledger);
    }
  } catch (error) {
    return faultOf('ledger', error);
  }
  const folder = await nearestFolder(path.dirname(ledger));
  const writable = await mayWrite(folder);
  if (!writable) return finding('ledger', 'fault', message('doctor.ledger_unwritable', { ledger, folder }));
  return finding('ledger', 'ok', message('doctor.no_ledger', { ledger }));
}

async function checkModes(ledger: string): Promise<DoctorFinding> {
  const folder = path.dirname(ledger);
  if (!(await mayWrite(ledger)) || !(await mayWrite(folder))) {
    return finding('ledger', 'fault', message('doctor.ledger_unwritable', { ledger, folder }));
  }
  const open = await openToOthers(ledger);
  if (open.length > 0) {
    const params = { folder, files: open.slice(0, NAMED_AT_MOST).join(', '), count: open.length };
    return finding('ledger', 'warning', message('doctor.state_open', params));
  }
  return finding('ledger', 'ok', message('doctor.ledger', { ledger }));
}

/** What others can get at, of all that the program keeps. A closed folder protects what is in it. */
async function openToOthers(ledger: string): Promise<readonly string[]> {
  if (process.platform === 'win32') return [];
  const folder = path.dirname(ledger);
  if (!(await isOpen(folder))) return [];
  const base = path.basename(ledger);
  const names = (await readdir(folder)).filter((it) => it.startsWith(base) || OURS.includes(it));
  const open: string[] = [];
  for (const name of names) if (await isOpen(path.join(folder, name))) open.push(name);
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

async function nearestFolder(folder: string): Promise<string> {
  let at = folder;
  while (!(await isThere(at)) && path.dirname(at) !== at) at = path.dirname(at);
  return at;
}
