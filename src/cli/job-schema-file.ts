import { access } from 'node:fs/promises';
import path from 'node:path';

const NAME = 'job.schema.json';

export interface SchemaReference {
  /** As a job file in the folder names it. */
  readonly reference: string;
  /** As people in the current folder name it. */
  readonly shown: string;
  readonly there: boolean;
}

/** The job schema that editors check a job in a folder by: the nearest one upwards, else one that is still to be made. */
export async function schemaFor(folder: string): Promise<SchemaReference> {
  for (let at = folder; ; at = path.dirname(at)) {
    const file = path.join(at, NAME);
    const there = await access(file).then(
      () => true,
      () => false,
    );
    if (there) return described(folder, file, true);
    if (at === path.dirname(at)) return described(folder, path.join(folder, NAME), false);
  }
}

function described(folder: string, file: string, there: boolean): SchemaReference {
  const reference = path.relative(folder, file).split(path.sep).join('/');
  return { reference, shown: path.relative(process.cwd(), file) || file, there };
}
