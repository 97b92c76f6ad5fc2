import { graphOf, SparqlEngine, type EngineSettings } from '../../graph/engine/engine.ts'
import { RemoteGraph } from '../../graph/engine/remote-graph.ts'
import type { Manifest } from './manifest.ts'
import { readRelease, type Release } from './release.ts'

/** Opens a release that another engine holds. The manifest in the folder says how many statements it must have. */
export async function openRemoteRelease(settings: EngineSettings, manifest: Manifest): Promise<Release> {
  const { version, counts } = manifest
  const iri = graphOf(settings, version)
  const graph = await RemoteGraph.open(new SparqlEngine(settings), iri)
  const size = await graph.size()
  if (size === counts.statements) return readRelease(graph, manifest)
  const detail = `the engine has ${size} of ${counts.statements} statements in <${iri}>`
  throw new Error(`${detail}; load it with "npm run releases -- push ${version}"`)
}
