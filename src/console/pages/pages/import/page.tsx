import { useEffect, useMemo } from 'preact/hooks';
import { apiAddress } from '../../api/client.js';
import { useAct } from '../../api/use-act.js';
import { Heading } from '../../parts/heading.js';
import { Busy, EmptyState, Notice, ProblemNotice } from '../../parts/notices.js';
import { Progress } from '../../parts/progress.js';
import { Counts } from '../../parts/status.js';
import { Time } from '../../parts/time.js';
import type { PageProps } from '../../router.js';
import { hasRole } from '../../session.js';
import { COMMON } from '../../words/common.js';
import { IMPORT } from '../../words/import.js';
import { language, say } from '../../words/language.js';
import { CheckSettings } from './check-settings.js';
import { CorrectionHistory } from './correction-history.js';
import { FaultList } from './fault-list.js';
import type { ImportAnswer } from './import-data.js';
import { ImportDesk } from './import-desk.js';
import { PlanButton, PlansMade } from './plan-import.js';
import { SheetSection } from './sheet-section.js';
import './import.css';

/** The check of an import: what is wrong with a spreadsheet, and where it is mended. */
export function Page({ params: [id = ''] }: PageProps) {
  const spoken = language.value;
  // Faults are told by the console in the reader's language: all is asked for anew when it changes.
  const desk = useMemo(() => new ImportDesk(id), [id, spoken]);
  useEffect(() => {
    void desk.look();
    return () => desk.close();
  }, [desk]);
  const info = desk.info.value;
  const problem = desk.problem.value;
  if (!info) {
    if (problem?.status === 404) return <Gone />;
    if (problem) return <Unread problem={problem} again={() => void desk.look()} />;
    return (
      <>
        <Heading name={say(IMPORT.check)} />
        <Busy />
      </>
    );
  }
  return (
    <>
      <Heading name={say(IMPORT.check_of, { name: info.name })}>
        {info.state === 'checked' && <PlanButton desk={desk} info={info} />}
      </Heading>
      <Facts info={info} />
      <CheckSettings desk={desk} info={info} />
      {problem && problem.status !== 0 && <ProblemNotice problem={problem} again={() => void desk.look()} />}
      {info.state === 'failed' ? <Failed desk={desk} info={info} /> : undefined}
      {info.state === 'checking' && (
        <section class="card" aria-busy="true">
          <h2>{say(IMPORT.checking, { name: info.name })}</h2>
          <Progress
            done={info.progress?.done ?? 0}
            total={info.progress?.total ?? 0}
            label={say(IMPORT.checking, { name: info.name })}
          />
          <Counts counts={info.counts} />
          <CancelCheck desk={desk} />
        </section>
      )}
      {info.state === 'checked' && <Checked desk={desk} info={info} />}
    </>
  );
}

function Checked({ desk, info }: { readonly desk: ImportDesk; readonly info: ImportAnswer }) {
  const mayEdit = hasRole('maker');
  return (
    <>
      <div class="standing">
        <Counts counts={info.counts} big />
        {info.checkingAgain && (
          <span class="again" role="status">
            <span class="spinner" aria-hidden="true" />
            {say(IMPORT.checking_again)}
          </span>
        )}
        {info.checkingAgain && <CancelCheck desk={desk} />}
      </div>
      {info.warnings.length > 0 && <Warnings texts={info.warnings} />}
      {desk.columns.value?.rowCount === 0 ? (
        <EmptyState title={say(IMPORT.empty)}>
          <p>{say(IMPORT.empty_detail)}</p>
          <p>
            <a class="button" href="/import">
              {say(IMPORT.other_file)}
            </a>
          </p>
        </EmptyState>
      ) : (
        <>
          {info.faults.length === 0 ? (
            <Notice tone="good">
              <p>{say(IMPORT.no_faults)}</p>
            </Notice>
          ) : (
            <FaultList desk={desk} faults={info.faults} canEdit={mayEdit} />
          )}
          <SheetSection desk={desk} info={info} canEdit={mayEdit} />
          <CorrectionHistory desk={desk} />
          <PlansMade id={desk.id} last={info.plan} />
        </>
      )}
      <Downloads desk={desk} />
    </>
  );
}

