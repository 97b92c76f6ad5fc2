import { graphOf, SparqlEngine, type EngineSettings } from '../../graph/engine/engine.ts'
import { putGraph, type GraphStore } from '../../graph/engine/graph-store.ts'
import { Refusal } from '../../platform/errors.ts'
import type { ReleaseFolder } from './folder.ts'
import type { Manifest } from './manifest.ts'

/** Loads a release of the folder into an engine, and checks the number of its statements there. */
export async function pushRelease(
  folder: ReleaseFolder,
  manifest: Manifest,
  { engine, store }: { readonly engine: EngineSettings; readonly store: GraphStore },
): Promise<{ readonly graph: string; readonly statements: number }> {
  const graph = graphOf(engine, manifest.version)
  // Canonical N-Quads, all in the default graph, are N-Triples.
  await putGraph(store, graph, await folder.graph(manifest))
  const { statements } = manifest.counts
  const { RemoteGraph } = await import('../../graph/engine/remote-graph.ts')
  const size = await (await RemoteGraph.open(new SparqlEngine(engine), graph)).size()
  if (size === statements) return { graph, statements }
  const detail = `${engine.url} has ${size} of ${statements} statements in <${graph}>`
  throw new Refusal('push_refused', `${detail}. Is that the same store as ${store.url}?`)
}
