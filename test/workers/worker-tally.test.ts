import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/run/run-events.js';
import { WorkerTally } from '../../src/workers/worker-tally.js';

const taken = (run: string, chunk: number, more: Partial<RunEvent> = {}): RunEvent =>
  ({
    run,
    event: 'chunk_taken',
    chunk,
    token: 1,
    first: 1,
    last: 9,
    job: 'orders',
    operation: 'order.new_buy',
    connection: 'p',
    ...more,
  }) as RunEvent;

const attempt = (run: string, settled: Record<string, number>): RunEvent => ({
  run,
  event: 'attempt',
  batch: 1,
  attempt: 1,
  nonce: 'n',
  outcome: 'reply',
  sent: true,
  durationMs: 250,
  items: 2,
  settled,
});

const freed = (run: string, unknown: number): RunEvent => ({
  run,
  event: 'chunk_freed',
  chunk: 7,
  from: 'w-2',
  job: 'orders',
  operation: 'order.new_buy',
  connection: 'p',
  unknown,
});

describe('what a worker processed', () => {
  it('is counted from its log, and reported as metrics by job and connection', () => {
    const tally = new WorkerTally('w-1', 8);
    for (const event of [
      taken('r1', 1),
      attempt('r1', { succeeded: 2 }),
      attempt('r1', { succeeded: 1, rejected: 1 }),
      { run: 'r1', event: 'waiting', batch: 1, attempt: 1, waitMs: 10 } as const,
      { run: 'r1', event: 'chunk_ended', chunk: 1, first: 1, last: 9, how: 'done' } as const,
      taken('r2', 2, { token: 3, unknown: 4 } as Partial<RunEvent>),
      { run: 'r2', event: 'chunk_ended', chunk: 2, first: 1, last: 9, how: 'lost' } as const,
      taken('r2', 3, { connection: 'other "one"' } as Partial<RunEvent>),
      { run: 'r2', event: 'late_reply', batch: 1, attempt: 1, settled: 1 } as const,
      freed('r3', 2),
      { run: 'r1', event: 'run_concluded', status: 'completed', exitCode: 0 } as const,
    ])
      tally.add(event);
    expect(tally.sums).toEqual({ runs: 2, pieces: 3, requests: 2, retries: 1 });
    const lines = tally.metrics().split('\n');
    const p = 'worker="w-1",job="orders",connection="p",operation="order.new_buy"';
    for (const line of [
      'license_sync_worker_slots{worker="w-1"} 8',
      'license_sync_worker_pieces_held{worker="w-1"} 1',
      `license_sync_worker_pieces_total{${p}} 2`,
      `license_sync_worker_pieces_lost_total{${p}} 1`,
      `license_sync_worker_takeovers_total{${p}} 1`,
      `license_sync_worker_takeover_unknown_total{${p}} 6`,
      `license_sync_worker_requests_total{${p}} 2`,
      `license_sync_worker_request_seconds_total{${p}} 0.5`,
      `license_sync_worker_retries_total{${p}} 1`,
      `license_sync_worker_items_total{${p},status="succeeded"} 3`,
      `license_sync_worker_items_total{${p},status="rejected"} 1`,
      'license_sync_worker_late_replies_total{worker="w-1"} 1',
      'license_sync_worker_runs_concluded_total{worker="w-1"} 1',
    ])
      expect(lines).toContain(line);
    expect(tally.metrics()).toContain('connection="other \\"one\\""');
  });
});
