// docs/operations.md, from the catalogue.
import { fromSource } from './from-source.mjs';

const { render } = await fromSource('errors/message.ts');
const { ALL_OPERATIONS } = await fromSource('platform/operations/catalogue.ts');
const { describeOperation } = await fromSource('platform/operations/listing.ts');

const code = (text) => `\`${text}\``;
const list = (names) => names.map(code).join(', ');
const cell = (text) => text.replaceAll('|', '\\|');

function table(headers, rows) {
  const line = (cells) => `| ${cells.map((it) => cell(it)).join(' | ')} |`;
  return [line(headers), `|${headers.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

function repeats({ key }) {
  if (key === undefined) return 'It has no key: a row that is run again is sent again.';
  if (key === 'order') {
    return (
      'A repeat is recognised by `channelCode`, `channelOrderId` and the columns of the `each` of `orderList`, or by the ' +
      'whole order where `channelOrderId` is not mapped.'
    );
  }
  return `A repeat is recognised by ${list(key)}.`;
}

function undone({ reversal }) {
  if (reversal.kind === 'none') return `It cannot be reverted: ${render(reversal.reason)}.`;
  return `${code(reversal.operation)} undoes it: ${render(reversal.caution)}.`;
}

function columns({ resultColumns, recordColumns }) {
  const said = resultColumns.length > 0 ? [`The result has the columns ${list(resultColumns)} too.`] : [];
  if (recordColumns) said.push('Its sheet `Records` has a line for each record that the platform returns.');
  return said.join(' ');
}

function returned({ name, returns, lists }) {
  const one = returns.filter(({ many }) => !many).map((it) => it.name);
  const several = returns.filter(({ many }) => many).map((it) => it.name);
  const said = [];
  if (one.length > 0) said.push(`A later step takes ${list(one)} by \`from\`.`);
  if (several.length > 0) said.push(`Of its records it takes arrays: ${list(several)}.`);
  if (lists) said.push(`Maps look up values by \`lookup: ${name}\`.`);
  return said.join(' ');
}

function section(operation) {
  const { name, purpose, endpoint, repeatable, batch } = operation;
  const fields = describeOperation(operation);
  const doubt = repeatable
    ? 'It is repeatable: if the outcome is uncertain it is sent again.'
    : 'It is not repeatable: if the outcome is uncertain the row is `unknown`, and is not sent again automatically.';
  const share = batch.fixed
    ? 'Each item is a request.'
    : `A request takes ${batch.size === 1 ? '1 item' : `${batch.size} items`} unless \`batch.size\` is set.`;
  const rows = fields.map((it) => [code(it.path), it.type, it.required ? 'yes' : '', it.meaning, it.section]);
  const values = fields
    .filter((it) => it.values && it.values.length > 0)
    .map((it) => {
      const lines = it.values.map((one) => [code(String(one.value)), one.meaning, one.zh ?? '']);
      return `Values of ${code(it.path)}:\n\n${table(['value', 'name', 'Chinese name'], lines)}\n`;
    });
  return [
    `## ${name}\n`,
    `${purpose} (${code(`${endpoint.method} ${endpoint.path}`)}, endpoint ${endpoint.number}, ${endpoint.section}).\n`,
    `${[doubt, share, repeats(operation), undone(operation), columns(operation), returned(operation)].filter((it) => it !== '').join(' ')}\n`,
    `${table(['field', 'type', 'required', 'meaning', 'defined in'], rows)}\n`,
    ...values,
  ].join('\n');
}

/** The page as text. */
export function operationsPage() {
  const summary = ALL_OPERATIONS.map((it) => [
    `[${code(it.name)}](#${it.name.replaceAll('.', '')})`,
    it.purpose,
    String(it.endpoint.number),
    it.repeatable ? 'yes' : 'no',
  ]);
  const page = [
    '# Operations\n',
    `Made by \`node scripts/generate.mjs\` from the tables that the program checks rows with: change those, not this page.`,
    '`license-sync operations NAME` prints the same. Sections (§) are those of the platform’s interface. A field within',
    'another one is required where its parent is given.\n',
    `${table(['operation', 'what it does', 'endpoint', 'sent again if uncertain'], summary)}\n`,
    ...ALL_OPERATIONS.map(section),
  ].join('\n');
  return `${page.trimEnd()}\n`;
}
