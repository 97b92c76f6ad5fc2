import type { Browser } from 'playwright-core'
import { formatTable } from '../../src/commands/table.ts'
import type { Authoring } from './authoring-data.ts'
import { rounded, verdict } from './numbers.ts'

/** Where pages are measured. */
export interface Stage {
  readonly browser: Browser
  readonly origin: string
  /** Where the service tells its metrics. */
  readonly metrics: string
  readonly filled: Authoring
  /** Of what is looked at for a while. */
  readonly minutes: number
}

/** What was measured, and what it should be at most; null: nothing was said. */
export interface Measured {
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly goal: number | null
}

const HEAD = ['what', 'measured', 'goal']

export function tell(name: string, rows: readonly Measured[]): void {
  console.log(`\n${name}\n\n${formatTable(HEAD, rows.map(rowOf))}`)
}

function rowOf({ what, value, unit, goal }: Measured): readonly string[] {
  const met = goal === null ? '' : verdict(`≤ ${goal} ${unit}`, value <= goal)
  return [what, `${rounded(value, 1)} ${unit}`, met]
}
