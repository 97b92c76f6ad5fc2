import { nearestNames, type Spelling } from '../../graph/nearest.ts'
import { d3f, rdfs, skos } from '../../graph/vocabulary.ts'
import { Refusal } from '../../platform/errors.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import { ALL_VIEWS, DOCUMENTS, folderOf, tableType } from '../endpoints/list.ts'
import type { Release } from '../release/release.ts'
import type { DocumentView, RecordView, View } from '../views/view.ts'

const ALSO_KNOWN_BY = [rdfs.label, skos.altLabel, d3f.synonym, d3f.d3fendId, d3f.attackId, d3f.cweId]

const spellingsByView = new WeakMap<Release, Map<RecordView, readonly Spelling[]>>()

/** Limit of the length of an identifier. The longest of a real ontology has some 200 characters. */
const MAX_IDENTIFIER = 1024

/** The view that a path requests. */
export type ResolvedView =
  | { readonly view: DocumentView; readonly iri: null }
  | { readonly view: RecordView; readonly iri: string }

type Route =
  | { readonly view: DocumentView; readonly path: string }
  | { readonly view: RecordView; readonly before: string; readonly after: string }

/** Documents first, then records with the longest prefix: `describe/inbound/` before `describe/`. */
const ROUTES: readonly Route[] = ALL_VIEWS.map(toRoute).sort((a, b) => rankRoute(b) - rankRoute(a))

const FOLDERS = [...new Set(ALL_VIEWS.map(folderOf))].filter((folder) => folder !== '/api/')

const RECORD_FOLDERS = [...new Set(ALL_VIEWS.filter(({ kind }) => kind === 'record').map(folderOf))]

/** Whether a decoded path belongs to the ontology, so that the ontology explains its 404. */
export function isOntologyPath(path: string): boolean {
  return DOCUMENTS.has(path) || FOLDERS.some((folder) => path.startsWith(folder))
}

/** Whether a decoded path is that of a record, known or unknown, that is also available as RDF. Tables are not. */
export function isRecordPath(path: string): boolean {
  const isRecord = !DOCUMENTS.has(path) && RECORD_FOLDERS.some((folder) => path.startsWith(folder))
  return isRecord && tableType(path) === null
}

/** Control characters, which no path may hold. */
// oxlint-disable-next-line no-control-regex -- the pattern finds control characters
export const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/

/** Whether a name can be part of a path. Identifiers come from literals, which may contain anything. */
export function isRequestable(name: string): boolean {
  return name !== '' && name.length <= MAX_IDENTIFIER && !CONTROL_CHARACTER.test(name)
}

/**
 * The view and record that a decoded path stands for. Refuses an unknown one with `did_you_mean`.
 */
export function resolvePath(release: Release, path: string): ResolvedView {
  const match = matchRoute(path)
  return match === null ? refuseUnknownPath(release, path) : findRecord(release, match)
}

/** A view, and for a record the name in its path. */
type Match = { readonly view: DocumentView; readonly name: null } | { readonly view: RecordView; readonly name: string }

function matchRoute(path: string): Match | null {
  for (const route of ROUTES) {
    if ('path' in route) {
      if (route.path === path) return { view: route.view, name: null }
    } else if (path.startsWith(route.before) && path.endsWith(route.after)) {
      return { view: route.view, name: path.slice(route.before.length, path.length - route.after.length) }
    }
  }
  return null
}

function findRecord(release: Release, { view, name }: Match): ResolvedView {
  return name === null ? { view, iri: null } : { view, iri: findMember(release, view, name) }
}

/** The path of a record as it is published and looked up: decoded, the name in its place. */
export function recordPath(view: RecordView, name: string): string {
  return view.path.replace(/\{.*\}/, () => name)
}

const membersByView = new WeakMap<Release, Map<RecordView, ReadonlyMap<string, string>>>()

/** The IRIs of a view's records in a release by their names, computed once. */
export function membersOf(release: Release, view: RecordView): ReadonlyMap<string, string> {
  const ofRelease = getOrMake(membersByView, release, () => new Map())
  return getOrMake(ofRelease, view, () => view.members(release))
}

