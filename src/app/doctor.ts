import path from 'node:path';
import { type ExamineSummary, examine } from '../doctor/examine.js';
import type { DoctorFinding } from '../doctor/step.js';
import { type Message, type Param, render } from '../errors/message.js';
import type { MessageSurface } from '../errors/message-surface.js';
import { locatePlatform } from '../run/open-platform.js';
import { systemClock } from '../util/clock.js';
import type { AppContext } from './context.js';

interface DoctorInput {
  /** Absent: what a run in the folder would use. */
  readonly jobFile?: string;
  readonly connection?: string;
}

/** What `doctor` found, and the connection that it checked. */
export interface Examined extends ExamineSummary {
  readonly findings: readonly DoctorFinding[];
}

/**
 * `doctor`: checks everything that a run needs without changing anything.
 * @param onFinding gets each finding immediately
 */
export async function doctor(
  { env, cwd }: AppContext,
  { jobFile, connection }: DoctorInput,
  onFinding: (found: DoctorFinding) => void = () => {},
): Promise<Examined> {
  const job = jobFile === undefined ? undefined : path.resolve(cwd, jobFile);
  const steps = examine({ jobFile: job, connection, env, cwd }, systemClock, locatePlatform);
  const findings: DoctorFinding[] = [];
  let next = await steps.next();
  for (; !next.done; next = await steps.next()) {
    findings.push(next.value);
    onFinding(next.value);
  }
  return { ...next.value, findings };
}

/**
 * Findings as plain data, texts in the language. `ok`: a run is possible.
 * @param shown how a text is shown: on the console without the folders of its machine
 */
export function examinedData(
  { connection, findings }: Examined,
  language: MessageSurface,
  shown: (text: Message) => Message = (it) => it,
) {
  return {
    ok: findings.every((it) => it.state !== 'fault'),
    connection: connection?.name,
    baseUrl: connection?.baseUrl,
    ...(connection?.sandbox ? { sandbox: 'SANDBOX' } : {}),
    steps: findings.map((it) => ({
      step: it.step,
      state: it.state,
      code: it.message.code,
      message: [it.message, ...(it.others ?? [])].map((text) => render(shown(text), language)).join('\n'),
    })),
  };
}

/** The message with the names of files instead of their paths. */
export function withoutFolders({ code, params }: Message): Message {
  const nameOf = (value: Param): Param => {
    if (typeof value === 'object') return 'code' in value ? withoutFolders(value) : value;
    return typeof value === 'string' && path.isAbsolute(value) ? path.basename(value) : value;
  };
  return {
    code,
    params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, nameOf(value)])),
  };
}
