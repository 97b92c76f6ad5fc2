import { workerData } from 'node:worker_threads'
import { boundWasmAsOthers } from '../../graph/wasm-memory.ts'
import { ReleaseFolder } from '../release/folder.ts'
import { renderStart } from './protocol.ts'

/** Of WebAssembly for a megabyte of a graph. D3FEND takes three; more for a release is far from what honest ones need. */
const MEGABYTES = 16

const { dataDir, manifest } = renderStart.parse(workerData)
// Where there is none, opening says so.
const bytes = await new ReleaseFolder(dataDir).graphBytes(manifest).catch(() => 0)
boundWasmAsOthers((MEGABYTES * bytes) / 1_000_000)
// Loads the library, which has to come after that.
await import('./render-release.ts')
