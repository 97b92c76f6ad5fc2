import { workerData } from 'node:worker_threads'
import { applySharedWasmLimit } from '../../graph/wasm-memory.ts'
import { ReleaseFolder } from '../release/folder.ts'
import { renderStart } from './protocol.ts'

/**
 * Megabytes of WebAssembly for each megabyte of a graph. D3FEND takes three, so normal releases stay far below this.
 */
const MEGABYTES = 16

const { dataDir, manifest } = renderStart.parse(workerData)
// A missing graph is reported when the release is opened.
const bytes = await new ReleaseFolder(dataDir).graphBytes(manifest).catch(() => 0)
applySharedWasmLimit((MEGABYTES * bytes) / 1_000_000)
// This loads the library, which must happen after memory is limited.
await import('./render-release.ts')
