import { message } from '../errors/message.js';
import type { TemplateSheet } from './contract.js';
import type { Describer } from './describe.js';
import type { SheetNames } from './sheet-names.js';

interface StepFacts {
  /** Steps of the operation itself. */
  readonly own: readonly string[];
  /** The command that checks the workbook. */
  readonly check: string;
  /** A job file is shown below the steps. */
  readonly hasJob: boolean;
  /** The job's condition. */
  readonly where?: string;
}

/** The steps of the guide, in order. */
export function guideSteps(
  sheets: readonly TemplateSheet[],
  names: SheetNames,
  describer: Describer,
  facts: StepFacts,
): readonly string[] {
  const [main] = sheets;
  if (!main) return [];
  const say = describer.say.bind(describer);
  const first = main.headerRow + 1;
  return [
    say(
      message('template.step_fill', {
        sheet: describer.joined(sheets.map((it) => it.name)),
        row: first,
      }),
    ),
    ...facts.own,
    ...sheets.flatMap((sheet) => groupSteps(sheet, describer)),
    ...sheets.slice(1).flatMap((sheet) => tieSteps(sheet, sheets, describer)),
    ...(facts.where === undefined ? [] : [say(message('template.step_where', { condition: facts.where }))]),
    say(message('template.step_paste')),
    say(message('template.step_example', { sheet: describer.joined(names.examples) })),
    say(message('template.step_check', { command: facts.check })),
    ...(facts.hasJob ? [say(message('template.step_job'))] : []),
  ];
}

function groupSteps(sheet: TemplateSheet, describer: Describer): readonly string[] {
  const lists = [...new Set(sheet.columns.flatMap((it) => it.groups))];
  return lists.map((list) => {
    const keys = sheet.columns.filter((it) => it.groups.includes(list)).map((it) => it.header);
    return describer.say(
      message('template.step_group', { sheet: sheet.name, keys: describer.joined(keys), list }),
    );
  });
}

function tieSteps(
  sheet: TemplateSheet,
  sheets: readonly TemplateSheet[],
  describer: Describer,
): readonly string[] {
  const parents = sheets.slice(0, sheets.indexOf(sheet)).flatMap((parent) => {
    const keys = parent.columns.filter((it) => it.ties.includes(sheet.name)).map((it) => it.header);
    return keys.length === 0 ? [] : [{ parent: parent.name, keys: describer.joined(keys) }];
  });
  return parents.map((it) => describer.say(message('template.step_sheets', { sheet: sheet.name, ...it })));
}
