/** Batches in one piece of a run's work, at most: so many are lost time when the worker that has them dies. */
const LARGEST = 100;
/** What is left is cut into so many pieces: every slot of every worker has one until the run's last seconds. */
const PIECES_OF_THE_REST = 64;

/**
 * Where a run's batches are cut into chunks: the place of each chunk's first batch, from 1. Large ones first; towards the
 * end they get smaller, so that nobody waits long for the last one.
 */
export function chunkStarts(batches: number): readonly number[] {
  const starts: number[] = [];
  for (let next = 1; next <= batches; ) {
    starts.push(next);
    next += Math.min(LARGEST, Math.ceil((batches - next + 1) / PIECES_OF_THE_REST));
  }
  return starts;
}
