import { configJsonSchema, jobJsonSchema } from '../job/json-schema.js';
import { COMPARISONS } from '../platform/comparisons/index.js';
import { CATALOGUE_SHAPES } from '../platform/operations/index.js';

/** `schema`: the JSON Schema of job files or of `license-sync.yaml`, as the text of its file. */
export function schemaText(of: 'job' | 'config'): string {
  const schema = of === 'config' ? configJsonSchema() : jobJsonSchema(CATALOGUE_SHAPES, COMPARISONS);
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
