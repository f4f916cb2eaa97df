import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { jobTemplate } from '../../src/app/compose-template.js';
import { guessJob } from '../../src/guess/guess.js';
import { starterJob } from '../../src/guess/starter-files.js';
import { loadJob } from '../../src/job/load.js';
import { OPERATION_NAMES } from '../../src/model/operation.js';
import { ALL_OPERATIONS, operationNamed } from '../../src/platform/operations/catalogue.js';
import { templateWorkbook } from '../../src/templates/workbook.js';
import { Fixture } from '../support/job-runs.js';

describe.each(['en', 'zh'] as const)('the first job of a folder (%s)', (language) => {
  it.each(OPERATION_NAMES)('%s: runs with its workbook, whose headers lead back to it', async (operation) => {
    const fixture = await Fixture.open();
    try {
      const { name, text } = starterJob(operationNamed(operation), language);
      const file = await fixture.file('job.yaml', text.replace('../data/', ''));
      const job = await loadJob(file, { env: {}, operations: ALL_OPERATIONS });
      expect(job).toMatchObject({ name, operation, connection: 'sandbox' });
      const options = { language, filled: true, file: `${name}.xlsx`, jobFile: 'job.yaml' };
      const input = await fixture.file(`${name}.xlsx`, await templateWorkbook(jobTemplate(job, options)));
      const end = await fixture.run(file);
      expect(end.counts).toEqual({ succeeded: end.rows });
      expect(end.rows).toBeGreaterThan(0);
      const jobFile = path.join(fixture.folder, 'again.yaml');
      const found = await guessJob({ file: input, jobFile, schema: 'x', language, operation });
      expect(found.lacking).toEqual([]);
      expect(found.unused).toEqual([]);
    } finally {
      await fixture.close();
    }
  });
});