function findMember(release: Release, view: RecordView, name: string): string {
  if (name === '') {
    throw new Refusal('route_not_found', `The path names no ${view.parameter.name}: ${view.path}.`)
  }
  if (name.length > MAX_IDENTIFIER) {
    throw new Refusal(
      'identifier_too_long',
      `The ${view.parameter.name} has ${name.length} characters; at most ${MAX_IDENTIFIER} are looked up.`,
    )
  }
  const members = membersOf(release, view)
  for (const spelling of spellings(release, name)) {
    const iri = members.get(spelling)
    if (iri !== undefined) return iri
  }
  throw unknownMember(release, view, name)
}

/** The name as sent, its canonical prefixed form, and both once more percent-decoded. */
function spellings(release: Release, name: string): readonly string[] {
  const decoded = decodeOnce(name)
  return [...new Set([name, decoded])].flatMap((spelling) => [
    spelling,
    release.names.compact(release.names.expand(spelling)),
  ])
}

function decodeOnce(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function unknownMember(release: Release, view: RecordView, name: string): Refusal {
  const prefix = release.names.unknownPrefix(name)
  const suggestions = nearestMembers(release, view, name)
  const members = suggestions.length === 0 ? {} : { did_you_mean: suggestions }
  const hint = suggestions[0] === undefined ? '' : ` Did you mean ${recordPath(view, suggestions[0])}?`
  if (prefix !== null) {
    const prefixes = [...release.names.prefixes.keys()].sort().join(', ')
    const detail = `The prefix "${prefix}" is not known; known are ${prefixes}.${hint}`
    return new Refusal('unknown_prefix', detail, members)
  }
  const elsewhere = release.resources.has(release.names.expand(name))
    ? ` It is another kind of record: see /api/ontology/describe/${name}.json.`
    : ''
  const { name: parameter, noun = parameter } = view.parameter
  const detail = `There is no ${noun} "${name}" in release ${release.manifest.version}.`
  return new Refusal('subject_not_found', detail + elsewhere + hint, members)
}

/** If only `.json` is missing and there is such a path, the refusal suggests it. */
function refuseUnknownPath(release: Release, path: string): never {
  const whole = `${path}.json`
  const match = matchRoute(whole)
  if (match === null) {
    throw new Refusal('route_not_found', `${path} does not exist. See /api/docs for all paths.`)
  }
  findRecord(release, match)
  const members = { did_you_mean: [whole] }
  throw new Refusal('route_not_found', `${path} does not exist. Did you mean ${whole}?`, members)
}

function toRoute(view: View): Route {
  if (view.kind === 'document') return { view, path: view.path }
  const [before = '', after = ''] = view.path.split(/\{.*\}/)
  return { view, before, after }
}

function rankRoute(route: Route): number {
  return 'path' in route ? Number.MAX_SAFE_INTEGER : route.before.length
}

/**
 * Known names that are similar to an unknown one, the most similar first. If some differ only in case, prefix or
 * punctuation, only these. Labels, synonyms and identifiers count as names.
 */
function nearestMembers(release: Release, view: RecordView, name: string): readonly string[] {
  const candidates = nearestNames(fold(name), spellingsOf(release, view))
  const exact = candidates.filter(({ differences }) => differences === 0)
  return (exact.length > 0 ? exact : candidates).map(({ name }) => name)
}

function spellingsOf(release: Release, view: RecordView): readonly Spelling[] {
  const ofRelease = getOrMake(spellingsByView, release, () => new Map())
  return getOrMake(ofRelease, view, () => collectSpellings(release, view))
}

function collectSpellings(release: Release, view: RecordView): readonly Spelling[] {
  return [...view.members(release)].flatMap(([name, iri]) => {
    const otherNames = ALSO_KNOWN_BY.flatMap((property) => release.summaries.values(iri, property))
    const folded = new Set([name, ...otherNames.map(({ value }) => value)].map(fold))
    return Array.from(folded, (spelling) => ({ folded: spelling, name }))
  })
}

/** Makes `d3f:ProcessAnalysis`, `process-analysis` and `Process Analysis` equal, and `CWE-79` and `79`. */
function fold(name: string): string {
  return name
    .toLowerCase()
    .replace(/^.*[:#]/, '')
    .replace(/^cwe-?(?=\d)/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
}
