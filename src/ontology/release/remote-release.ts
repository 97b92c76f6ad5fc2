import { graphOf, SparqlEngine, type EngineSettings } from '../../graph/engine/engine.ts'
import { RemoteGraph } from '../../graph/engine/remote-graph.ts'
import type { Manifest } from './manifest.ts'
import { readRelease, type Release } from './release.ts'

/** Opens a release that another engine holds. Its manifest is in the folder, and tells what has to be there. */
export async function openRemoteRelease(settings: EngineSettings, manifest: Manifest): Promise<Release> {
  const { version, counts } = manifest
  const iri = graphOf(settings, version)
  const graph = await RemoteGraph.open(new SparqlEngine(settings), iri)
  const held = await graph.size()
  if (held === counts.statements) return readRelease(graph, manifest)
  const detail = `the engine has ${held} of ${counts.statements} statements in <${iri}>`
  throw new Error(`${detail}; load it with "npm run releases -- push ${version}"`)
}
