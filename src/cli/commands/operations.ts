import { EXIT } from '../../model/exit-code.js';
import { OPERATION_NAMES } from '../../model/operation.js';
import { operationNamed } from '../../platform/operations/index.js';
import { describeOperation } from '../../platform/operations/listing.js';
import { guarded } from '../exit.js';
import { languageOf } from '../language.js';
import { table } from '../table.js';
import { operationOf } from '../unknown-word.js';

/** `operations [OPERATION]` */
export async function operations(
  name: string | undefined,
  flags: { readonly json?: boolean },
): Promise<void> {
  await guarded(languageOf(process.env), async () => {
    if (name === undefined) listAll(flags.json === true);
    else describeOne(name, flags.json === true);
    return EXIT.ok;
  });
}

function listAll(json: boolean): void {
  const all = OPERATION_NAMES.map((it) => operationNamed(it));
  if (json) {
    print(
      all.map((it) => ({
        name: it.name,
        purpose: it.purpose,
        endpoint: it.endpoint.number,
        method: it.endpoint.method,
        path: it.endpoint.path,
        repeatable: it.repeatable,
        batchSize: it.batch.size,
      })),
    );
    return;
  }
  const lines = all.map((it) => [
    it.name,
    String(it.endpoint.number),
    it.repeatable ? 'yes' : 'no',
    String(it.batch.size),
    it.purpose,
  ]);
  process.stdout.write(table([['operation', 'endpoint', 'repeatable', 'batch', 'purpose'], ...lines]));
}

function describeOne(name: string, json: boolean): void {
  const operation = operationNamed(operationOf(name));
  const fields = describeOperation(operation);
  if (json) {
    print({ name, purpose: operation.purpose, fields });
    return;
  }
  const { endpoint } = operation;
  process.stdout.write(
    `${name}: ${operation.purpose}\n${endpoint.method} ${endpoint.path} (endpoint ${endpoint.number}, ${endpoint.section})\n\n`,
  );
  const lines = fields.map((it) => [it.path, it.type, it.required ? 'required' : '', it.meaning]);
  process.stdout.write(table([['field', 'type', '', 'meaning'], ...lines]));
  for (const field of fields) {
    if (!field.values || field.values.length === 0) continue;
    process.stdout.write(`\n${field.path} is one of\n`);
    process.stdout.write(table(field.values.map((it) => [`  ${it.value}`, it.meaning])));
  }
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}
