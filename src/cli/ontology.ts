import { join } from 'node:path'
import { describeOntology } from '../ontology/describe.ts'
import { ReleaseFolder } from '../ontology/release/folder.ts'
import { OntologyService } from '../ontology/service.ts'
import { Refusal } from '../platform/errors.ts'
import { createLog } from '../platform/log.ts'
import { readSettings } from '../platform/settings/settings.ts'
import { withFileName } from './with-file-name.ts'

export interface OntologyChoice {
  /** A file of the ontology; undefined: the release that is active in the data folder. */
  readonly file: string | undefined
  /** An empty folder, for a release of the file. */
  readonly folder: string
}

export type Ontology = ReturnType<typeof describeOntology>

/** Does work with a release of the ontology open. Refuses (`no_release`) a data folder without one. */
export async function withOntology<T>(choice: OntologyChoice, work: (ontology: Ontology) => Promise<T>): Promise<T> {
  const dataDir = choice.file === undefined ? readSettings().dataDir : await ingestFile(choice.file, choice.folder)
  if (!(await hasRelease(dataDir))) throw noReleaseRefusal(dataDir)
  return openOntology(dataDir, work)
}

/** Does work with the active release of the data folder open, or without one if there is none. */
export async function withOwnOntology<T>(work: (ontology: Ontology | null) => Promise<T>): Promise<T> {
  const { dataDir } = readSettings()
  return (await hasRelease(dataDir)) ? openOntology(dataDir, work) : work(null)
}

async function openOntology<T>(dataDir: string, work: (ontology: Ontology) => Promise<T>): Promise<T> {
  const service = new OntologyService({
    ...readSettings(),
    dataDir,
    prepareMs: null,
    rendersListsEarly: false,
    log: createLog('silent'),
  })
  try {
    await service.start()
    return await work(describeOntology(service))
  } finally {
    await service.close()
  }
}

async function ingestFile(file: string, folder: string): Promise<string> {
  const { loadSource } = await import('../ontology/changes/load-source.ts')
  const dataDir = join(folder, 'ontology-of-file')
  await withFileName(file, () => loadSource({ file, folder: dataDir }))
  const releases = new ReleaseFolder(dataDir)
  if ((await releases.active()) === null) throw new Error('A release that was ingested is active')
  return dataDir
}

async function hasRelease(dataDir: string): Promise<boolean> {
  return (await new ReleaseFolder(dataDir).active()) !== null
}

function noReleaseRefusal(dataDir: string): Refusal {
  const advice = 'Make one with "parapet ingest SOURCE", or name a file with --ontology FILE'
  return new Refusal('no_release', `There is no release of the ontology in ${dataDir} (SERVICE_DATA_DIR). ${advice}.`)
}
