import { appendFileSync, readFileSync } from 'node:fs'
import { z } from 'zod'

const entry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('project'), id: z.int(), name: z.string() }),
  z.object({ kind: z.literal('change'), id: z.int(), description: z.string() }),
  z.object({ kind: z.literal('import'), id: z.int(), word: z.string() }),
])

export type Entry = z.output<typeof entry>

/** Records what the service has acknowledged, in a file that the service does not know. */
export class Ledger {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
    appendFileSync(file, '')
  }

  note(acknowledged: Entry): void {
    appendFileSync(this.#file, `${JSON.stringify(acknowledged)}\n`)
  }

  entries(): readonly Entry[] {
    const lines = readFileSync(this.#file, 'utf8').split('\n')
    return lines.filter((line) => line !== '').map((line) => entry.parse(JSON.parse(line)))
  }
}
