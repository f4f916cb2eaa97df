/** How many milliseconds it takes: of some tries the shortest, as a busy machine holds up some of them, but not all. */
export async function shortest(tries: number, work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < tries; n += 1) {
    const began = performance.now();
    await work();
    least = Math.min(least, performance.now() - began);
  }
  return least;
}
