import { attributes, ElementPath, eachToken } from './part-tokens.js';
import { START } from './xml-scan.js';
import { MAX_ENTRIES, type PackagePart, type ZipPackage } from './zip.js';

export interface Relationship {
  readonly id: string;
  /** The last word of its type, `worksheet`, which is the same in the transitional and the strict namespaces. */
  readonly type: string;
  /** Its target; undefined if the package has no such part. */
  readonly part: PackagePart | undefined;
}

/** Relationships of a part, or of the package (`''`); none when there is no such part. */
export async function relationships(zip: ZipPackage, source: string): Promise<readonly Relationship[]> {
  const cut = source.lastIndexOf('/') + 1;
  const folder = source.slice(0, cut);
  const rels = zip.part(`${folder}_rels/${source.slice(cut)}.rels`);
  if (!rels) return [];
  const found: Relationship[] = [];
  const path = new ElementPath();
  await eachToken(zip, rels, (token, scanner) => {
    path.see(token, scanner);
    if (token !== START || `${path}` !== '/Relationships/Relationship') return;
    const given = attributes(scanner);
    if (given.get('TargetMode')?.toLowerCase() === 'external') return;
    if (found.length === MAX_ENTRIES) throw scanner.broken();
    const type = given.get('Type') ?? '';
    found.push({
      id: given.get('Id') ?? '',
      type: type.slice(type.lastIndexOf('/') + 1),
      part: target(zip, folder, given.get('Target') ?? ''),
    });
  });
  return found;
}

/** Targets are absolute, or relative to the folder of the part that names them. */
function target(zip: ZipPackage, folder: string, reference: string): PackagePart | undefined {
  const slashed = reference.replaceAll('\\', '/');
  const whole = slashed.startsWith('/') ? slashed : folder + slashed;
  const steps: string[] = [];
  for (const step of whole.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  const name = steps.join('/');
  return zip.part(name) ?? zip.part(unquoted(name));
}

function unquoted(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
