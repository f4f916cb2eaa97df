import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { STATUSES } from '../../src/model/status.js';
import { niceTop } from '../../src/pages/timeline.js';
import { bins, LANGUAGES, written } from '../support/run-page.js';

const HOSTILE = `<script>alert(1)</script>"'></style></title><img src=x onerror=alert(1)>`;

describe('the page of a run', () => {
  it.each(LANGUAGES)('is whole without rows, requests or an end (%s)', (language) => {
    const text = written({ language }, { state: 'going', endedAt: undefined as never, executeMs: 0 });
    expect(text).toMatch(/^<!doctype html>\n<html lang="(en|zh-CN)">/);
    expect(text.trimEnd().endsWith('</html>')).toBe(true);
    expect(text).not.toMatch(/undefined|NaN|Infinity|html\.\w+/);
  });

  it('allows this very style and script, and nothing else', () => {
    const text = written();
    const hash = (part: string): string => createHash('sha256').update(part).digest('base64');
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '';
    const script = /<script>([\s\S]*?)<\/script>/.exec(text)?.[1] ?? '';
    const policy =
      /Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1]?.replaceAll('&#39;', "'") ?? '';
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash(style)}'`,
      `script-src 'sha256-${hash(script)}'`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    // What the policy forbids isn't there either.
    expect(text).not.toMatch(/ style="| on\w+="|<iframe|<object|<form|\bhttps?:|url\(|@import/);
    const addresses = [...text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map((it) => it[1]);
    expect(addresses.every((it) => it === 'data:,' || it?.startsWith('#'))).toBe(true);
  });

  it('shows malicious text as text wherever it stands', () => {
    const clean = written({ counts: [{ status: 'rejected', rows: 1 }] });
    const text = written(
      {
        messages: [
          {
            status: 'rejected',
            rows: 1,
            groups: [{ text: HOSTILE, code: HOSTILE, rows: 1, firstRow: 2 }],
            others: 0,
          },
        ],
        steps: [{ text: HOSTILE, commands: [HOSTILE] }],
        problems: {
          rows: [{ row: 2, status: 'rejected', code: HOSTILE, message: HOSTILE, licenseOrderId: HOSTILE }],
          left: [],
        },
        figures: { kinds: [{ event: HOSTILE, attempts: 1, settled: 0 }] },
        counts: [{ status: 'rejected', rows: 1 }],
        warnings: [HOSTILE],
      },
      {
        job: HOSTILE,
        jobFile: 'javascript:alert(1)',
        inputFile: HOSTILE,
        connection: HOSTILE,
        output: HOSTILE,
        reason: HOSTILE,
        parent: { id: HOSTILE, as: 'retry' },
        id: HOSTILE,
      },
    );
    for (const tag of ['<script', '</script', '<style', '</style', '</title', '<img']) {
      expect([tag, text.split(tag).length]).toEqual([tag, clean.split(tag).length]);
    }
    expect(text.split('&lt;script&gt;alert(1)').length).toBeGreaterThan(14);
  });

  it('marks the sandbox, in the title too', () => {
    const text = written({}, { sandbox: true });
    expect(text).toMatch(/<title>SANDBOX · Run/);
    expect(text.match(/<strong class="sandbox">SANDBOX<\/strong>/g)).toHaveLength(2);
    expect(written()).not.toContain('SANDBOX');
  });

  it.each(LANGUAGES)('explains every status and every end of a request (%s)', (language) => {
    const kinds = ['reply', 'dns', 'timeout', 'died', 'open', 'constructor'].map((event) => ({
      event,
      sent: event !== 'timeout',
      attempts: 1,
      settled: 0,
    }));
    const counts = STATUSES.map((status) => ({ status, rows: 3 }));
    const text = written({ language, counts, figures: { kinds } });
    for (const status of STATUSES) expect(text).toContain(`s-${status}`);
    expect(text).toContain(language === 'zh' ? '平台已确认' : 'the platform confirmed it');
    expect(text).toContain(
      language === 'zh' ? '未发出：限时内未建立连接' : 'not sent: no connection in time',
    );
    // An end that only a newer program knows.
    expect(text).toContain('>constructor<');
    expect(text).toContain(language === 'zh' ? '共 27 行' : '12 of 27 rows are fine; check the other 15.');
  });

  it('draws the run over time, says it in words and repeats it as a table', () => {
    const timeline = bins(20, (bin) => ({
      ...(bin === 5 ? { others: 30 } : {}),
      ...(bin === 9 ? { pauseMs: 7_200_000 } : {}),
      ...(bin === 12 ? { answered: 0, settled: 0, latency: undefined } : {}),
    }));
    const text = written({ figures: { kinds: [], timeline, latency: { p50: 20, p90: 40, p99: 90 } } });
    expect(text).toContain('Requests per second from 10:03:11 to 10:03:31: at most 40');
    expect(text).toContain('Time per request from 10:03:11 to 10:03:31: p50, p90 and p99, at most 90 ms');
    expect(text).toContain('2 h 0 min');
    expect(text.match(/class="pause"/g)).toHaveLength(2);
    const table = /<details>[\s\S]*<\/details>/.exec(text)?.[0] ?? '';
    expect(table.match(/<tr role="row">/g)).toHaveLength(21);
    // Items go with requests one to one: no curve of their own.
    expect(text).not.toContain('Items finished per second from');
    const batches = { kinds: [], timeline: bins(20, () => ({ settled: 1000 })) };
    expect(written({ figures: batches })).toContain(
      'Items finished per second from 10:03:11 to 10:03:31: at most 1,000',
    );
  });

  it('writes the day too where a run continued over midnight', () => {
    const timeline = bins(20, (bin) => (bin < 10 ? {} : { from: Date.UTC(2026, 10, 21, 20, 0, bin) }));
    expect(written({ figures: { kinds: [], timeline } })).toContain(
      'Requests per second from 11-21 10:03:11 to 11-22 04:00:20',
    );
  });

  it('draws nothing of a run too short, of one that sent nothing, of a dry run', () => {
    expect(written({ figures: { kinds: [], timeline: bins(2) } })).toContain('too short');
    expect(written()).toContain('Nothing was sent');
    expect(written({}, { kind: 'dry_run' })).not.toContain('id="timeline"');
  });

  it('says honestly how many rows it excludes', () => {
    const rows = Array.from({ length: 600 }, (_, index) => ({
      row: index + 2,
      status: 'failed' as const,
      message: `no ${index}`,
    }));
    const left = [
      { status: 'failed' as const, rows: 1200 },
      { status: 'not_sent' as const, rows: 34 },
    ];
    const text = written({ problems: { rows, left } });
    expect(text).toContain('1,234 more rows are not on this page (failed 1,200, not_sent 34)');
    expect(text.match(/data-status="failed"/g)).toHaveLength(600);
  });

  it('is in the language of the run, statuses and commands aside', () => {
    const text = written({ language: 'zh', counts: [{ status: 'failed', rows: 1 }] });
    expect(text).toContain('<html lang="zh-CN">');
    const shown = text.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '').replace(/<[^>]*>/g, ' ');
    expect(shown).not.toMatch(/\b(Rows|Status|Meaning|Start|Requests|Search|Nothing|Connection)\b/);
  });

  it('puts round numbers at the top of an axis', () => {
    expect([0, 0.3, 1, 7, 56, 101, 2600].map(niceTop)).toEqual([1, 0.3, 1, 8, 60, 150, 3000]);
  });
});
