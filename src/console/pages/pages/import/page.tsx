import { useEffect, useMemo } from 'preact/hooks';
import { apiAddress } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { Heading } from '../../parts/heading.js';
import { EmptyState, Notice, NotLoaded, ProblemNotice } from '../../parts/notices.js';
import { Counts } from '../../parts/status.js';
import { Time } from '../../parts/table.js';
import type { PageProps } from '../../router.js';
import { hasRole } from '../../session.js';
import { language, listText, operationText, t } from '../../words/language.js';
import { CheckSettings } from './check-settings.js';
import { CancelCheck, Checking } from './checking.js';
import { CorrectionHistory } from './correction-history.js';
import { FaultList } from './error-list.js';
import { ImportController } from './import-controller.js';
import type { ImportAnswer } from './import-replies.js';
import { PlanButton, PlansMade } from './plan-import.js';
import { SheetSection } from './sheet-section.js';
import '../../style/import.css';

/** The check of an import: its errors, and the grid to correct them. */
export function Page({ params: [id = ''] }: PageProps) {
  const currentLanguage = language.value;
  // The console sends error texts in the user's language, so everything is loaded again when it changes.
  const controller = useMemo(() => new ImportController(id), [id, currentLanguage]);
  useEffect(() => {
    void controller.refresh();
    return () => controller.close();
  }, [controller]);
  const info = controller.info.value;
  const problem = controller.problem.value;
  if (!info) {
    if (problem?.status === 404) return <NotFound />;
    const again = (): void => void controller.refresh();
    return <NotLoaded name={t('common.check')} of={{ value: info, problem, busy: true, again }} />;
  }
  return (
    <>
      <Heading name={t('import.check_of', { name: info.name })}>
        {info.state === 'checked' && <PlanButton controller={controller} info={info} />}
      </Heading>
      <Facts info={info} />
      <CheckSettings controller={controller} info={info} />
      {problem && problem.status !== 0 && (
        <ProblemNotice problem={problem} again={() => void controller.refresh()} />
      )}
      {info.state === 'failed' ? <Failed controller={controller} info={info} /> : undefined}
      {info.state === 'checking' && <Checking controller={controller} info={info} />}
      {info.state === 'checked' && <Checked controller={controller} info={info} />}
    </>
  );
}

function Checked({
  controller,
  info,
}: {
  readonly controller: ImportController;
  readonly info: ImportAnswer;
}) {
  const mayEdit = hasRole('maker');
  return (
    <>
      <div class="standing">
        <Counts counts={info.counts} big />
        {info.others.length > 0 && (
          <span class="quiet" role="status">
            {t('import.others', { who: listText(info.others) })}
          </span>
        )}
        {info.checkingAgain && (
          <span class="again" role="status">
            <span class="spinner" aria-hidden="true" />
            {t('import.checking_again')}
          </span>
        )}
        {info.checkingAgain && <CancelCheck controller={controller} />}
      </div>
      {controller.columns.value?.rowCount === 0 ? (
        <EmptyState title={t('import.empty')}>
          <p>{t('import.empty_detail')}</p>
          <p>
            <a class="button" href="/import">
              {t('import.other_file')}
            </a>
          </p>
        </EmptyState>
      ) : (
        <>
          {info.limits.map((it) => (
            <Notice key={it} tone="doubt">
              <p>{it}</p>
            </Notice>
          ))}
          <SheetSection controller={controller} info={info} canEdit={mayEdit} />
          {info.faults.length === 0 ? (
            <Notice tone="good">
              <p>{t('import.no_errors')}</p>
            </Notice>
          ) : (
            <FaultList controller={controller} faults={info.faults} canEdit={mayEdit} />
          )}
          {info.warnings.length > 0 && <Warnings texts={info.warnings} />}
          <CorrectionHistory controller={controller} />
          <PlansMade id={controller.id} last={info.plan} />
        </>
      )}
      <Downloads controller={controller} />
    </>
  );
}

function Downloads({ controller }: { readonly controller: ImportController }) {
  const file = (name: string): string => apiAddress(`/imports/${encodeURIComponent(controller.id)}/${name}`);
  // Another user may have made corrections in the meantime: the page is updated to match the file.
  const refresh = (): void => void controller.refresh();
  return (
    <section class="card downloads" aria-label={t('import.downloads')}>
      <a class="button" href={file('checked.xlsx')} download="" onClick={refresh}>
        {t('import.download_checked')}
      </a>
      <a class="button" href={file('corrected.xlsx')} download="" onClick={refresh}>
        {t('import.download_corrected')}
      </a>
    </section>
  );
}

function Facts({ info }: { readonly info: ImportAnswer }) {
  const { connection } = info;
  return (
    <dl class="facts" aria-label={t('import.facts')}>
      <div>
        <dt>{t('common.job')}</dt>
        <dd>
          {info.job}
          {info.operation && <span class="quiet"> {operationText(info.operation)}</span>}
        </dd>
      </div>
      {info.sheet && (
        <div>
          <dt>{t('import.sheet')}</dt>
          <dd>{info.sheet}</dd>
        </div>
      )}
      {connection && (
        <div>
          <dt>{t('common.connection')}</dt>
          <dd>
            {connection.name} {connection.host && <span class="quiet">{connection.host}</span>}{' '}
            {connection.sandbox && <span class="badge sandbox">{t('common.sandbox')}</span>}
          </dd>
        </div>
      )}
      {info.by && (
        <div>
          <dt>{t('import.imported_by')}</dt>
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
      <summary>{t('import.warnings', { count: texts.length })}</summary>
      <ul>
        {texts.map((it) => (
          <li key={it}>{it}</li>
        ))}
      </ul>
    </details>
  );
}

/**
 * The check can be repeated, because the cause (the job, or the platform for lookups) may be fixed since. Corrections
 * are kept.
 */
function Failed({
  controller,
  info,
}: {
  readonly controller: ImportController;
  readonly info: ImportAnswer;
}) {
  const check = useAction(() => controller.recheck());
  const { text, code, others = [] } = info.failure ?? { text: '' };
  return (
    <ProblemNotice
      problem={{
        title: t('import.failed'),
        status: 422,
        detail: text || t('import.failed'),
        others,
        ...(code ? { code } : {}),
      }}
      {...(hasRole('maker') ? { again: () => void check.run(), againName: t('import.check_again') } : {})}
    >
      {check.problem && <p>{check.problem.detail ?? check.problem.title}</p>}
      <p>
        <a class="button" href="/import">
          {t('import.other_file')}
        </a>
      </p>
    </ProblemNotice>
  );
}

function NotFound() {
  return (
    <>
      <Heading name={t('common.check')} />
      <EmptyState title={t('import.not_found')}>
        <p>{t('import.not_found_detail')}</p>
        <p>
          <a class="button" href="/import">
            {t('common.new_import')}
          </a>
        </p>
      </EmptyState>
    </>
  );
}
