import { readNTriples } from '../../../graph/syntax/n3.ts'
import { schemesOf, usablePrefixes, type Prefixes } from '../../../graph/syntax/prefixes.ts'
import type { Statement } from '../../../graph/term.ts'
import { Refusal } from '../../../platform/errors.ts'
import { getOrMake } from '../../../platform/get-or-make.ts'
import type { Release } from '../../release/release.ts'

/** The graph as canonical N-Quads, piece by piece. */
export function canonicalPieces({ canonical, manifest }: Release): Iterable<string> {
  if (canonical !== null) return canonical()
  const detail = `There is no file of release ${manifest.version} here, so the whole release is not available.`
  throw new Refusal('route_not_found', detail)
}

/** Every statement, grouped by subject, because canonical lines are sorted. */
export function allStatements(release: Release): Iterable<Statement> {
  return release.statements.all ?? readStatements(release)
}

function* readStatements(release: Release): Generator<Statement> {
  for (const piece of canonicalPieces(release)) yield* readNTriples(piece)
}

const prefixesByRelease = new WeakMap<Release, Prefixes>()

/** The prefixes of a release that make none of its names ambiguous. */
export function prefixesOf(release: Release): Prefixes {
  return getOrMake(prefixesByRelease, release, () => findPrefixes(release))
}

function findPrefixes(release: Release): Prefixes {
  const declared = Object.fromEntries(release.names.prefixes)
  const names = Object.keys(declared).map((prefix) => prefix.replace(/[^\w-]/g, '\\$&'))
  // Most pieces contain no such name, not even in a text, and need not be parsed.
  const suspect = new RegExp(`<(?:${names.join('|')}):`)
  const schemes = new Set<string>()
  for (const piece of canonicalPieces(release)) {
    if (!suspect.test(piece)) continue
    for (const scheme of schemesOf(readNTriples(piece))) schemes.add(scheme)
  }
  return usablePrefixes(declared, schemes)
}
