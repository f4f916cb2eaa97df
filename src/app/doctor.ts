import path from 'node:path';
import { type ExamineSummary, examine } from '../doctor/examine.js';
import type { DoctorFinding } from '../doctor/step.js';
import { render } from '../errors/message.js';
import type { MessageSurface } from '../errors/message-surface.js';
import { locatePlatform } from '../run/open-platform.js';
import { systemClock } from '../util/clock.js';
import type { AppContext } from './context.js';

interface DoctorInput {
  /** Absent: what a run in the folder would use. */
  readonly jobFile?: string;
  readonly connection?: string;
}

/** `doctor`: checks everything that a run needs without changing anything. Yields each finding immediately. */
export function doctor(
  { env, cwd }: AppContext,
  { jobFile, connection }: DoctorInput,
): AsyncGenerator<DoctorFinding, ExamineSummary> {
  const query = {
    jobFile: jobFile === undefined ? undefined : path.resolve(cwd, jobFile),
    connection,
    env,
    cwd,
  };
  return examine(query, systemClock, locatePlatform);
}

/** All findings of `doctor` as plain data. */
export async function doctorData(context: AppContext, input: DoctorInput) {
  const findings: DoctorFinding[] = [];
  const steps = doctor(context, input);
  let next = await steps.next();
  for (; !next.done; next = await steps.next()) findings.push(next.value);
  return examinedData(next.value, findings, context.language);
}

/** Findings as plain data, texts in the language. `ok`: a run is possible. */
export function examinedData(
  { connection }: ExamineSummary,
  findings: readonly DoctorFinding[],
  language: MessageSurface,
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
      message: [it.message, ...(it.others ?? [])].map((text) => render(text, language)).join('\n'),
    })),
  };
}
