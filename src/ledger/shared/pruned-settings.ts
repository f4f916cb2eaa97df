import type { JsonObject } from '../../model/json.js';
import { exactParse, exactStringify } from '../../util/exact-json.js';

/**
 * What is left of a run's settings once it is pruned: what its input was corrected with, and of a run of several steps the
 * job by whose map its rows were named. Without that a sheet that comes again under another map would go twice
 * (former-versions.ts). It isn't called `job`: a pruned run has none.
 * @param json the settings as they stand in the ledger
 */
export function prunedSettings(json: string): string {
  const { job, corrections, prunedJob } = exactParse(json) as JsonObject;
  const isOfSteps = typeof job === 'object' && job !== null && 'steps' in job;
  const kept: Record<string, unknown> = { corrections, prunedJob: isOfSteps ? job : prunedJob };
  return exactStringify(kept);
}
