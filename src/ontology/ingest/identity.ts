import { readFileSync } from 'node:fs'
import { instant } from '../../graph/json-ld.ts'
import { readQuery } from '../../graph/query.ts'
import { iriToken, literalToken, type EmbeddedGraph } from '../../graph/store.ts'
import { ONTOLOGY_IRI, xsd } from '../../graph/vocabulary.ts'
import { Refusal } from '../../platform/errors.ts'
import { VERSION_FORM } from '../release/folder.ts'

const ONTOLOGY = readQuery(new URL('./ontology.rq', import.meta.url), ['ontology'], ['version', 'release_date'])
const STATE_IDENTITY = readFileSync(new URL('./identity.ru', import.meta.url), 'utf8')

/** Version and date (an xsd:dateTime) of a release. */
export interface Identity {
  readonly version: string
  readonly releaseDate: string
}

interface IdentityOptions {
  readonly version?: string | undefined
  readonly date?: string | undefined
}

/** Why there is no version or date, and the option to set it; null if the option was set to an invalid value. */
interface IdentityFault {
  readonly reason: string
  readonly option: '--version' | '--date' | null
}

type StatedValues = readonly ({ readonly value: string } | undefined)[]

/**
 * Chooses version and date: the caller's options, else the statements of the sources. The graph is changed to state
 * each exactly once. A refusal names everything that is missing.
 */
export async function decideIdentity(graph: EmbeddedGraph, options: IdentityOptions): Promise<Identity> {
  const rows = await graph.select(ONTOLOGY)
  const versions = rows.map((row) => row.version)
  const dates = rows.map((row) => row.release_date)
  const version = findVersion(options.version, versions)
  const releaseDate = options.date === undefined ? statedDate(dates) : parseDate(options.date)
  if (typeof version !== 'string' || typeof releaseDate !== 'string')
    throw refusalOf([version, releaseDate].filter((part) => typeof part !== 'string'))
  const stated = rows.length === 1 && options.version === undefined && options.date === undefined
  if (!stated) stateIdentity(graph, rows[0]?.ontology.value, { version, releaseDate })
  return { version, releaseDate }
}

function refusalOf(faults: readonly IdentityFault[]): Refusal {
  const options = faults.flatMap(({ option }) => option ?? [])
  const advice = options.length === 0 ? [] : [`Give ${options.join(' and ')}.`]
  const sentences = faults.map(({ reason }) => reason).concat(advice)
  return new Refusal(options.length === 0 ? 'usage' : 'version_unknown', sentences.join(' '))
}

function findVersion(requested: string | undefined, stated: StatedValues): string | IdentityFault {
  const version = requested ?? onlyOne(stated, 'owl:versionInfo', '--version')
  if (typeof version !== 'string' || VERSION_FORM.test(version)) return version
  const reason = `"${version}" cannot name a release: letters, digits and . _ + - only, at most 64.`
  return { reason, option: '--version' }
}

function statedDate(stated: StatedValues): string | IdentityFault {
  const date = onlyOne(stated, 'd3f:release-date', '--date')
  if (typeof date !== 'string' || toInstant(date) !== null) return date
  return { reason: `d3f:release-date "${date}" is not a date.`, option: '--date' }
}

function onlyOne(
  statedValues: StatedValues,
  property: string,
  option: NonNullable<IdentityFault['option']>,
): string | IdentityFault {
  const values = [...new Set(statedValues.flatMap((value) => value?.value ?? []))]
  const [value] = values
  if (value === undefined) return { reason: `The sources do not state ${property}.`, option }
  if (values.length === 1) return value
  return { reason: `The sources state several ${property} (${values.join(', ')}).`, option }
}

function parseDate(date: string): string | IdentityFault {
  const reason = `--date ${date}: a date looks like 2026-01-31.`
  return toInstant(date) ?? { reason, option: null }
}

/** A date or a time as an instant, or null where it is neither. */
function toInstant(date: string): string | null {
  const lexical = date.includes('T') ? date : `${date}T00:00:00`
  const time = instant(lexical)
  return time !== lexical || time.endsWith('Z') ? time : null
}

function stateIdentity(graph: EmbeddedGraph, node: string | undefined, identity: Identity): void {
  const ontology = node ?? ONTOLOGY_IRI
  graph.update(STATE_IDENTITY, {
    ontology: [iriToken(ontology)],
    version: [literalToken(identity.version)],
    version_iri: [iriToken(versionIri(ontology, identity.version))],
    date: [literalToken(identity.releaseDate, xsd.dateTime)],
  })
}

/** Returns the IRI of a version in D3FEND's form: `…/d3fend.owl` in version 1.0.0 is `…/d3fend/1.0.0/d3fend.owl`. */
function versionIri(ontology: string, version: string): string {
  const [, folder = '', name = '', extension = ''] = /^(.*[/#:])([^/#:.]+)(\.\w+)?$/.exec(ontology) ?? []
  return folder === '' ? `${ontology.replace(/\/$/, '')}/${version}` : `${folder}${name}/${version}/${name}${extension}`
}
