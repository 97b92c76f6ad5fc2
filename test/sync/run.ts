import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../src/platform/errors.ts'
import { synchronise, type SyncOptions, type SyncTargets } from '../../src/sync/sync.ts'
import { temporaryFolder } from '../support/folder.ts'
import type { LibraryServer } from './library-server.ts'

/** Takes everything, and remembers what it was given. */
export function collector(): { readonly given: string[]; readonly targets: SyncTargets } {
  const given: string[] = []
  const targets: SyncTargets = {
    library: async (file, tell) => {
      const content = await readFile(file, 'utf8')
      if (content.includes('odd')) throw new Refusal('not_a_benchmark', 'It is none.')
      given.push(content)
      tell({ outcome: 'imported', subject: content })
    },
    reference: async (file, name) => {
      given.push(`${name} ${await readFile(file, 'utf8')}`)
      return { outcome: 'imported', subject: name }
    },
    ontology: async (file) => {
      given.push(`ontology ${await readFile(file, 'utf8')}`)
      return { outcome: 'imported', subject: 'ontology' }
    },
  }
  return { given, targets }
}

export async function optionsFor(
  { url }: LibraryServer,
  paths: readonly string[],
  options: Partial<SyncOptions> = {},
): Promise<SyncOptions> {
  return {
    folder: join(await temporaryFolder(), 'sync'),
    libraries: paths.map((path) => url + path),
    references: [],
    ontology: null,
    maxBytes: 1000,
    timeoutMs: 5000,
    allowPrivate: true,
    proxy: null,
    isDry: false,
    onUrl: () => undefined,
    ...options,
  }
}

/** Without the address of the server. */
export async function run(options: SyncOptions, targets: SyncTargets): Promise<readonly string[]> {
  const lines = await synchronise(options, targets)
  return lines.map(({ outcome, url }) => `${outcome} ${new URL(url).pathname}`)
}
