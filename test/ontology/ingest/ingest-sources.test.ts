import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ingest } from '../../../src/ontology/ingest/ingest.ts'
import { ReleaseFolder } from '../../../src/ontology/release/folder.ts'
import { openRelease } from '../../../src/ontology/release/release.ts'
import type { StoreOutcome } from '../../../src/ontology/release/store.ts'
import { describe as describeView } from '../../../src/ontology/views/describe/describe.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { d3fIri } from '../../support/release.ts'
import { startServer } from '../../support/server.ts'

const FIXTURES = new URL('../../fixtures/', import.meta.url)
const FORMATS = ['ttl', 'nt', 'nq', 'trig', 'rdf', 'jsonld'] as const
const GIVEN = { version: '1.0.0', date: '2026-01-31', maxBytes: 1024 * 1024, timeoutMs: 1000 }
const SILENT = { step: () => undefined, bytes: () => undefined }

function fixture(format: string): string {
  return fileURLToPath(new URL(`formats/same.${format}`, FIXTURES))
}

interface Ingested extends StoreOutcome {
  readonly folder: ReleaseFolder
  readonly nquads: string
}

/** Ingests sources into a folder of their own. */
async function ingested(sources: readonly string[], stated = false): Promise<Ingested> {
  const folder = new ReleaseFolder(await temporaryFolder())
  const { maxBytes, timeoutMs } = GIVEN
  const options = stated ? { maxBytes, timeoutMs } : GIVEN
  const outcome = await ingest(folder, { sources, ...options }, SILENT)
  return { ...outcome, folder, nquads: await folder.graph(outcome.manifest) }
}

/** Files with these contents, by name, in a folder of their own. */
async function filesOf(contents: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = await temporaryFolder()
  return Promise.all(
    Object.entries(contents).map(async ([name, content]) => {
      await writeFile(join(folder, name), content)
      return join(folder, name)
    }),
  )
}

describe('ingest of the same content', () => {
  it.each(FORMATS)('gives the same digest from %s as from Turtle', async (format) => {
    const turtle = await ingested([fixture('ttl')], true)
    expect(turtle.manifest.counts.statements).toBe(8)
    const other = await ingested([fixture(format)], true)
    expect(other.nquads).toBe(turtle.nquads)
    expect(other.manifest.sha256).toBe(turtle.manifest.sha256)
  })

  it('gives the same digest packed, over HTTP and in two halves', async () => {
    const { sha256 } = (await ingested([fixture('nt')], true)).manifest
    const content = await readFile(fixture('nt'), 'utf8')
    const base = await startServer((_, response) => {
      response.setHeader('content-type', 'application/n-triples').end(gzipSync(content))
    })
    expect((await ingested([`${base}/packed`], true)).manifest.sha256).toBe(sha256)
    const lines = content.split('\n')
    const isBlank = (line: string): boolean => line.includes('_:')
    const halves = await filesOf({
      'one.nt': lines.filter(isBlank).join('\n'),
      'two.nt': lines.filter((line) => !isBlank(line)).join('\n'),
    })
    expect((await ingested(halves, true)).manifest.sha256).toBe(sha256)
  })
})

describe('ingest of named graphs', () => {
  it.each([
    ['onto.trig', '<a:s> <a:p> "default" . <a:g> { <a:s> <a:p> "named" , "default" }'],
    ['onto.nq', '<a:s> <a:p> "default" .\n<a:s> <a:p> "named" <a:g> .\n<a:s> <a:p> "named" <a:h> .'],
  ])('puts all statements of %s into one graph', async (name, content) => {
    const { nquads, manifest } = await ingested(await filesOf({ [name]: content }))
    const said = nquads.split('\n').filter((line) => line.startsWith('<a:s>'))
    expect(said).toStrictEqual(['<a:s> <a:p> "default" .', '<a:s> <a:p> "named" .'])
    expect(manifest.counts.statements).toBe(6)
  })
})

describe('ingest of several sources', () => {
  it('merges statements and keeps blank nodes of the same label apart', async () => {
    const files = await filesOf({
      'one.ttl': '<a:s> <a:p> _:b . _:b <a:q> "one" .',
      'two.ttl': '<a:s> <a:p> _:b . _:b <a:q> "two" .',
    })
    const { nquads, manifest } = await ingested(files)
    expect(manifest.counts.statements).toBe(8)
    expect(new Set(nquads.match(/_:c14n\d+/g))).toStrictEqual(new Set(['_:c14n0', '_:c14n1']))
  })

  it('counts a statement of two sources once', async () => {
    const files = await filesOf({ 'one.ttl': '<a:s> <a:p> "x" .', 'two.nt': '<a:s> <a:p> "x" .\n' })
    expect((await ingested(files)).manifest.counts.statements).toBe(5)
  })

  it('gives the same digest in any order', async () => {
    const files = await filesOf({ 'one.ttl': '<a:s> <a:p> [] .', 'two.ttl': '<a:t> <a:p> [] .' })
    const forwards = await ingested(files)
    const backwards = await ingested(files.toReversed())
    expect(backwards.manifest.sha256).toBe(forwards.manifest.sha256)
  })

  it('reads every file of a glob', async () => {
    const [file = ''] = await filesOf({ 'a.ttl': '<a:s> <a:p> "1" .', 'b.ttl': '<a:s> <a:p> "2" .' })
    const { manifest } = await ingested([file.replace('a.ttl', '*.ttl')])
    expect(manifest.sources).toHaveLength(2)
    expect(manifest.counts.statements).toBe(6)
  })
})

describe('A release that was ingested', () => {
  it('opens with the same blank node labels every time', async () => {
    const source = fileURLToPath(new URL('ontology/describe.ttl', FIXTURES))
    const { folder, manifest } = await ingested([source])
    const texts = await Promise.all(
      [1, 2].map(async () => {
        const release = await openRelease(folder, manifest)
        return JSON.stringify(await describeView.answer(release, d3fIri('Door')))
      }),
    )
    expect(texts[0]).toContain('_:c14n')
    expect(texts[1]).toBe(texts[0])
  })
})
