import { expect, test } from 'vitest';
import { OPERATION_NAMES } from '../../../src/model/operation.js';
import { operationNamed } from '../../../src/platform/operations/index.js';
import { describeOperation } from '../../../src/platform/operations/listing.js';
import {
  chineseMeaning,
  chineseValue,
  OPERATION_WORDS,
  WORD_TABLES,
} from '../../../src/platform/operations/words.js';

test('no two operations have different words for one field: the later ones would replace the others unseen', () => {
  for (const of of ['fields', 'headers'] as const) {
    const keys = WORD_TABLES.flatMap((it) => Object.keys(it[of] ?? {}));
    expect(keys.length).toBeGreaterThan(50);
    expect(keys.filter((it, index) => keys.indexOf(it) !== index)).toEqual([]);
  }
});

test.each(OPERATION_NAMES)('%s: every field has its Chinese meaning, and so has every value', (name) => {
  expect(OPERATION_WORDS[name].purpose).toMatch(/\p{Script=Han}/u);
  for (const { field } of describeOperation(operationNamed(name))) {
    expect(chineseMeaning(field), field.name).toMatch(/\p{Script=Han}/u);
    for (const { value } of field.values ?? []) {
      expect(chineseValue(field, value), `${field.name} ${value}`).toBeTruthy();
    }
  }
});

test.each(OPERATION_NAMES)('%s: what guess goes by are its own fields', (name) => {
  const fields = new Set(describeOperation(operationNamed(name)).map((it) => it.field.name));
  const { essential, own, examples = {} } = OPERATION_WORDS[name];
  const named = [...essential, ...(own?.all ?? []), ...(own?.some?.of ?? []), ...Object.keys(examples)];
  expect(named.filter((it) => !fields.has(it))).toEqual([]);
  expect(essential.length).toBeGreaterThan(0);
});

test('operations that share a task share its words: those of one would be lost', () => {
  for (const one of Object.values(OPERATION_WORDS)) {
    for (const other of Object.values(OPERATION_WORDS)) {
      if (one.task === other.task) expect(one.clues).toBe(other.clues);
      else expect(one.clues.rank).not.toBe(other.clues.rank);
    }
  }
});
