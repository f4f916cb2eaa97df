import { COMMON } from '../words/common.js';
import { number, say } from '../words/language.js';

/** How much is done. @param total 0: not known yet */
export function Progress({
  done,
  total,
  label,
}: {
  readonly done: number;
  readonly total: number;
  readonly label?: string;
}) {
  const share = total > 0 ? Math.min(1, done / total) : 0;
  return (
    <div class="progress">
      <progress
        aria-label={label ?? say(COMMON.progress)}
        {...(total > 0 ? { max: total, value: Math.min(done, total) } : {})}
      />
      {total > 0 && (
        <p class="figures">
          <span>{say(COMMON.step_of, { done, total })}</span>
          {/* Down, never up: 100 % is what is over. */}
          <span>{number(Math.floor(share * 100) / 100, { style: 'percent' })}</span>
        </p>
      )}
    </div>
  );
}
