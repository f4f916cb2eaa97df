import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Job } from '../../model/job.js';
import { sameFile } from '../../util/file-identity.js';
import { resultPath } from '../../workbook/result-path.js';
import { checkTarget } from '../../workbook/write.js';

/** A result that can't be written, or that would replace what it is made from, is told before anything is sent. */
export async function refuseTarget(job: Job, run: string): Promise<void> {
  const target = resultPath(job, run);
  for (const file of [job.source.file, job.file]) {
    if (await sameFile(target, file))
      throw new ProductError('usage', message('run.output_is_input', { file }));
  }
  await checkTarget(target);
}
