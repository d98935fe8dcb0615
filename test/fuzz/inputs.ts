/** A fixed seed, so that each run is the same. `FUZZ_RUNS` sets the number of runs, with a random seed. */
export function runs(defaultRuns: number): {numRuns: number; seed?: number; includeErrorInReport: boolean} {
  const requested = Number(process.env['FUZZ_RUNS'] ?? 0)
  const options = {numRuns: requested || defaultRuns, includeErrorInReport: true}
  return requested > 0 ? options : {...options, seed: 20_261_121}
}
