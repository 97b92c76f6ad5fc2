import { createWriteStream, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { scaledOntology } from '../../test/support/scaled-ontology.ts'
import { ROOT, runProgram } from './child.ts'
import type { Workspace } from './workspace.ts'

/** An ontology to measure with. */
export interface Data {
  readonly name: string
  readonly file: string
}

/** A release in a data folder. */
export interface IngestedRelease extends Data {
  readonly dataDir: string
}

export interface PublishedFile {
  readonly path: string
  readonly bytes: number
}

/** Benches measure the built program, as it is deployed. */
export async function build(workspace: Workspace): Promise<void> {
  await runProgram(['npm', 'run', '--silent', 'build'], { workspace })
}

/** D3FEND 0.17.0 from the corpus (PARAPET_CORPUS), or else an invented ontology of its size. */
export async function standardData(workspace: Workspace): Promise<Data> {
  const corpus = resolve(ROOT, process.env['PARAPET_CORPUS'] ?? '../shared/corpus')
  const file = join(corpus, 'ontology', 'd3fend-0.17.0.ttl')
  return existsSync(file) ? { name: 'D3FEND 0.17.0', file } : generatedData(workspace, 1)
}

async function generatedData({ folder }: Workspace, factor: number): Promise<Data> {
  const file = join(folder, `scale-${factor}.ttl`)
  await pipeline(Readable.from(scaledOntology(factor)), createWriteStream(file))
  return { name: `generated × ${factor}`, file }
}

/** Ingests into a folder of the workspace. */
export async function ingest(workspace: Workspace, data: Data, name: string): Promise<IngestedRelease> {
  const dataDir = resolve(workspace.folder, name)
  await runProgram([process.execPath, 'dist/commands/ingest.js', data.file], { workspace, env: environment(dataDir) })
  return { ...data, dataDir }
}

/** Settings of the environment must not change the results. */
export function environment(dataDir: string, port = 0): Readonly<Record<string, string>> {
  return {
    NODE_ENV: 'production',
    SERVICE_HOST: '127.0.0.1',
    SERVICE_PORT: String(port),
    SERVICE_BASE_URL: '',
    SERVICE_DATA_DIR: dataDir,
    SERVICE_LOG_LEVEL: 'error',
    SERVICE_CACHE_MB: '',
  }
}

export function publishCommand(out: string, ...options: readonly string[]): readonly string[] {
  return [process.execPath, 'dist/commands/publish.js', '--out', out, ...options]
}

const manifest = z.object({ files: z.record(z.string(), z.object({ bytes: z.number() })) })

/** Reads the list of files of a published folder. */
export async function publishedFiles(out: string): Promise<readonly PublishedFile[]> {
  const { files } = manifest.parse(JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8')))
  return Object.entries(files).map(([path, { bytes }]) => ({ path, bytes }))
}
