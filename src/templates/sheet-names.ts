import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { TemplateSheet } from './contract.js';
import type { Describer } from './describe.js';

const NAME_LIMIT = 31;

export interface SheetNames {
  readonly guide: string;
  /** One for each sheet to fill in. */
  readonly examples: readonly string[];
  readonly lists: string;
}

interface PlacedSheet {
  readonly kind: 'data' | 'guide' | 'example';
  readonly name: string;
  /** Index among the template's sheets; 0 for the guide. */
  readonly index: number;
}

/**
 * Names and order of a template's sheets: those to fill in first, unless the job names its own by a number.
 * @throws ProductError usage when the workbook has fewer sheets than that number
 */
export function sheetOrder(
  template: { readonly sheets: readonly TemplateSheet[]; readonly position?: number },
  describer: Describer,
): { readonly names: SheetNames; readonly order: readonly PlacedSheet[] } {
  const { sheets, position } = template;
  const taken = new Set(sheets.map((it) => it.name.toLowerCase()));
  const own = (name: string): string => {
    let unique = name.slice(0, NAME_LIMIT);
    for (let number = 2; taken.has(unique.toLowerCase()); number += 1) {
      const mark = ` (${number})`;
      unique = `${name.slice(0, NAME_LIMIT - mark.length)}${mark}`;
    }
    taken.add(unique.toLowerCase());
    return unique;
  };
  const guide = own(describer.say(message('template.guide')));
  const examples = sheets.map(({ name }) =>
    own(
      describer.say(
        sheets.length === 1 ? message('template.example') : message('template.example_of', { sheet: name }),
      ),
    ),
  );
  const [main, ...joined] = sheets.map(({ name }, index): PlacedSheet => ({ kind: 'data', name, index }));
  const order: PlacedSheet[] = [
    ...joined,
    { kind: 'guide', name: guide, index: 0 },
    ...examples.map((name, index): PlacedSheet => ({ kind: 'example', name, index })),
  ];
  const at = position === undefined ? 0 : position - 1;
  if (at > order.length)
    throw new ProductError('usage', message('template.sheet_position', { position: at + 1 }));
  if (main) order.splice(at, 0, main);
  return { names: { guide, examples, lists: own('Lists') }, order };
}
