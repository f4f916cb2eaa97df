import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { type WorkerEnvironment, workerManifests, workerUnits } from '../../../src/workers/service-files.js';

const WITHOUT = spawnSync('systemd-analyze', ['--version']).status !== 0;
if (WITHOUT) console.log('skipped: no systemd-analyze here to check units with');

const ground = (change: Partial<WorkerEnvironment> = {}): WorkerEnvironment => ({
  home: '/srv/sync',
  program: [process.execPath, '/bin/sh'],
  slots: 16,
  secrets: ['LICENSE_TOKEN', 'LICENSE_SYNC_LEDGER_PASSWORD'],
  image: 'registry.example.com/license-sync:1',
  version: '1',
  ...change,
});

describe('what keeps a worker running', () => {
  it.skipIf(WITHOUT)('units are accepted by the checker of systemd, whatever paths hold', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'license-sync-units-'));
    try {
      const home = path.join(folder, 'with "quotes" $HOME %h and spaces');
      const moved = 'postgres://sync@db.example.com:5432/licences?schema=a';
      const files = workerUnits(ground({ home, movedLedger: moved, logFile: 'a b.log', connections: 'a,b' }));
      for (const { name, text } of files) await writeFile(path.join(folder, name), text);
      const names = files.map(({ name }) => path.join(folder, name));
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...names], {
        encoding: 'utf8',
      });
      expect({ status, stderr }).toMatchObject({ status: 0 });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('a service has limits, lets what is in flight end, is looked after, and holds no secret', () => {
    const [service, health, timer] = workerUnits(ground());
    expect(service?.name).toBe('license-sync-worker.service');
    for (const line of [
      `ExecStart=${process.execPath} /bin/sh worker --slots 16 --metrics-file /run/license-sync/worker.prom`,
      'KillSignal=SIGTERM',
      'TimeoutStopSec=150',
      'Restart=always',
      'StartLimitIntervalSec=0',
      'User=license-sync',
      'Environment=XDG_STATE_HOME=%S',
      'RestartPreventExitStatus=2',
      'MemoryMax=512M',
      '# LICENSE_TOKEN=…, LICENSE_SYNC_LEDGER_PASSWORD=…; owned by root, mode 0600. Secrets stand nowhere else.',
      'WantedBy=multi-user.target',
    ])
      expect(service?.text.split('\n')).toContain(line);
    expect(health?.text).toContain('ExecStart=systemctl restart license-sync-worker.service');
    expect(timer?.text).toContain('OnUnitActiveSec=1min');
  });

  it('a stateful set is what Kubernetes knows, with limits, a probe and a name for each worker', async () => {
    const [file] = workerManifests(ground({ movedLedger: 'postgres://sync@db:5432/l' }));
    const manifest: unknown = parseDocument(file?.text ?? '').toJS();
    const packageName = 'kubernetes-models';
    const { StatefulSet } = (await import(`${packageName}/apps/v1`)) as {
      StatefulSet: new (data: unknown) => { validate(): void };
    };
    new StatefulSet(manifest).validate();
    let check = '';
    const command = expect.toSatisfy((it: readonly string[]) => {
      check = it[2] ?? '';
      return it[0] === 'node';
    });
    const container = {
      args: ['worker', '--slots', '16', '--metrics-file', '/tmp/worker.prom'],
      resources: { limits: { memory: '512Mi' } },
      securityContext: { readOnlyRootFilesystem: true },
      env: [{ name: 'LICENSE_SYNC_LEDGER', value: 'postgres://sync@db:5432/l' }],
      livenessProbe: { exec: { command } },
    };
    const template = { spec: { terminationGracePeriodSeconds: 150, containers: [container] } };
    expect(manifest).toMatchObject({ spec: { template, volumeClaimTemplates: [{}] } });
    const folder = await mkdtemp(path.join(tmpdir(), 'license-sync-probe-'));
    const metrics = path.join(folder, 'worker.prom');
    const probe = () =>
      spawnSync(process.execPath, ['-e', check.replace('/tmp/worker.prom', metrics)]).status;
    expect(probe()).not.toBe(0);
    await writeFile(metrics, '');
    expect(probe()).toBe(0);
    await rm(folder, { recursive: true });
  });
});
