import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDocument } from 'yaml';
import { loadConnections } from '../../src/job/connections.js';
import { loadJobFile } from '../../src/job/load.js';
import { ALL_OPERATIONS, COMPARISONS } from '../../src/platform/operations/catalogue.js';
import { postgresPlace } from '../support/postgres/shared-server.js';
import { blocksOf, type Fence } from './blocks.js';
import { applyEdits, isEdits } from './edits.js';
import { linesNotPrinted } from './output.js';
import { type Line, linesOf, Shell } from './shell.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The address of the reader's server. */
const SERVER = 'postgres://sync@db.example.com:5432/licences';
/** What a reader who has the project's folder has too. */
const SAMPLES = ['jobs', 'templates', 'job.schema.json'];

export const TAGS = ['sh', 'yaml', 'js', 'text'];

/** Does all that a page instructs its reader to do, in its order, in a scratch folder; throws at the first untruth. */
export async function followPage(page: string): Promise<void> {
  const scratch = await realpath(await mkdtemp(path.join(tmpdir(), 'license-sync-docs-')));
  const root = path.join(scratch, 'license-sync');
  await mkdir(path.join(root, 'node_modules'), { recursive: true });
  for (const it of SAMPLES) await cp(path.join(ROOT, it), path.join(root, it), { recursive: true });
  await symlink(ROOT, path.join(root, 'node_modules', 'license-sync'));
  const reader = new Reader(page, await Shell.open(root));
  const written = await readFile(path.join(ROOT, page), 'utf8');
  // The reader has a server: here it is the tests' own.
  const server = written.includes(SERVER) ? await postgresPlace() : undefined;
  try {
    for (const block of blocksOf(written.replaceAll(SERVER, server?.url ?? SERVER))) {
      if (block.kind === 'fence') await reader.follow(block);
      else if (isEdits(block)) await applyEdits(block, reader.folder);
    }
  } finally {
    await reader.close();
    await server?.remove();
    await rm(scratch, { recursive: true, force: true });
  }
}

class Reader {
  readonly #page: string;
  readonly #shell: Shell;
  #run = 'RUN';
  #plan = 'PLAN';
  #printed = '';
  #examples = 0;

  constructor(page: string, shell: Shell) {
    this.#page = page;
    this.#shell = shell;
  }

  get folder(): string {
    return this.#shell.folder;
  }

  close(): Promise<void> {
    return this.#shell.close();
  }

  async follow(block: Fence): Promise<void> {
    const place = `${this.#page}:${block.line}`;
    switch (block.tag) {
      case 'sh': {
        this.#printed = '';
        for (const line of linesOf(block.text)) await this.#command(line, place);
        return;
      }
      case 'yaml':
        return this.#write(block.text, place);
      case 'js': {
        this.#printed = '';
        this.#examples += 1;
        const file = `example-${this.#examples}.mjs`;
        await writeFile(path.join(this.folder, file), block.text);
        return this.#command({ text: `node ${file}`, exitCode: 0, serves: false }, place);
      }
      case 'text': {
        if (block.follows === undefined || !['sh', 'js'].includes(block.follows.tag)) return;
        const [line] = linesNotPrinted(block.text, this.#printed);
        if (line === undefined) return;
        throw new Error(`${place}: not printed: ${line}\n--- printed was\n${this.#printed}`);
      }
      default:
        throw new Error(`${place}: fences are ${TAGS.join(', ')}, not ${JSON.stringify(block.tag)}`);
    }
  }

  async #command(line: Line, place: string): Promise<void> {
    const text = line.text.replace(/\bRUN\b/g, this.#run).replace(/\bPLAN\b/g, this.#plan);
    const said = await this.#shell.run({ ...line, text });
    this.#printed += said.stderr + said.stdout;
    if (said.code !== line.exitCode) {
      throw new Error(
        `${place}: ${text}\nexit ${said.code}, not ${line.exitCode}\n${said.stderr}${said.stdout}`,
      );
    }
    const id = /\b\d{8}-\d{6}-[0-9a-f]{6}\b/.exec(said.stdout)?.[0];
    const [, command] = /\bbin\/license-sync\.js (?:--\S+ \S+ )?(\w+)/.exec(text) ?? [];
    if (id === undefined) return;
    if (command === 'plan' || command === 'revert') this.#plan = id;
    if (['run', 'submit', 'apply', 'resume', 'retry', 'reconcile'].includes(command ?? '')) this.#run = id;
  }

  /** Writes the file that the block is, and reads it as the program would. */
  async #write(text: string, place: string): Promise<void> {
    const [, name] = /^# file: (\S+)\n/.exec(text) ?? [];
    if (name === undefined) throw new Error(`${place}: a yaml block begins with "# file: some/path.yaml"`);
    const file = path.resolve(this.folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `${text}\n`);
    const variables = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, it]) => [it, 'https://example.com/made-up']);
    const env = { ...Object.fromEntries(variables), ...this.#shell.env };
    if (path.basename(file) === 'license-sync.yaml') await loadConnections(file, { env, cwd: this.folder });
    else if (/^version: 1$/m.test(text)) {
      const ground = { env, cwd: this.folder, operations: ALL_OPERATIONS, comparisons: COMPARISONS };
      await loadJobFile(file, ground);
    } else if (parseDocument(text).errors.length > 0) throw new Error(`${place}: no YAML`);
  }
}
