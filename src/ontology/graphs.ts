import type { PublicGraph, PublicGraphs } from '../contracts/graphs.ts'
import { graphOf as graphInEngine, type EngineSettings } from '../graph/engine/engine.ts'
import { ReleaseFolder } from './release/folder.ts'
import { isSame, type Manifest } from './release/manifest.ts'
import { cannotOpen } from './render/render-thread.ts'
import type { OntologyService } from './service.ts'

/** The release that is served, and whether an engine holds it. */
interface ServedOntology extends Pick<OntologyService, 'engine'> {
  /** Rejects where none is open. */
  release(version: null): Promise<{ readonly manifest: Manifest }>
}

interface GraphOptions {
  readonly dataDir: string
  readonly baseUrl: string
  /** The engine that may hold releases, too. */
  readonly engine?: EngineSettings | null
}

/** The releases as graphs: the one that is served, and those that can be pinned. */
export function ontologyGraphs(
  service: ServedOntology,
  { dataDir, baseUrl, engine = null }: GraphOptions,
): PublicGraphs {
  const folder = new ReleaseFolder(dataDir)
  const manifests = new Map<string, Manifest>()
  return {
    list: async () => {
      const { manifest: active } = await service.release(null)
      const others = (await folder.versions()).filter((version) => version !== active.version)
      const otherManifests = await Promise.all(others.sort().map((version) => readManifest(folder, version)))
      const readable = otherManifests.flatMap((manifest) => (manifest === null ? [] : [manifest]))
      const manifestsInOrder = [active, ...readable]
      manifests.clear()
      return manifestsInOrder.map((manifest) => {
        const graph = graphOf(manifest, baseUrl, manifest === active ? 'default' : 'pinned')
        manifests.set(graph.iri, manifest)
        if (engine === null) return graph
        const { version, counts } = manifest
        const isUnavailable = (): boolean => service.engine === 'away'
        const inEngine = graphInEngine(engine, version)
        return { ...graph, engineCopy: { graph: inEngine, statements: counts.statements, isUnavailable } }
      })
    },
    read: async ({ iri, key }) => {
      const manifest = manifests.get(iri)
      if (manifest?.sha256 !== key) return null
      const nquads = await folder.graph(manifest).catch(() => null)
      // Canonical N-Quads, all in the default graph, are N-Triples.
      if (nquads !== null && (await folder.seemsIntact(manifest))) return new TextEncoder().encode(nquads)
      const isThere = isSame(manifest, (await readManifest(folder, manifest.version)) ?? undefined)
      if (isThere) throw cannotOpen(manifest.version)
      return null
    },
  }
}

function graphOf(manifest: Manifest, baseUrl: string, role: 'default' | 'pinned'): PublicGraph {
  const { version, sha256, releaseDate } = manifest
  const iri = `${baseUrl}/releases/${encodeURIComponent(version)}`
  return { iri, key: sha256, role, title: `Ontology ${version} of ${releaseDate}` }
}

/** Null for a release that is damaged or has just been removed. */
async function readManifest(folder: ReleaseFolder, version: string): Promise<Manifest | null> {
  return folder.manifest(version).catch(() => null)
}
