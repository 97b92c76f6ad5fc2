import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { InProcessAnswer } from '../../src/http/server/in-process.ts'
import { createLog } from '../../src/platform/log.ts'
import { RenderedDocuments } from '../../src/web/server/rendering/rendered-documents.ts'

const PATH = '/weakness/cwe/CWE-79/'
const RECORD = '/api/weakness/cwe/CWE-79.json'
const DOCUMENT = '<title>Parapet</title><div id="application"></div><noscript>Scripts, please.</noscript>'

/** By path, what the API answers; the rest does not exist. */
const api = new Map<string, Pick<InProcessAnswer, 'status'> & { readonly label: string }>()
const asked: string[] = []
const log = createLog('silent')

function ask(path: string, { 'If-None-Match': known }: Readonly<Record<string, unknown>>): Promise<InProcessAnswer> {
  asked.push(path)
  const { status, label } = api.get(path) ?? { status: 404, label: '' }
  const etag = `"${status} ${label}"`
  if (known === etag) return Promise.resolve({ status: 304, headers: { etag }, body: Buffer.alloc(0) })
  const found = { description: { '@graph': [{ '@id': 'd3f:CWE-79', 'd3f:cwe-id': 'CWE-79', 'rdfs:label': label }] } }
  const answer = { ...found, weak_to_def: { results: { bindings: [] } }, code: 'record_not_found', detail: 'None.' }
  return Promise.resolve({ status, headers: { etag }, body: Buffer.from(JSON.stringify(answer)) })
}

const open = (freshMs: number): RenderedDocuments =>
  new RenderedDocuments({ ask, baseUrl: 'https://parapet.example.org', log }, freshMs)

describe('Documents with the content of a page', () => {
  const documents = open(0)
  const lasting = open(60_000)

  // A thread takes a while to start.
  beforeAll(async () => {
    for (const rendering of [documents, lasting])
      await vi.waitUntil(async () => (await rendering.documentOf(request())) !== null, { timeout: 60_000 })
    asked.length = 0
  })
  afterAll(async () => {
    await Promise.all([documents, lasting].map((rendering) => rendering.close()))
  })

  const request = (path = PATH) => ({ path, document: DOCUMENT, answers: [RECORD] })

  it('are rendered again only when an answer has changed', async () => {
    api.set(RECORD, { status: 200, label: 'Scripts' })
    const first = await documents.documentOf(request())
    expect(first?.length).toBeGreaterThan(DOCUMENT.length)
    expect(await documents.documentOf(request())).toBe(first)
    api.set(RECORD, { status: 200, label: 'Other scripts' })
    const other = await documents.documentOf(request())
    expect(other).not.toBe(first)
    expect(other?.sha256).not.toBe(first?.sha256)
  })

  it('request nothing again for a while', async () => {
    asked.length = 0
    await lasting.documentOf(request())
    expect(asked).toEqual([])
  })

  it('are not rendered if the service fails, for very long addresses, or after closing', async () => {
    api.set(RECORD, { status: 503, label: '' })
    expect(await documents.documentOf(request(`${PATH}?a`))).toBeNull()
    api.set(RECORD, { status: 200, label: 'Scripts' })
    expect(await documents.documentOf(request(`${PATH}?${'a'.repeat(1000)}`))).toBeNull()
    const over = open(0)
    await over.close()
    expect(await over.documentOf(request())).toBeNull()
  })

  it('have a limit of simultaneous renderings', async () => {
    const paths = Array.from({ length: 20 }, (_none, index) => `${PATH}?b=${index}`)
    const rendered = await Promise.all(paths.map((path) => documents.documentOf(request(path))))
    expect(rendered.filter((document) => document === null).length).toBeGreaterThanOrEqual(12)
  })
})
