import { stat } from 'node:fs/promises'
import {
  fileRepresentation,
  packedRepresentation,
  packingFor,
  requireCoding,
  sendRepresentation,
  type Exchange,
  type Packing,
} from '../../http/answer/representation.ts'
import { decodePath } from '../decode-path.ts'
import { CURRENT, OPEN_TO_ALL, PINNED, VARY } from '../response-headers.ts'
import { answersReadOnly } from '../send.ts'
import type { Answer } from '../served-release.ts'
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
  const sent = [...caching, ...VARY, ...OPEN_TO_ALL.flat()]
  await sendRepresentation(exchange, packedRepresentation(answer, { coding, headers: sent }))
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
  const { path, sha256 } = await service.graphFile(version, file)
  const isPacked = requireCoding(exchange.request.headers['accept-encoding']) !== 'identity'
  const { size } = await stat(path)
  const headers = [...PINNED, ...VARY, ...OPEN_TO_ALL.flat()]
  const mediaType = 'application/n-quads'
  await sendRepresentation(exchange, fileRepresentation({ path, size, mediaType, sha256, isPacked, headers }))
}
