import type { Field, ShapeProblem } from '../../model/field.js';
import type { JsonObject } from '../../model/json.js';
import type { Endpoint } from '../../model/operation.js';
import type { Simulation } from '../../platform/simulated/simulation.js';
import { checkShape } from '../../platform/wire/check.js';

const SHOWN = 20;

interface Parts {
  readonly outside: readonly Field[];
  readonly body: readonly Field[];
}

const PARTS = new Map<Endpoint, Parts>();

function partsOf(endpoint: Endpoint): Parts {
  let parts = PARTS.get(endpoint);
  if (!parts) {
    const inBody = (field: Field) => (field.in ?? 'body') === 'body';
    parts = {
      outside: endpoint.request.filter((field) => !inBody(field)),
      body: endpoint.request.filter(inBody),
    };
    PARTS.set(endpoint, parts);
  }
  return parts;
}

function shapeProblemText({ path, problem, expected }: ShapeProblem): string {
  switch (problem) {
    case 'missing':
      return `${path} is required (${expected})`;
    case 'type':
      return `${path || 'the body'} must be of type ${expected}`;
    case 'value':
      return `${path} must be one of ${expected}`;
    case 'unknown':
      return `${path} is not a field of the interface`;
  }
}

/** Violations of the endpoint's field tables as texts; empty if there are none. */
export function shapeProblems(
  { endpoint, lenient }: Simulation,
  params: ReadonlyMap<string, string>,
  body: unknown,
): readonly string[] {
  const { outside, body: inside } = partsOf(endpoint);
  const problems = [...checkShape(outside, Object.fromEntries(params))];
  if (endpoint.method === 'POST') {
    const found = checkShape(inside, body, { unknown: 'report' });
    problems.push(...found.filter((it) => !lenient?.(it, body as JsonObject)));
  }
  return problems.map(shapeProblemText);
}

/** Problems as one text; a long list is cut. */
export function listed(problems: readonly string[]): string {
  const more = problems.length - SHOWN;
  return problems.slice(0, SHOWN).join('; ') + (more > 0 ? `; and ${more} more` : '');
}
