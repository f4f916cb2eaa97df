import { ask } from '../../api/client.js';
import type { ListAnswer } from '../../api/runs.js';
import { useAsked } from '../../api/use-asked.js';
import { Choice, Field } from '../../parts/field.js';
import { changeFilter } from '../../parts/pager.js';
import { stateWord } from '../../parts/status.js';
import { COMMON } from '../../words/common.js';
import { say } from '../../words/language.js';
import { RUNS } from '../../words/runs.js';
import { KIND_WORDS } from '../../words/status.js';

/** States as they are asked for; a run that was interrupted reads `stopped`, too. */
const STATES = ['executing', 'queued', 'planned', 'stopped', 'cut off', 'invalid', 'completed'] as const;

const KINDS = ['run', 'plan', 'reconcile', 'dry_run'] as const;

/** By what the list of runs is narrowed. */
export function RunFilters({ filters }: { readonly filters: Readonly<Record<string, string>> }) {
  const { value } = useAsked('jobs', (signal) =>
    ask<ListAnswer<{ readonly name: string }>>('/jobs', { signal }),
  );
  const at = (name: string): string => filters[name] ?? '';
  return (
    <search class="filters" aria-label={say(COMMON.filter)}>
      <Field
        label={say(RUNS.job)}
        type="search"
        value={at('job')}
        change={changeFilter('job')}
        suggestions={[...new Set(value?.items.map((it) => it.name))]}
      />
      <Choice
        label={say(RUNS.kind)}
        value={at('kind')}
        change={changeFilter('kind')}
        options={[
          { value: '', name: say(RUNS.all_kinds) },
          ...KINDS.map((it) => ({ value: it, name: say(KIND_WORDS[it]) })),
        ]}
      />
      <Choice
        label={say(RUNS.status)}
        value={at('status')}
        change={changeFilter('status')}
        options={[
          { value: '', name: say(COMMON.all) },
          ...STATES.map((it) => ({ value: it, name: stateWord(it) })),
        ]}
      />
      <Field label={say(RUNS.person)} type="search" value={at('person')} change={changeFilter('person')} />
      <Field label={say(RUNS.date)} type="date" value={at('date')} change={changeFilter('date')} />
      <Field label={say(RUNS.until)} type="date" value={at('until')} change={changeFilter('until')} />
      {Object.values(filters).some((it) => it !== '') && (
        <a class="button" href="/runs">
          {say(RUNS.clear)}
        </a>
      )}
    </search>
  );
}
