import type { PublicGraph } from '../../../../../contracts/graphs.ts'
import type { Database } from '../../../../database/database.ts'
import { nameOf } from '../../../reference-data/items.ts'
import { eachDocument, listSources, type ReferenceSource } from '../../../reference-data/reader.ts'
import type { Iris } from '../iris.ts'
import { QuadWriter } from '../quads.ts'
import { projectItem, projectSource } from './project-reference.ts'

/** The reference data for the graphs. */
export interface ReferenceGraphSource {
  /** The newest of each list first. */
  list(): Promise<readonly ReferenceSource[]>
  documents(source: ReferenceSource): AsyncIterable<unknown>
}

/** The reference data in the database. */
export function referenceGraphSource({ read }: Pick<Database, 'read'>): ReferenceGraphSource {
  return { list: () => listSources(read), documents: (source) => eachDocument(read, source) }
}

/** Lists a graph for each version of each list. Queries can name older versions. */
export async function referenceGraphs(
  references: ReferenceGraphSource,
  iris: Iris,
): Promise<readonly { readonly graph: PublicGraph; readonly write: () => AsyncIterable<string> }[]> {
  const sources = await references.list()
  return sources.map((source, index) => {
    const otherLists = sources.filter((other) => isSameList(other, source))
    const previous = sources.slice(index + 1).find((other) => isSameList(other, source)) ?? null
    const role = otherLists[0] === source ? 'named' : 'pinned'
    return {
      graph: { iri: iris.reference(source), key: `${source.id} ${source.digest}`, title: nameOf(source), role },
      write: async function* () {
        const out = new QuadWriter(iris.reference(source))
        projectSource(out, iris, { source, previous })
        yield out.take()
        for await (const document of references.documents(source)) {
          projectItem(out, iris, source, document)
          yield out.take()
        }
      },
    }
  })
}

/**
 * Whether two sources are versions of one list. Each domain of ATT&CK is a list of its own; a new edition of a
 * catalogue of controls may have another title.
 */
function isSameList(a: ReferenceSource, b: ReferenceSource): boolean {
  return a.kind === b.kind && (a.kind !== 'attack' || a.title === b.title)
}
