import { findProgram, runProgram } from './child.ts'
import type { Workspace } from './workspace.ts'

/** The results of one round of load. */
export interface Load {
  readonly perSecond: number
  readonly p99Ms: number
  /** Answers that were not 2xx, and broken connections. */
  readonly failed: number
}

const MILLISECONDS = { us: 0.001, ms: 1, s: 1000, m: 60_000 } as const

export function hasWrk(): boolean {
  return findProgram('wrk') !== null
}

interface Target {
  readonly url: string
  readonly seconds: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Loads a URL over 32 kept-alive connections from one thread. */
export async function load(workspace: Workspace, { url, seconds, headers = {} }: Target): Promise<Load> {
  const sent = Object.entries({ 'Accept-Encoding': 'gzip', ...headers })
  const report = await runProgram(
    [
      'wrk',
      '-t1',
      '-c32',
      `-d${seconds}s`,
      '--latency',
      ...sent.flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      url,
    ],
    { workspace },
  )
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(report)?.[1]),
    p99Ms: readLatency(report),
    failed: countFailures(report),
  }
}

function readLatency(report: string): number {
  const [, value, unit] = /^\s+99%\s+([\d.]+)(us|ms|s|m)$/m.exec(report) ?? []
  if (unit !== 'us' && unit !== 'ms' && unit !== 's' && unit !== 'm') return Number.NaN
  return Number(value) * MILLISECONDS[unit]
}

function countFailures(report: string): number {
  const lines = report.match(/^\s+(Non-2xx|Socket errors).*$/gm) ?? []
  const counts = lines.flatMap((line) => line.match(/\b\d+\b(?!x)/g) ?? [])
  return counts.reduce((total, count) => total + Number(count), 0)
}
