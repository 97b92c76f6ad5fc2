import { spawnSync, type SpawnSyncReturns } from 'node:child_process'

export function runPromtool(args: readonly string[], input = ''): SpawnSyncReturns<string> {
  return spawnSync('promtool', args, { input, encoding: 'utf8' })
}

/** Lists faults in the format or the names of metrics; empty if there are none. */
export function faultsOfMetrics(text: string): string {
  const { status, stderr } = runPromtool(['check', 'metrics'], text)
  return status === 0 ? stderr : `${stderr}status ${status}`
}
