import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OPERATION_NAMES } from '../src/model/operation.js';
import { STATUSES } from '../src/model/status.js';
import { CHOICES } from './support/sandbox-choices.js';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('README', () => {
  it.each(CHOICES.map((it) => [it.section, it.text]))(
    'lists what the sandbox chose for %s',
    (section, choice) => {
      expect(README).toContain(`- ${section}: ${choice}`);
    },
  );

  it('names every operation and every status', () => {
    for (const name of [...OPERATION_NAMES, ...STATUSES]) expect(README).toContain(`\`${name}\``);
  });
});
