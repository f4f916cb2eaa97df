import type { RunDetailAnswer } from '../../api/runs.js';
import { Facts } from '../../parts/facts.js';
import { ImportOf } from '../../parts/import-of.js';
import { Time } from '../../parts/time.js';
import { say } from '../../words/language.js';
import { RUN } from '../../words/run.js';

/** Where the run came from, and what became of it later. */
export function About({ run }: { readonly run: RunDetailAnswer }) {
  const link = (id: string) => <a href={`/runs/${encodeURIComponent(id)}`}>{id}</a>;
  const linksTo = (runs: RunDetailAnswer['revertedBy'] = []) =>
    runs.length > 0 ? runs.map((it) => link(it.run)) : undefined;
  return (
    <section class="card" aria-labelledby="about">
      <h2 id="about">{say(RUN.about_it)}</h2>
      <Facts
        of={[
          [say(RUN.job), run.job],
          [say(RUN.operation), <code key="operation">{run.operation}</code>],
          [say(RUN.connection), run.connection],
          [say(RUN.host), run.host],
          [say(RUN.by), run.by],
          [
            say(RUN.input),
            run.import ? <ImportOf key="import" of={run.import} /> : run.input?.split(/[\\/]/).at(-1),
          ],
          [say(run.applied ? RUN.planned : RUN.started), <Time key="started" at={run.started} zone />],
          [say(RUN.applied), run.applied && <Time at={run.applied} zone />],
          [say(RUN.ended), run.ended && <Time at={run.ended} zone />],
          [
            say(RUN.rehearsed),
            run.rehearsed && (
              <a href={`/runs/${encodeURIComponent(run.run)}/rehearsal`}>
                <Time at={run.rehearsed} />
              </a>
            ),
          ],
          [say(RUN.id), <code key="id">{run.run}</code>],
          [say(RUN.retry_of), run.parent && link(run.parent)],
          [say(RUN.reverts), run.reverts && link(run.reverts)],
          [say(RUN.reverted_by), linksTo(run.revertedBy?.filter((it) => !it.plan))],
          [say(RUN.revert_planned), linksTo(run.revertedBy?.filter((it) => it.plan))],
        ]}
      />
    </section>
  );
}
