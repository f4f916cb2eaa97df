import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Guess } from '../../src/guess/compose-job.js';
import { guessJob } from '../../src/guess/guess.js';
import { loadJob } from '../../src/job/load.js';
import type { Job } from '../../src/model/job.js';
import type { MapBranch, MapNode } from '../../src/model/map.js';
import type { OperationName } from '../../src/model/operation.js';
import { ALL_OPERATIONS } from '../../src/platform/operations/catalogue.js';
import type { Fixture } from '../support/job-runs.js';

export interface Guessed {
  readonly found: Guess;
  readonly file: string;
  readonly job: Job;
}

/** The job for a spreadsheet, written to the fixture and loaded as a run would load it. */
export async function guessAt(fixture: Fixture, input: string, operation?: OperationName): Promise<Guessed> {
  const file = path.join(fixture.folder, 'guessed.yaml');
  const found = await guessJob({
    file: input,
    jobFile: file,
    schema: 'job.schema.json',
    language: 'en',
    ...(operation === undefined ? {} : { operation }),
  });
  await writeFile(file, found.text);
  return { found, file, job: await loadJob(file, { env: {}, operations: ALL_OPERATIONS }) };
}

/** What a job maps to a field, by the field's wire path. */
export function nodeAt(job: Job, steps: string): MapNode | undefined {
  let at: MapNode | undefined = job.map;
  for (const step of steps.split('.')) at = (at as MapBranch | undefined)?.fields.get(step);
  return at;
}
