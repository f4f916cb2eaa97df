import { type Message, message } from '../../../errors/message.js';
import { type JsonObject, member } from '../../../model/json.js';
import { columnText } from '../shared/records.js';
import { elements } from '../shared/rule-report.js';

/** Stands where the platform gave no explanation. */
const NO_DETAIL = '—';

/** Why an activity said no: the meaning of its code (§7.2) with the platform's own words, for 3002 its reasons. */
export function activityRefusal(code: string, result: JsonObject): Message {
  const told = columnText(member(result, 'resultMessage'));
  const detail = told ?? NO_DETAIL;
  switch (code) {
    case '1001':
      return message('operation.activity_1001', { detail });
    case '1002':
      return message('operation.activity_1002', { detail });
    case '1004':
      return message('operation.activity_1004', { detail });
    case '2001':
      return message('operation.activity_2001', { detail });
    case '3001':
      return message('operation.activity_3001', { detail });
    case '3002':
      return message('operation.activity_3002', { detail: reasons(result) ?? detail });
    default:
      return message('operation.activity_other', { code, detail });
  }
}

/** `Spring offer / Unit A: 14005 claimed too often`, for every unit that refused (§2.7). */
function reasons(result: JsonObject): string | undefined {
  const found: string[] = [];
  for (const { value: activity } of elements(result, 'activityDtoList', '')) {
    for (const { value: unit } of elements(activity, 'engineSubActivityDtos', '')) {
      if (member(unit, 'participateResult') === true) continue;
      const place = [nameOf(activity), nameOf(unit)].filter((it) => it !== undefined).join(' / ');
      const why = [member(unit, 'errorCode'), member(unit, 'errorMessage')]
        .map((it) => columnText(it))
        .filter((it) => it !== undefined)
        .join(' ');
      const reason = [place, why].filter((it) => it !== '').join(': ');
      if (reason !== '') found.push(reason);
    }
  }
  return found.length > 0 ? found.join('; ') : undefined;
}

function nameOf(it: JsonObject): string | undefined {
  return columnText(member(it, 'name')) ?? columnText(member(it, 'id'));
}
