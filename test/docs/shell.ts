import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { carryOut } from '../support/host.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface Line {
  readonly text: string;
  readonly exitCode: number;
  /** It ends in `&`: it serves until it is stopped. */
  readonly serves: boolean;
}

/** Commands of an `sh` block. A line that ends in a backslash, or opens `<<'END'`, continues. */
export function linesOf(text: string): readonly Line[] {
  const commands: string[] = [];
  const rest = text.split('\n');
  while (rest.length > 0) {
    let command = rest.shift()!;
    while (command.endsWith('\\')) command = `${command.slice(0, -1)}${rest.shift() ?? ''}`;
    const end = /<<'(\w+)'/.exec(command)?.[1];
    for (let line = end; line !== undefined && rest.length > 0; ) {
      const next = rest.shift()!;
      command += `\n${next}`;
      if (next === line) line = undefined;
    }
    if (command.trim() !== '' && !command.startsWith('#')) commands.push(command);
  }
  return commands.map((command) => {
    const exit = / +# exit (\d+)$/.exec(command);
    const bare = command.replace(/(?<=\S) +# .*$/, '');
    return {
      text: bare.replace(/ &$/, ''),
      exitCode: Number(exit?.[1] ?? 0),
      serves: bare.endsWith(' &'),
    };
  });
}

/** What the sandbox, the scheduler, a worker and the console say once they can be stopped in order. */
const READY = /listening on|next at|taking runs|^console https?:/m;

/** The program alone, with words of which a shell makes nothing. */
const PLAIN = /^node (?:\.\.\/)?bin\/license-sync\.js ([\w-]+)(?: +[\w./:=@,+-]+)*$/;

/** Commands that were executed as the page says: each is once. What is not plain, always. */
const BEGUN = new Set<string>();

export interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A reader's terminal: a folder, variables, and commands that serve in the background. */
export class Shell {
  readonly root: string;
  folder: string;
  readonly #env: Record<string, string>;
  readonly #serving: Serving[] = [];

  private constructor(root: string, bin: string) {
    this.root = root;
    this.folder = root;
    // Nothing of the tester's own: no LANG, no token, no ledger.
    this.#env = {
      PATH: [bin, path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter),
      HOME: root,
      TZ: 'Asia/Shanghai',
    };
  }

  /** With the program in `bin/`, as in a checkout; `npm` runs only `start`, because its other commands would run these tests. */
  static async open(root: string): Promise<Shell> {
    const bin = path.join(root, '..', 'bin');
    await mkdir(bin, { recursive: true });
    await symlink(path.join(ROOT, 'bin'), path.join(root, 'bin'));
    await script(
      path.join(bin, 'npm'),
      `case "$1" in start) exec node "${ROOT}scripts/start.mjs" ;; ci|cit|test) ;; run) grep -q "\\"$2\\":" "${ROOT}package.json" ;; *) exit 97 ;; esac`,
    );
    return new Shell(root, bin);
  }

  get env(): Readonly<Record<string, string>> {
    return this.#env;
  }

  async run(line: Line): Promise<Said> {
    const moved = /^cd (\S+)$/.exec(line.text)?.[1];
    const [, name, value] = /^export (\w+)=(\S+)$/.exec(line.text) ?? [];
    if (moved !== undefined) this.folder = path.resolve(this.folder, moved);
    else if (name !== undefined) this.#env[name] = value!;
    else if (line.text === 'kill %1') return this.#stop(this.#serving.shift());
    else if (line.serves) return this.#serve(line.text);
    else return this.#carry(line.text);
    return { code: 0, stdout: '', stderr: '' };
  }

  async close(): Promise<void> {
    await Promise.all(this.#serving.splice(0).map((it) => this.#stop(it)));
  }

  #carry(text: string): Promise<Said> {
    const command = PLAIN.exec(text)?.[1];
    if (command === undefined || !BEGUN.has(command)) {
      if (command !== undefined) BEGUN.add(command);
      return ended(this.#spawn(text));
    }
    return carryOut({ args: text.split(/ +/).slice(2), cwd: this.folder, env: this.#env });
  }

  #spawn(text: string): ChildProcess {
    return spawn('/bin/sh', ['-c', text], {
      cwd: this.folder,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async #serve(text: string): Promise<Said> {
    const child = this.#spawn(`exec ${text}`);
    let printed = '';
    const ready = new Promise<Said>((resolve) => {
      const hear = (data: Buffer): void => {
        printed += String(data);
        if (READY.test(printed)) resolve({ code: 0, stdout: printed, stderr: '' });
      };
      child.stdout!.on('data', hear);
      child.stderr!.on('data', hear);
    });
    const end = ended(child);
    this.#serving.push({ child, end });
    return Promise.race([ready, end]);
  }

  /** As Ctrl-C does it. */
  async #stop(serving: Serving | undefined): Promise<Said> {
    if (!serving) throw new Error('kill %1: nothing is being served');
    serving.child.kill('SIGINT');
    return serving.end;
  }
}

interface Serving {
  readonly child: ChildProcess;
  readonly end: Promise<Said>;
}

function ended(child: ChildProcess): Promise<Said> {
  let stdout = '';
  let stderr = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

async function script(file: string, body: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${body}\n`);
  await chmod(file, 0o755);
}
