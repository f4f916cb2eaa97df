import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Ended } from './command.js';

const PROCESS = fileURLToPath(new URL('host-process.mjs', import.meta.url));
/** Ends what a command wrote to a stream; nothing that the program writes. */
const MARK = '\u0000end of a command\u0000';

interface Command {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Hosts that wait for a command. They go with the worker that started them. */
const idle: Host[] = [];

/**
 * Has the built program execute a command in a process that has executed others, which takes a fifth of the CPU that a
 * start takes.
 *
 * Real are the program's code, its arguments, folder, variables, files and output, and its end: nothing is left that the
 * process would wait for, or it exits. After help or a usage error (exits 0 and 2) the process stays for the next command,
 * after any other exit it ends. Not so are Node's start, `bin/license-sync.js`, and that modules are new: what the program
 * remembers as long as its process lives (secrets, and variables that it does not pass to its children) it knows from the
 * commands before.
 */
export async function carryOut(command: Command): Promise<Ended> {
  const host = idle.pop() ?? new Host();
  const ended = await host.carryOut(command);
  if (host.lives) idle.push(host);
  return ended;
}

class Host {
  readonly #child: ChildProcess = fork(PROCESS, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  #lives = true;
  #said = { stdout: '', stderr: '' };
  #code: number | undefined;
  #reported: (ended: Ended) => void = () => {};

  constructor() {
    for (const name of ['stdout', 'stderr'] as const) {
      this.#child[name]!.setEncoding('utf8').on('data', (text: string) => {
        this.#said[name] += text;
        this.#look();
      });
    }
    this.#child.on('message', (code: number) => {
      this.#code = code;
      this.#look();
    });
    this.#child.on('close', (code, signal) => {
      this.#lives = false;
      this.#reported({ code, signal, ...this.#said });
    });
    this.#keepThis('unref');
  }

  get lives(): boolean {
    return this.#lives;
  }

  carryOut(command: Command): Promise<Ended> {
    this.#said = { stdout: '', stderr: '' };
    this.#code = undefined;
    this.#keepThis('ref');
    return new Promise((resolve) => {
      this.#reported = resolve;
      this.#child.send({ ...command, mark: MARK });
    });
  }

  /** Only a host that executes a command keeps the process that started it from ending. */
  #keepThis(how: 'ref' | 'unref'): void {
    const { channel, stdout, stderr } = this.#child;
    for (const it of [this.#child, channel, stdout as Socket, stderr as Socket]) it?.[how]();
  }

  #look(): void {
    const { stdout, stderr } = this.#said;
    if (this.#code === undefined || !stdout.endsWith(MARK) || !stderr.endsWith(MARK)) return;
    const said = { stdout: stdout.slice(0, -MARK.length), stderr: stderr.slice(0, -MARK.length) };
    this.#keepThis('unref');
    this.#reported({ code: this.#code, signal: null, ...said });
  }
}
