import { describe, expect, it } from 'vitest';
import { fillTemplate } from '../../src/notify/webhook.js';
import { runOver } from './parts.js';

const { summary } = runOver();

describe('a template', () => {
  it('is filled with the summary, text as it is', () => {
    const filled = fillTemplate('{job}: {status}, {counts.rejected} of {rows} rejected. {output}', summary);
    expect(filled).toEqual({
      text: 'orders: completed, 2 of 5 rejected. /data/results/"November".xlsx',
      json: false,
      unknown: [],
    });
  });

  it('that is JSON stays JSON whatever is put in', () => {
    const template = '{"text": "{job}\\n{output}", "rows": {rows}, "list": ["{counts}", {counts.failed}]}';
    const { text, json } = fillTemplate(template, { ...summary, job: 'a "b"\n\\c' });
    expect(json).toBe(true);
    expect(JSON.parse(text)).toEqual({
      text: 'a "b"\n\\c\n/data/results/"November".xlsx',
      rows: 5,
      list: ['succeeded 3, rejected 2', 0],
    });
  });

  it.each(['{job} ended {status}', '[{job}] done [{rows}]', '{rows}', 'plain', '{"text": "{job}",}'])(
    'that is no JSON is taken as text: %s',
    (template) => {
      expect(fillTemplate(template, summary).json).toBe(false);
    },
  );

  it('excludes what this run does not have, without a word', () => {
    const nothing = fillTemplate('<{reason}{error.message}{error}{parent}{sandbox}{executeMs}>', summary);
    expect(nothing).toMatchObject({ text: '<>', unknown: [] });
    const failed = fillTemplate('{error.code}: {error.message} {error.others}', {
      ...summary,
      error: { code: 'source.missing', message: 'gone', others: ['a', 'b'] },
    });
    expect(failed).toMatchObject({ text: 'source.missing: gone a; b', unknown: [] });
  });

  it('reports why a run ended by `reason`, an error being one too, and of no rows as none', () => {
    const template = '{counts}. {reason}';
    const stopped = { ...summary, reason: 'held back' };
    expect(fillTemplate(template, stopped).text).toBe('succeeded 3, rejected 2. held back');
    const failed = { counts: {}, error: { code: 'source.missing', message: 'gone', others: [] } };
    expect(fillTemplate(template, failed).text).toBe('none. gone');
  });

  it('counts a status that no row has as 0', () => {
    expect(fillTemplate('{counts.unknown} {counts.in_sync} {counts.rejected}', summary).text).toBe('0 0 2');
  });

  it('names each field that no summary has once', () => {
    const { text, unknown } = fillTemplate(
      '{jbo}{counts.sucess}{jbo}{constructor}{counts.__proto__}',
      summary,
    );
    expect(text).toBe('');
    expect(unknown).toEqual(['jbo', 'counts.sucess', 'constructor', 'counts.__proto__']);
  });
});
