import { readFileSync } from 'node:fs'
import { instant } from '../../graph/json-ld.ts'
import { readQuery } from '../../graph/query.ts'
import { iriToken, literalToken, type EmbeddedGraph } from '../../graph/store.ts'
import { ONTOLOGY_IRI, xsd } from '../../graph/vocabulary.ts'
import { Refusal } from '../../platform/errors.ts'
import { VERSION_FORM } from '../release/folder.ts'

const ONTOLOGY = readQuery(
  new URL('./ontology.rq', import.meta.url),
  ['ontology'],
  ['version', 'release_date'],
)
const STATE_IDENTITY = readFileSync(new URL('./identity.ru', import.meta.url), 'utf8')

/** What a release is called and when it came out (an xsd:dateTime). */
export interface Identity {
  readonly version: string
  readonly releaseDate: string
}

interface GivenIdentity {
  readonly version?: string | undefined
  readonly date?: string | undefined
}

/**
 * Version and date: what the caller gives, else what the sources state. Where the caller gives one,
 * or the sources state them apart, the graph is made to say it once.
 */
export async function settleIdentity(
  graph: EmbeddedGraph,
  given: GivenIdentity,
): Promise<Identity> {
  const rows = await graph.select(ONTOLOGY)
  const version =
    given.version ??
    only(
      'version',
      'owl:versionInfo',
      rows.map((r) => r.version),
    )
  if (!VERSION_FORM.test(version)) {
    throw new Refusal(
      'version_unknown',
      `"${version}" cannot name a release: letters, digits and . _ + - only, at most 64. Give --version.`,
    )
  }
  const releaseDate =
    given.date === undefined ? statedDate(rows.map((r) => r.release_date)) : parseDate(given.date)
  const stated = rows.length === 1 && given.version === undefined && given.date === undefined
  if (!stated) stateIdentity(graph, rows[0]?.ontology.value, { version, releaseDate })
  return { version, releaseDate }
}

function statedDate(values: readonly ({ readonly value: string } | undefined)[]): string {
  const date = only('date', 'd3f:release-date', values)
  if (toInstant(date) !== null) return date
  throw new Refusal('version_unknown', `d3f:release-date "${date}" is not a date. Give --date.`)
}

function only(
  option: string,
  property: string,
  values: readonly ({ readonly value: string } | undefined)[],
): string {
  const stated = [...new Set(values.flatMap((value) => value?.value ?? []))]
  if (stated.length === 1 && stated[0] !== undefined) return stated[0]
  const what =
    stated.length === 0
      ? `The sources state no ${property}`
      : `The sources state several ${property} (${stated.join(', ')})`
  throw new Refusal('version_unknown', `${what}. Give --${option}.`)
}

function parseDate(date: string): string {
  const releaseDate = toInstant(date)
  if (releaseDate !== null) return releaseDate
  throw new Refusal('usage', `--date ${date}: a date looks like 2026-01-31.`)
}

/** A date or a time as an instant, or null where it is neither. */
function toInstant(date: string): string | null {
  const lexical = date.includes('T') ? date : `${date}T00:00:00`
  const time = instant(lexical)
  return time !== lexical || time.endsWith('Z') ? time : null
}

function stateIdentity(graph: EmbeddedGraph, node: string | undefined, identity: Identity): void {
  graph.update(STATE_IDENTITY, {
    ontology: [iriToken(node ?? ONTOLOGY_IRI)],
    version: [literalToken(identity.version)],
    date: [literalToken(identity.releaseDate, xsd.dateTime)],
  })
}
