import { spawnSync, type SpawnSyncReturns } from 'node:child_process'

export function runPromtool(args: readonly string[], input = ''): SpawnSyncReturns<string> {
  return spawnSync('promtool', args, { input, encoding: 'utf8' })
}

/** What is wrong with the form or the names of metrics; empty where nothing is. */
export function faultsOfMetrics(text: string): string {
  const { status, stderr } = runPromtool(['check', 'metrics'], text)
  return status === 0 ? stderr : `${stderr}status ${status}`
}
