import {
  type AuditInput,
  auditLineData,
  auditWords,
  checkAudit as check,
  policyWords,
  printAudit,
} from '../../app/audit.js';
import { usualTimezone } from '../../app/connections.js';
import type { AppContext } from '../../app/context.js';
import {
  addPerson as add,
  confirmPerson as confirm,
  liftPolicies,
  listPeople as list,
  listPolicies,
  type PersonInput,
  type PersonWithToken,
  personData,
  policyData,
  removePerson as remove,
  renewToken,
} from '../../app/people.js';
import { type Message, message, render } from '../../errors/message.js';
import { EXIT } from '../../model/run-outcome.js';
import { zonedText } from '../../util/zoned-time.js';
import { guarded } from '../process.js';
import { shownPath, table } from '../shown-text.js';

interface PeopleFlags {
  readonly json?: boolean;
  readonly ledger?: string;
}

/** `people list` */
export async function listPeople(flags: PeopleFlags): Promise<void> {
  await guarded(flags, async (context) => {
    const { language } = context;
    const found = await list(context);
    const people = 'people' in found ? found.people : [];
    if (flags.json) print(people);
    if ('none' in found) process.stderr.write(`${render(found.none, language)}\n`);
    else if (!flags.json && people.length === 0) {
      const { location } = found;
      process.stdout.write(`${render(message('people.none_there', { location }), language)}\n`);
    } else if (!flags.json) {
      const header = (['name', 'roles', 'subject', 'added', 'tokenExpires', 'unconfirmed'] as const).map(
        (it) => render(message(`people.${it}`), language),
      );
      const zone = await usualTimezone(context);
      const unconfirmedText = ({ by, until }: { by: string; until: string }): string =>
        render(
          message('people.unconfirmed_until', { by: shownPath(by), until: timeText(until, zone) }),
          language,
        );
      const lines = people.map(({ name, roles, subject = '-', added, tokenExpires, unconfirmed = [] }) => [
        shownPath(name),
        roles.join(', '),
        shownPath(subject),
        timeText(added, zone),
        tokenExpires === undefined ? '-' : timeText(tokenExpires, zone),
        unconfirmed.map(unconfirmedText).join(', ') || '-',
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
      const text = message('people.confirmed', { name: shownPath(name), by: shownPath(confirmed.by) });
      process.stdout.write(`${render(text, context.language)}\n`);
    }
    return EXIT.ok;
  });
}

/** `people policies` */
export async function policies(flags: PeopleFlags & { readonly lift?: string }): Promise<void> {
  await guarded(flags, async (context) => {
    const { language } = context;
    const lineOf = (it: Message) => `${render(it, language)}\n`;
    const { lift: host } = flags;
    if (host !== undefined) {
      await liftPolicies(context, host);
      if (flags.json) print({ host, lifted: true });
      else process.stdout.write(lineOf(message('approval.lifted', { host: shownPath(host) })));
      return EXIT.ok;
    }
    const found = await listPolicies(context);
    const hostPolicies = 'policies' in found ? found.policies : [];
    if (flags.json) print(hostPolicies.map(policyData));
    if ('none' in found) process.stderr.write(lineOf(found.none));
    else if (!flags.json && hostPolicies.length === 0)
      process.stdout.write(lineOf(message('approval.no_policies', { location: found.location })));
    else if (!flags.json) {
      const header = (['host', 'wants', 'kept_by', 'kept_at'] as const).map((it) =>
        render(message(`approval.${it}`), language),
      );
      const zone = await usualTimezone(context);
      const lines = hostPolicies.map((it) => {
        const { host, by, since } = policyData(it);
        return [host, render(policyWords(it.policy), language), shownPath(by), timeText(since, zone)];
      });
      process.stdout.write(table([header, ...lines]));
    }
    return EXIT.ok;
  });
}

/** Prints the token alone to stdout, so that a script can read it, and the notes to stderr. */
async function printToken(
  { person, token }: PersonWithToken,
  { json }: PeopleFlags,
  context: AppContext,
): Promise<number> {
  const { tokenExpires: until, ...data } = personData(person);
  if (json) print({ ...data, token, ...(until === undefined ? {} : { expires: until }) });
  else {
    process.stdout.write(`${token}\n`);
    const name = shownPath(person.name);
    const note =
      until === undefined
        ? message('people.token_once', { name })
        : message('people.token_until', { name, until: timeText(until, await usualTimezone(context)) });
    process.stderr.write(`${render(note, context.language)}\n`);
  }
  return EXIT.ok;
}

function timeText(iso: string, zone: string): string {
  return zonedText(Date.parse(iso), zone);
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}

interface AuditFlags {
  readonly json?: boolean;
  readonly ledger?: string;
}

/** `audit` */
export async function audit(flags: AuditFlags & AuditInput): Promise<void> {
  await guarded(flags, async (context) => {
    const { language } = context;
    const { run, who, since } = flags;
    const zone = await usualTimezone(context);
    let printed = 0;
    const { none } = await printAudit(context, { run, who, since }, (lines) => {
      const first = printed === 0;
      printed += lines.length;
      if (flags.json) {
        const each = lines.map((it) => `  ${JSON.stringify(auditLineData(it))}`);
        return write(`${first ? '[\n' : ',\n'}${each.join(',\n')}`);
      }
      const header = (['at', 'who', 'act', 'run', 'detail'] as const).map((it) =>
        render(message(`people.audit_${it}`), language),
      );
      const cells = lines.map((it) => {
        const { act, detail } = auditWords(it, language, zone);
        const texts = [it.who, act, it.run ?? '-', detail].map(shownPath);
        return [zonedText(it.at, zone), ...texts];
      });
      return write(table(first ? [header, ...cells] : cells));
    });
    if (flags.json) await write(printed === 0 ? '[]\n' : '\n]\n');
    if (none) process.stderr.write(`${render(none, language)}\n`);
    else if (printed === 0 && !flags.json)
      await write(`${render(message('people.audit_empty'), language)}\n`);
    return EXIT.ok;
  });
}

/** `audit check` */
export async function checkAudit(flags: AuditFlags): Promise<void> {
  await guarded(flags, async (context) => {
    const { language } = context;
    const { none, sound, fault } = await check(context);
    if (flags.json)
      await write(
        `${JSON.stringify({ lines: sound, ...(fault ? { fault: { n: fault.n, text: render(fault.text) } } : {}) })}\n`,
      );
    if (none) process.stderr.write(`${render(none, language)}\n`);
    else if (!flags.json)
      await write(`${render(fault?.text ?? message('people.audit_sound', { lines: sound }), language)}\n`);
    return fault ? EXIT.someRowsWrong : EXIT.ok;
  });
}

/** Waits until the text is written: an audit may be long and its reader slow. */
function write(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text, () => resolve()));
}
