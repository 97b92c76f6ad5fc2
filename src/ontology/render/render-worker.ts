import { workerData } from 'node:worker_threads'
import { boundWasmAsOthers } from '../../graph/wasm-memory.ts'
import { ReleaseFolder } from '../release/folder.ts'
import { renderStart } from './protocol.ts'

/**
 * Megabytes of WebAssembly for each megabyte of a graph. D3FEND takes three; honest releases stay far below this limit.
 */
const MEGABYTES = 16

const { dataDir, manifest } = renderStart.parse(workerData)
// A missing graph is reported when the release is opened.
const bytes = await new ReleaseFolder(dataDir).graphBytes(manifest).catch(() => 0)
boundWasmAsOthers((MEGABYTES * bytes) / 1_000_000)
// Loads the library, which has to come after that.
await import('./render-release.ts')
