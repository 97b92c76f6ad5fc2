import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PublicGraphs } from '../../contracts/graphs.ts'
import type { OntologyControls, OntologyReleases } from '../../contracts/sources.ts'
import type { UploadFolder } from '../../http/upload.ts'
import { makeDataFolder, PRIVATE_MODE } from '../../platform/files/make-folder.ts'
import { ALONE, type ProcessPosition } from '../../platform/processes/process-position.ts'
import { EventStreams } from '../activity/events/streams.ts'
import { WebhookSender } from '../activity/webhooks/sender.ts'
import { MAX_UPLOAD_BYTES } from '../catalogue/files/limits.ts'
import { Importer } from '../catalogue/imports/importer.ts'
import { OntologyLinks } from '../catalogue/linked-data/countermeasures/ontology-links.ts'
import { CatalogueGraph } from '../catalogue/linked-data/graph/catalogue-graph.ts'
import { catalogueSource } from '../catalogue/linked-data/graph/catalogue-source.ts'
import { publicCatalogue } from '../catalogue/linked-data/graph/public-graphs.ts'
import { referenceGraphSource } from '../catalogue/linked-data/graph/reference/reference-graphs.ts'
import type { IdentityParts } from '../identity/parts.ts'
import { findValidCallers } from '../identity/sessions/valid-callers.ts'
import { startHousekeeping, type Housekeeping } from './housekeeping.ts'

interface BackgroundOptions {
  readonly dataDir: string
  readonly ontology: (OntologyControls & { readonly stored: OntologyReleases }) | null
  /** Default: the only process. */
  readonly position?: ProcessPosition
}

/** The graphs of a catalogue that is not public. */
const NO_GRAPHS: PublicGraphs = { list: () => Promise.resolve([]), read: () => Promise.resolve(null) }

interface LinkedCatalogue {
  readonly graph: CatalogueGraph
  readonly links: OntologyLinks
  readonly publicGraphs: PublicGraphs
}

function openLinked(parts: IdentityParts, ontology: BackgroundOptions['ontology']): LinkedCatalogue {
  const linked = { ...parts, ontology, source: catalogueSource(parts.database) }
  const graph = new CatalogueGraph(linked)
  const published = { ...linked, iris: graph.iris, references: referenceGraphSource(parts.database) }
  const publicGraphs = parts.settings.cataloguePublic ? publicCatalogue(published) : NO_GRAPHS
  return { graph, links: new OntologyLinks(linked), publicGraphs }
}

/** Work beside the requests: the graph of the catalogue, imports, event streams, webhooks and the clean-up. */
interface BackgroundWork extends LinkedCatalogue {
  readonly importer: Importer
  readonly streams: EventStreams
  readonly uploads: UploadFolder
  readonly fillGraph: () => Promise<void>
  readonly start: () => Promise<void>
  /** Ends the work and closes what it uses. */
  readonly close: () => Promise<void>
}

export function openBackground(
  parts: IdentityParts,
  { dataDir, ontology, position = ALONE }: BackgroundOptions,
): BackgroundWork {
  const linked = openLinked(parts, ontology)
  let closing = false
  const fillGraph = async (): Promise<void> => {
    try {
      await linked.graph.prepare()
    } catch (error) {
      if (!closing) parts.log.error({ err: error }, 'The graph of the catalogue cannot be filled')
    }
  }
  const importer = new Importer({ ...parts, dataDir, position, onEnd: () => void fillGraph() })
  const uploads = { folder: uploadFolder(dataDir, position), maxBytes: MAX_UPLOAD_BYTES }
  const streams = openStreams(parts)
  const sender = new WebhookSender(parts)
  let housekeeping: Housekeeping | null = null
  return {
    ...linked,
    importer,
    streams,
    uploads,
    fillGraph,
    start: async () => {
      // One process cleans up for all.
      if (position.number === 1) housekeeping = startHousekeeping(parts, position)
      // Uploads that were still being received when the last run ended were never acknowledged.
      const abandonedUploads = position.isFirst ? join(dataDir, 'uploads') : uploads.folder
      await rm(abandonedUploads, { recursive: true, force: true })
      makeDataFolder(uploads.folder, PRIVATE_MODE)
      await importer.start()
      sender.start()
    },
    close: async () => {
      closing = true
      await streams.close()
      await sender.close()
      await importer.close()
      await linked.graph.close()
      await housekeeping?.stop()
      await parts.mailer?.close()
      await parts.database.close()
    },
  }
}

/** Each process has its own folder, which its replacement cleans up. */
function uploadFolder(dataDir: string, { number, count }: ProcessPosition): string {
  return count === 1 ? join(dataDir, 'uploads') : join(dataDir, 'uploads', String(number))
}

function openStreams(parts: IdentityParts): EventStreams {
  const { session, consent, secondFactor } = parts.settings
  const rules = { idleMs: session.idleMs, consent, secondFactor }
  return new EventStreams({
    ...parts,
    findValidCallers: (callers) => findValidCallers(parts.database.read, callers, rules),
  })
}
