import { type AuditInput, auditLineData, checkAudit as check, tellAudit } from '../../app/people/audit.js';
import { auditWords } from '../../app/people/audit-words.js';
import { message, render } from '../../errors/message.js';
import { EXIT } from '../../model/exit-code.js';
import { guarded } from '../exit.js';
import { shownPath } from '../shown-path.js';
import { table } from '../table.js';

interface AuditFlags {
  readonly json?: boolean;
  readonly ledger?: string;
}

/** `audit` */
export async function audit(flags: AuditFlags & AuditInput): Promise<void> {
  await guarded(flags, async (context) => {
    const { language } = context;
    const { run, who, since } = flags;
    let told = 0;
    const { none } = await tellAudit(context, { run, who, since }, (lines) => {
      const first = told === 0;
      told += lines.length;
      if (flags.json) {
        const each = lines.map((it) => `  ${JSON.stringify(auditLineData(it))}`);
        return write(`${first ? '[\n' : ',\n'}${each.join(',\n')}`);
      }
      const header = (['at', 'who', 'act', 'run', 'detail'] as const).map((it) =>
        render(message(`people.audit_${it}`), language),
      );
      const cells = lines.map((it) => {
        const { act, detail } = auditWords(it, language);
        const told = [it.who, act, it.run ?? '-', detail].map(shownPath);
        return [new Date(it.at).toISOString(), ...told];
      });
      return write(table(first ? [header, ...cells] : cells));
    });
    if (flags.json) await write(told === 0 ? '[]\n' : '\n]\n');
    if (none) process.stderr.write(`${render(none, language)}\n`);
    else if (told === 0 && !flags.json) await write(`${render(message('people.audit_empty'), language)}\n`);
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

/** Waits for a reader who is slow: an audit may be long. */
function write(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text, () => resolve()));
}
