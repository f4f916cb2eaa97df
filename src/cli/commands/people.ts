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
import { message, render } from '../../errors/message.js';
import { EXIT } from '../../model/run-outcome.js';
import { zonedText } from '../../util/zoned-time.js';
import {
  type JsonFlag,
  printJson,
  printMessage,
  printNote,
  printResult,
  shownPath,
  table,
} from '../shown-text.js';

/** `people list` */
export async function listPeople(context: AppContext, flags: JsonFlag): Promise<void> {
  const { language } = context;
  const found = await list(context);
  const people = 'people' in found ? found.people : [];
  if (flags.json) printJson(people, 2);
  if ('none' in found) printNote(found.none, language);
  else if (!flags.json && people.length === 0) {
    const { location } = found;
    printMessage(message('people.none_there', { location }), language);
  } else if (!flags.json) {
    const header = (['name', 'roles', 'subject', 'added', 'tokenExpires', 'unconfirmed'] as const).map((it) =>
      render(message(`people.${it}`), language),
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
}

/** `people add NAME` */
export async function addPerson(
  context: AppContext,
  name: string,
  flags: JsonFlag & PersonInput,
): Promise<void> {
  await printToken(await add(context, name, flags), flags, context);
}

/** `people token NAME` */
export async function newToken(
  context: AppContext,
  name: string,
  flags: JsonFlag & Pick<PersonInput, 'expires'>,
): Promise<void> {
  await printToken(await renewToken(context, name, flags), flags, context);
}

/** `people remove NAME` */
export async function removePerson(context: AppContext, name: string, flags: JsonFlag): Promise<void> {
  await remove(context, name);
  const text = message('people.removed', { name: shownPath(name) });
  printResult(flags, { name, removed: true }, text, context.language, 2);
}

/** `people confirm NAME` */
export async function confirmPerson(context: AppContext, name: string, flags: JsonFlag): Promise<void> {
  const confirmed = await confirm(context, name);
  const text = message('people.confirmed', { name: shownPath(name), by: shownPath(confirmed.by) });
  printResult(flags, { ...confirmed, confirmed: true }, text, context.language, 2);
}

/** `people policies` */
export async function policies(
  context: AppContext,
  flags: JsonFlag & { readonly lift?: string },
): Promise<void> {
  const { language } = context;
  const { lift: host } = flags;
  if (host !== undefined) {
    await liftPolicies(context, host);
    const text = message('approval.lifted', { host: shownPath(host) });
    return printResult(flags, { host, lifted: true }, text, language, 2);
  }
  const found = await listPolicies(context);
  const hostPolicies = 'policies' in found ? found.policies : [];
  if (flags.json) printJson(hostPolicies.map(policyData), 2);
  if ('none' in found) printNote(found.none, language);
  else if (!flags.json && hostPolicies.length === 0)
    printMessage(message('approval.no_policies', { location: found.location }), language);
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
}

/** Prints the token alone to stdout, so that a script can read it, and the notes to stderr. */
async function printToken(
  { person, token }: PersonWithToken,
  { json }: JsonFlag,
  context: AppContext,
): Promise<void> {
  const { tokenExpires: until, ...data } = personData(person);
  if (json) printJson({ ...data, token, expires: until }, 2);
  else {
    process.stdout.write(`${token}\n`);
    const name = shownPath(person.name);
    const note =
      until === undefined
        ? message('people.token_once', { name })
        : message('people.token_until', { name, until: timeText(until, await usualTimezone(context)) });
    printNote(note, context.language);
  }
}

function timeText(iso: string, zone: string): string {
  return zonedText(Date.parse(iso), zone);
}

/** `audit` */
export async function audit(context: AppContext, flags: JsonFlag & AuditInput): Promise<void> {
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
  if (none) printNote(none, language);
  else if (printed === 0 && !flags.json) printMessage(message('people.audit_empty'), language);
}

/** `audit check` */
export async function checkAudit(context: AppContext, flags: JsonFlag): Promise<number> {
  const { language } = context;
  const { none, sound, fault } = await check(context);
  if (flags.json) printJson({ lines: sound, fault: fault && { n: fault.n, text: render(fault.text) } });
  if (none) printNote(none, language);
  else if (!flags.json)
    printMessage(fault?.text ?? message('people.audit_sound', { lines: sound }), language);
  return fault ? EXIT.someRowsWrong : EXIT.ok;
}

/** Waits until the text is written: an audit may be long and its reader slow. */
function write(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text, () => resolve()));
}
