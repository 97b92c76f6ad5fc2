import type { Browser } from 'playwright-core'
import { formatTable } from '../../src/commands/table.ts'
import type { Authoring } from './authoring-data.ts'
import { rounded, verdict } from './numbers.ts'

/** The service and browser that pages are measured with. */
export interface PageBench {
  readonly browser: Browser
  readonly origin: string
  /** Address of the service's metrics. */
  readonly metrics: string
  readonly filled: Authoring
  /** Length of the measurements that take a while. */
  readonly minutes: number
}

/** A measured value and its upper bound; null: no bound was set. */
export interface Measurement {
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly goal: number | null
}

const HEAD = ['what', 'measured', 'goal']

export function printTable(name: string, rows: readonly Measurement[]): void {
  console.log(`\n${name}\n\n${formatTable(HEAD, rows.map(rowOf))}`)
}

function rowOf({ what, value, unit, goal }: Measurement): readonly string[] {
  const met = goal === null ? '' : verdict(`≤ ${goal} ${unit}`, value <= goal)
  return [what, `${rounded(value, 1)} ${unit}`, met]
}
