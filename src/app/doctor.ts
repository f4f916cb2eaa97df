import path from 'node:path';
import { type Examined, examine } from '../doctor/examine.js';
import type { DoctorFinding } from '../doctor/step.js';
import type { Wording } from '../errors/at-page.js';
import { render } from '../errors/message.js';
import { locatePlatform } from '../run/open-platform.js';
import { systemClock } from '../util/clock.js';
import type { AppContext } from './context.js';

interface DoctorInput {
  /** Absent: what a run in the folder would use. */
  readonly jobFile?: string;
  readonly connection?: string;
}

/** `doctor`: checks all that a run needs and changes nothing; each finding is told as soon as it is had. */
export function doctor(
  { env, cwd }: AppContext,
  { jobFile, connection }: DoctorInput,
): AsyncGenerator<DoctorFinding, Examined> {
  const asked = {
    jobFile: jobFile === undefined ? undefined : path.resolve(cwd, jobFile),
    connection,
    env,
    cwd,
  };
  return examine(asked, systemClock, locatePlatform);
}

/** All that `doctor` finds at once, as plain data. */
export async function doctorData(context: AppContext, input: DoctorInput) {
  const findings: DoctorFinding[] = [];
  const steps = doctor(context, input);
  let next = await steps.next();
  for (; !next.done; next = await steps.next()) findings.push(next.value);
  return examinedData(next.value, findings, context.language);
}

/** All findings as plain data, their texts in the language. `ok`: a run could go on from here. */
export function examinedData(
  { connection }: Examined,
  findings: readonly DoctorFinding[],
  language: Wording,
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
      message: [it.message, ...(it.others ?? [])].map((one) => render(one, language)).join('\n'),
    })),
  };
}
