import { UsageRefusal } from '../commands/command.ts'

/** The value of `--kind`. */
export function kindOf(kind: string | undefined): 'srg' | 'stig' | undefined {
  if (kind === undefined || kind === 'srg' || kind === 'stig') return kind
  throw new UsageRefusal(`--kind ${kind}: srg or stig.`)
}
