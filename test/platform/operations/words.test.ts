import { expect, test } from 'vitest';
import { OPERATION_NAMES } from '../../../src/model/operation.js';
import { operationNamed } from '../../../src/platform/operations/catalogue.js';
import { describeOperation } from '../../../src/platform/operations/listing.js';
import {
  chineseMeaning,
  OPERATION_WORDS,
  WORD_TABLES,
} from '../../../src/platform/operations/operation-words.js';
import { fold } from '../../../src/util/text.js';

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
    for (const { value, zh } of field.values ?? []) {
      expect(zh, `${field.name} ${value}`).toBeTruthy();
    }
    // No text may stand for two values: a value, or a name of one.
    const texts = (field.values ?? []).map((it) => [
      ...new Set([String(it.value), it.meaning, it.zh ?? ''].map(fold)),
    ]);
    expect(new Set(texts.flat()).size, field.name).toBe(texts.flat().length);
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
