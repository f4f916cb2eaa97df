import type { AppContext } from '../../app/context.js';
import { policyWords } from '../../app/people/audit-words.js';
import {
  addPerson as add,
  confirmPerson as confirm,
  listPeople as list,
  type PersonInput,
  type PersonWithToken,
  personData,
  removePerson as remove,
  renewToken,
} from '../../app/people/people.js';
import { liftPolicies, listPolicies, policyData } from '../../app/people/policies.js';
import { type Message, message, render } from '../../errors/message.js';
import { EXIT } from '../../model/exit-code.js';
import { guarded } from '../exit.js';
import { shownPath } from '../shown-path.js';
import { table } from '../table.js';

interface PeopleFlags {
  readonly json?: boolean;
  readonly ledger?: string;
}

/** `people list` */
export async function listPeople(flags: PeopleFlags): Promise<void> {
  await guarded(flags, async (context) => {
    const { language } = context;
    const found = await list(context);
    const people = 'people' in found ? found.people.map(personData) : [];
    if (flags.json) print(people);
    if ('none' in found) process.stderr.write(`${render(found.none, language)}\n`);
    else if (!flags.json && people.length === 0) {
      const { location } = found;
      process.stdout.write(`${render(message('people.none_there', { location }), language)}\n`);
    } else if (!flags.json) {
      const header = (['name', 'roles', 'subject', 'added', 'tokenExpires'] as const).map((it) =>
        render(message(`people.${it}`), language),
      );
      const lines = people.map(({ name, roles, subject = '-', added, tokenExpires = '-' }) => [
        shownPath(name),
        roles.join(', '),
        shownPath(subject),
        added,
        tokenExpires,
      ]);
      process.stdout.write(table([header, ...lines]));
    }
    return EXIT.ok;
  });
}

/** `people add NAME` */
export async function addPerson(name: string, flags: PeopleFlags & PersonInput): Promise<void> {
  await guarded(flags, async (context) => printToken(await add(context, name, flags), flags, context));
}

/** `people token NAME` */
export async function newToken(
  name: string,
  flags: PeopleFlags & Pick<PersonInput, 'expires'>,
): Promise<void> {
  await guarded(flags, async (context) => printToken(await renewToken(context, name, flags), flags, context));
}

/** `people remove NAME` */
export async function removePerson(name: string, flags: PeopleFlags): Promise<void> {
  await guarded(flags, async (context) => {
    await remove(context, name);
    if (flags.json) print({ name, removed: true });
    else
      process.stdout.write(
        `${render(message('people.removed', { name: shownPath(name) }), context.language)}\n`,
      );
    return EXIT.ok;
  });
}

/** `people confirm NAME` */
export async function confirmPerson(name: string, flags: PeopleFlags): Promise<void> {
  await guarded(flags, async (context) => {
    const confirmed = await confirm(context, name);
    if (flags.json) print({ ...confirmed, confirmed: true });
    else {
      const said = message('people.confirmed', { name: shownPath(name), by: shownPath(confirmed.by) });
      process.stdout.write(`${render(said, context.language)}\n`);
    }
    return EXIT.ok;
  });
}

/** `people policies` */
export async function policies(flags: PeopleFlags & { readonly lift?: string }): Promise<void> {
  await guarded(flags, async (context) => {
    const { language } = context;
    const say = (it: Message) => `${render(it, language)}\n`;
    const { lift: host } = flags;
    if (host !== undefined) {
      await liftPolicies(context, host);
      if (flags.json) print({ host, lifted: true });
      else process.stdout.write(say(message('approval.lifted', { host: shownPath(host) })));
      return EXIT.ok;
    }
    const found = await listPolicies(context);
    const kept = 'policies' in found ? found.policies : [];
    if (flags.json) print(kept.map(policyData));
    if ('none' in found) process.stderr.write(say(found.none));
    else if (!flags.json && kept.length === 0)
      process.stdout.write(say(message('approval.no_policies', { location: found.location })));
    else if (!flags.json) {
      const header = (['host', 'wants', 'kept_by', 'kept_at'] as const).map((it) =>
        render(message(`approval.${it}`), language),
      );
      const lines = kept.map((it) => {
        const { host, by, since } = policyData(it);
        return [host, render(policyWords(it.policy), language), shownPath(by), since];
      });
      process.stdout.write(table([header, ...lines]));
    }
    return EXIT.ok;
  });
}

/** The token stands alone on stdout, so that a script can take it; what is to be known of it goes to stderr. */
function printToken(
  { person, token }: PersonWithToken,
  { json }: PeopleFlags,
  { language }: AppContext,
): number {
  const { tokenExpires: until, ...data } = personData(person);
  if (json) print({ ...data, token, ...(until === undefined ? {} : { expires: until }) });
  else {
    process.stdout.write(`${token}\n`);
    const name = shownPath(person.name);
    const said =
      until === undefined
        ? message('people.token_once', { name })
        : message('people.token_until', { name, until });
    process.stderr.write(`${render(said, language)}\n`);
  }
  return EXIT.ok;
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}
