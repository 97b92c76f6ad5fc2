import { createReadStream, type ReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { PassThrough, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { matchesEtag } from '../../http/negotiation.ts'
import { decodePath } from '../decode-path.ts'
import { rangeHeaders, RANGED, requestedRange } from '../ranges.ts'
import { CURRENT, OPEN_TO_ALL, PINNED, VARY } from '../response-headers.ts'
import { answersReadOnly, packingFor, representationOf, requireCoding, send, type Exchange } from '../send.ts'
import type { Answer, Packing } from '../served-release.ts'
import type { OntologyService } from '../service.ts'

/** A report on releases, by the last part of its path. */
export type Report =
  | { readonly what: 'releases.json' | 'releases.atom' }
  | { readonly what: 'hashes.json' | 'manifest.json'; readonly version: string }
  | { readonly what: 'graph'; readonly version: string; readonly file: string }
  | {
      readonly what: 'changes'
      readonly from: string
      readonly to: string
      readonly form: 'json' | 'csv'
    }

/** Paths with the versions in them still encoded, and what each asks for. */
const PATHS: readonly (readonly [RegExp, (parts: readonly string[]) => Report])[] = [
  [/^\/api\/releases\.json$/, () => ({ what: 'releases.json' })],
  [/^\/api\/releases\.atom$/, () => ({ what: 'releases.atom' })],
  [/^\/api\/releases\/([^/]+)\/hashes\.json$/, ([version = '']) => ({ what: 'hashes.json', version })],
  [/^\/releases\/([^/]+)\/manifest\.json$/, ([version = '']) => ({ what: 'manifest.json', version })],
  [/^\/releases\/([^/]+)\/([0-9a-f]{16}\.nq)$/, ([version = '', file = '']) => ({ what: 'graph', version, file })],
  [
    /^\/api\/releases\/([^/]+)\/changes\/([^/]+)\.(json|csv)$/,
    ([from = '', to = '', form]) => ({
      what: 'changes',
      from,
      to,
      form: form === 'csv' ? 'csv' : 'json',
    }),
  ],
]

/** Null if the path is not one of these. */
export function parseReport(url: string): Report | null {
  if (!url.includes('/releases')) return null
  const path = url.replace(/[?#].*$/s, '')
  for (const [pattern, read] of PATHS) {
    const match = pattern.exec(path)
    if (match !== null) return read(match.slice(1).map(decodePath))
  }
  return null
}

export async function answerReport(service: OntologyService, report: Report, exchange: Exchange): Promise<void> {
  const { headers } = exchange.request
  if (answersReadOnly(exchange, 'reports on releases are')) return
  if (report.what === 'graph') {
    await sendGraph(service, report, exchange)
    return
  }
  const coding = requireCoding(headers['accept-encoding'])
  const answer = await findReport(service, report, packingFor(coding))
  const caching = report.what === 'manifest.json' ? PINNED : CURRENT
  send(exchange, answer, representationOf(answer, coding, { more: [...caching, ...VARY], form: null }))
}

function findReport(
  { reports }: OntologyService,
  report: Exclude<Report, { readonly what: 'graph' }>,
  packing: Packing,
): Promise<Answer> {
  switch (report.what) {
    case 'releases.json':
      return reports.list(packing)
    case 'releases.atom':
      return reports.feed(packing)
    case 'hashes.json':
      return reports.hashes(report.version, packing)
    case 'manifest.json':
      return reports.manifest(report.version, packing)
    case 'changes':
      return reports.changes(report, packing)
  }
}

/** Straight from the disk: it may be large. It is packed on the way, so only as it is can it be had in parts. */
async function sendGraph(
  service: OntologyService,
  { version, file }: { readonly version: string; readonly file: string },
  exchange: Exchange,
): Promise<void> {
  const { request, response } = exchange
  const { path, sha256 } = await service.graphFile(version, file)
  const packed = requireCoding(request.headers['accept-encoding']) !== 'identity'
  const etag = `"${sha256.slice(0, 32)}${packed ? '-gzip' : ''}"`
  const shared = ['ETag', etag, ...PINNED, ...VARY, ...(packed ? [] : RANGED), ...OPEN_TO_ALL.flat()]
  if (matchesEtag(request.headers['if-none-match'], etag)) {
    response.writeHead(304, shared).end()
    return
  }
  const described = ['Content-Type', 'application/n-quads', ...shared]
  if (packed) {
    response.writeHead(200, ['Content-Encoding', 'gzip', ...described])
    await sendFile(exchange, createGzip(), createReadStream(path))
    return
  }
  const { size } = await stat(path)
  const range = requestedRange(exchange, etag, size)
  const length = range === null ? ['Content-Length', String(size)] : rangeHeaders(range, size)
  response.writeHead(range === null ? 200 : 206, [...length, ...described])
  await sendFile(exchange, new PassThrough(), createReadStream(path, range ?? {}))
}

async function sendFile({ request, response }: Exchange, packing: Transform, source: ReadStream): Promise<void> {
  if (request.method === 'HEAD') {
    source.destroy()
    response.end()
    return
  }
  // It is no error when a caller goes away; the pipeline has cleaned up by then.
  await pipeline(source, packing, response).catch(() => null)
}
