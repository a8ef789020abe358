import { numberOption } from '../figures.ts'
import { onStage } from '../sync/stage.ts'
import { DATA_OPTION } from './dataStudy.ts'
import { runTimes } from './runTimes.ts'
import { searchTimes } from './searchTimes.ts'

/**
 * `npm run bench -- data [--only=search|run] [--runs=20] [--patients=10000] [--visits=10]`: data of a study as they are
 * searched (searchTimes.ts) and taken out (runTimes.ts).
 */
export async function run(args: readonly string[]): Promise<boolean> {
  const only = args.find((arg) => arg.startsWith('--only='))?.slice('--only='.length)
  const patients = numberOption(args, 'patients', 10_000)
  const search =
    only === 'run' ||
    (await onStage((stage) => searchTimes(stage, numberOption(args, 'runs', 20), patients), {}, DATA_OPTION))
  if (only === 'search') return search
  const visits = numberOption(args, 'visits', 10)
  return (
    (await onStage((stage) => runTimes(stage, { patients, visits }), { TRUST_PROXY: '127.0.0.1' }, DATA_OPTION)) &&
    search
  )
}

/** A few subjects: tests only that the benchmark itself works. */
export function smoke(): Promise<boolean> {
  return run(['--patients=3', '--visits=2', '--runs=1'])
}
