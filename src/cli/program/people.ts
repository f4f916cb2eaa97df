import type { Command } from 'commander';
import { command } from './command-options.js';
import { words } from './words.js';

/** Commands for people and the audit. */
export function addPeople(root: Command): void {
  const people = command(root, 'people', words('help.people'), [
    'license-sync people add wang --role maker',
    'license-sync people add li --role checker --subject 00u1a2b3',
    'license-sync people list',
    'license-sync people token wang --expires 90d',
    'license-sync people remove wang',
  ])
    .option('--json', words('help.json'))
    .option('--ledger <location>', words('help.ledger'));
  command(people, 'list', words('help.people_list'), ['license-sync people list --json']).action(async () =>
    (await import('../commands/people.js')).listPeople(people.opts()),
  );
  command(people, 'add <name>', words('help.people_add'), [
    'license-sync people add wang --role maker,checker',
  ])
    .requiredOption('--role <roles>', words('help.role'))
    .option('--subject <sub>', words('help.subject'))
    .option('--expires <age>', words('help.expires'))
    .action(async (name: string, options) =>
      (await import('../commands/people.js')).addPerson(name, { ...people.opts(), ...options }),
    );
  command(people, 'remove <name>', words('help.people_remove'), ['license-sync people remove wang']).action(
    async (name: string) => (await import('../commands/people.js')).removePerson(name, people.opts()),
  );
  command(people, 'token <name>', words('help.people_token'), [
    'license-sync people token wang --expires 90d',
  ])
    .option('--expires <age>', words('help.expires'))
    .action(async (name: string, options) =>
      (await import('../commands/people.js')).newToken(name, { ...people.opts(), ...options }),
    );
  command(people, 'confirm <name>', words('help.people_confirm'), ['license-sync people confirm li']).action(
    async (name: string) => (await import('../commands/people.js')).confirmPerson(name, people.opts()),
  );
  command(people, 'policies', words('help.people_policies'), [
    'license-sync people policies',
    'license-sync people policies --lift office.example.com',
  ])
    .option('--lift <host>', words('help.lift'))
    .action(async (options) =>
      (await import('../commands/people.js')).policies({ ...people.opts(), ...options }),
    );
  const audit = command(root, 'audit', words('help.audit'), [
    'license-sync audit',
    'license-sync audit --run 20261121-020311-4f9a21',
    'license-sync audit --since 7d --json',
    'license-sync audit check',
  ])
    .allowExcessArguments()
    .option('--json', words('help.json'))
    .option('--ledger <location>', words('help.ledger'))
    .option('--run <run>', words('help.audit_run'))
    .option('--who <name>', words('help.audit_who'))
    .option('--since <time>', words('help.since'))
    .action(async (options) => (await import('../commands/people.js')).audit(options));
  command(audit, 'check', words('help.audit_check'), ['license-sync audit check']).action(async () =>
    (await import('../commands/people.js')).checkAudit(audit.opts()),
  );
}
