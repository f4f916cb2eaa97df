import path from 'node:path';
import type { ExportedFile } from '../../model/exported-file.js';
import {
  CONFINED,
  ENVIRONMENT_FILE,
  OWN_USER,
  unitArgument,
  unitValue,
  unitWord,
} from '../../util/unit-text.js';
import { STUCK_MINUTES, type WorkerGround, workerArgs } from './contract.js';

const NAME = 'license-sync-worker';
const METRICS = '/run/license-sync/worker.prom';

/** A service, and a timer that starts it again when it is stuck. */
export function workerUnits(ground: WorkerGround): readonly ExportedFile[] {
  const head = `# Made by license-sync ${ground.version} (worker --export systemd).\n`;
  return [
    { name: `${NAME}.service`, text: head + service(ground) },
    { name: `${NAME}-health.service`, text: head + HEALTH },
    { name: `${NAME}-health.timer`, text: head + HEALTH_TIMER },
  ];
}

function service(ground: WorkerGround): string {
  const { home, program, movedLedger, secrets, logFile } = ground;
  const args = [...program, ...workerArgs(ground, METRICS)];
  const held = secrets.map((it) => `${it}=…`).join(', ') || 'variables that license-sync.yaml names';
  const folders = logFile === undefined ? [home] : [home, path.dirname(path.resolve(home, logFile))];
  return `[Unit]
Description=License-sync worker
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=0

[Service]
Type=exec
WorkingDirectory=${unitValue(home)}
# ${held}; owned by root, mode 0600. Secrets stand nowhere else.
EnvironmentFile=-${ENVIRONMENT_FILE}
${movedLedger === undefined ? '' : `Environment=${unitWord(`LICENSE_SYNC_LEDGER=${movedLedger}`)}\n`}ExecStart=${args.map(unitArgument).join(' ')}
${OWN_USER}# Started again however it ended (its database cannot be reached, its ledger is not migrated yet), as often as it takes; not
# after exit code 2: its settings are wrong.
Restart=always
RestartSec=5
RestartPreventExitStatus=2
# SIGTERM: nothing new is taken up, what is in flight is let end, and the rest goes to other workers.
KillSignal=SIGTERM
KillMode=mixed
TimeoutStopSec=150
RuntimeDirectory=license-sync
MemoryMax=512M
TasksMax=64
LimitNOFILE=4096
UMask=0077
NoNewPrivileges=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectSystem=strict
ProtectHome=read-only
ReadWritePaths=${[...new Set(folders)].map(unitWord).join(' ')}
${CONFINED}
[Install]
WantedBy=multi-user.target
`;
}

const HEALTH = `[Unit]
Description=Starts the license-sync worker again when it is stuck

[Service]
Type=oneshot
# Its metrics are written every 15 s. Where the worker isn't running, there is no such file.
ExecCondition=/bin/sh -c 'test -n "$(find ${METRICS} -mmin +${STUCK_MINUTES} 2>/dev/null)"'
ExecStart=systemctl restart ${NAME}.service
`;

const HEALTH_TIMER = `[Unit]
Description=When the license-sync worker is looked after

[Timer]
OnActiveSec=1min
OnUnitActiveSec=1min

[Install]
WantedBy=timers.target
`;
