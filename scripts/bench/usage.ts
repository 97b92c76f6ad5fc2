import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from './child.ts'
import type { Workspace } from './workspace.ts'

const TIME = '/usr/bin/time'
const INSIDE = new URL('./report-usage.js', import.meta.url)

export interface Usage {
  readonly seconds: number
  readonly peakMb: number
}

/** Runs a node command and measures it: by GNU time where it is installed, else from inside. */
export async function measure(
  workspace: Workspace,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Usage> {
  const report = join(workspace.folder, 'usage.txt')
  const measured = existsSync(TIME)
    ? [TIME, '-v', '-o', report, ...command]
    : [...command.slice(0, 1), '--import', INSIDE.href, ...command.slice(1)]
  const start = performance.now()
  await runProgram(measured, { workspace, env: { ...env, BENCH_USAGE: report } })
  const seconds = (performance.now() - start) / 1000
  const text = await readFile(report, 'utf8')
  const kilobytes = Number(/Maximum resident set size \(kbytes\): (\d+)/.exec(text)?.[1])
  return { seconds, peakMb: (kilobytes * 1024) / 1e6 }
}