/** Ends a check that takes too long. It is not begun again until a person asks for it. */
function CancelCheck({ desk }: { readonly desk: ImportDesk }) {
  const cancel = useAct(() => desk.cancelCheck());
  if (!hasRole('maker')) return undefined;
  return (
    <>
      <button type="button" disabled={cancel.busy} onClick={() => void cancel.run()}>
        {say(IMPORT.cancel_check)}
      </button>
      {cancel.problem && <ProblemNotice problem={cancel.problem} />}
    </>
  );
}

function Downloads({ desk }: { readonly desk: ImportDesk }) {
  const file = (name: string): string => apiAddress(`/imports/${encodeURIComponent(desk.id)}/${name}`);
  // Somebody else may have corrected meanwhile: the page shows what the file will have.
  const look = (): void => void desk.look();
  return (
    <section class="card downloads" aria-label={say(IMPORT.downloads)}>
      <a class="button" href={file('checked.xlsx')} download="" onClick={look}>
        {say(IMPORT.download_checked)}
      </a>
      <a class="button" href={file('corrected.xlsx')} download="" onClick={look}>
        {say(IMPORT.download_corrected)}
      </a>
    </section>
  );
}

function Facts({ info }: { readonly info: ImportAnswer }) {
  const { connection } = info;
  return (
    <dl class="facts" aria-label={say(IMPORT.facts)}>
      <div>
        <dt>{say(IMPORT.job)}</dt>
        <dd>
          {info.job}
          {info.operation && <span class="quiet"> {info.operation}</span>}
        </dd>
      </div>
      {info.sheet && (
        <div>
          <dt>{say(IMPORT.sheet)}</dt>
          <dd>{info.sheet}</dd>
        </div>
      )}
      {connection && (
        <div>
          <dt>{say(IMPORT.connection)}</dt>
          <dd>
            {connection.name} {connection.host && <span class="quiet">{connection.host}</span>}{' '}
            {connection.sandbox && <span class="badge sandbox">{say(COMMON.sandbox)}</span>}
          </dd>
        </div>
      )}
      {info.by && (
        <div>
          <dt>{say(IMPORT.by)}</dt>
          <dd>
            {info.by}
            {info.at && (
              <span class="quiet">
                {' '}
                <Time at={info.at} />
              </span>
            )}
          </dd>
        </div>
      )}
    </dl>
  );
}

function Warnings({ texts }: { readonly texts: readonly string[] }) {
  return (
    <details class="notice doubt" open={texts.length <= 3}>
      <summary>{say(IMPORT.warnings, { count: texts.length })}</summary>
      <ul>
        {texts.map((it) => (
          <li key={it}>{it}</li>
        ))}
      </ul>
    </details>
  );
}

/** What stood in the way may be mended meanwhile: the job, or the platform that look-ups ask. Corrections are kept. */
function Failed({ desk, info }: { readonly desk: ImportDesk; readonly info: ImportAnswer }) {
  const check = useAct(() => desk.recheck());
  const { text, code, others = [] } = info.failure ?? { text: '' };
  return (
    <ProblemNotice
      problem={{
        title: say(IMPORT.failed),
        status: 422,
        detail: text || say(IMPORT.failed),
        others,
        ...(code ? { code } : {}),
      }}
      {...(hasRole('maker') ? { again: () => void check.run(), againName: say(IMPORT.check_again) } : {})}
    >
      {check.problem && <p>{check.problem.detail ?? check.problem.title}</p>}
      <p>
        <a class="button" href="/import">
          {say(IMPORT.other_file)}
        </a>
      </p>
    </ProblemNotice>
  );
}

function Gone() {
  return (
    <>
      <Heading name={say(IMPORT.check)} />
      <EmptyState title={say(IMPORT.gone)}>
        <p>{say(IMPORT.gone_detail)}</p>
        <p>
          <a class="button" href="/import">
            {say(COMMON.new_import)}
          </a>
        </p>
      </EmptyState>
    </>
  );
}

function Unread({
  problem,
  again,
}: {
  readonly problem: Parameters<typeof ProblemNotice>[0]['problem'];
  readonly again: () => void;
}) {
  return (
    <>
      <Heading name={say(IMPORT.check)} />
      <ProblemNotice problem={problem} again={again} />
    </>
  );
}
