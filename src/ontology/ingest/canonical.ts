import { canonize } from 'rdf-canonize'
import { parseQuads } from '../../graph/store.ts'
import { compareCodeUnits } from '../../graph/term.ts'
import { messageOf, Refusal } from '../../platform/errors.ts'

const DEADLINE_MS = 60_000

/**
 * Canonical N-Quads (W3C RDFC-1.0), one statement a line, sorted. Isomorphic graphs give the same text, so the digest
 * of a release and the labels of its blank nodes depend only on its content. Only statements with a blank node go
 * through the algorithm; the others cannot change its result.
 */
export async function canonicalNQuads(nquads: string): Promise<string> {
  refuseRdf12(nquads)
  const lines = nquads.split('\n').filter((line) => line !== '')
  const namedLines = lines.filter((line) => !line.includes('_:'))
  const blank = await canonize(parseQuads(lines.filter((line) => line.includes('_:')).join('\n')), {
    algorithm: 'RDFC-1.0',
    format: 'application/n-quads',
    maxWorkFactor: 3,
    signal: AbortSignal.timeout(DEADLINE_MS),
  }).catch((error: unknown) => {
    throw new Refusal(
      'graph_too_tangled',
      `The blank nodes of the sources refer to each other in too many equal ways: ${messageOf(error).replace(/\.$/, '')}. ` +
        'Give some of them IRIs.',
    )
  })
  const canonical = [...namedLines, ...blank.split('\n').filter((line) => line !== '')]
  return `${canonical.sort(compareCodeUnits).join('\n')}\n`
}

/** Refuses RDF 1.2: not every published syntax can express it, so the files of a release would differ. */
function refuseRdf12(nquads: string): void {
  if (/^\S+ \S+ <<\(/m.test(nquads)) throw new Refusal('source_syntax', 'Triple terms (RDF 1.2) cannot be published.')
  const directed = /^(\S+ \S+) ".*"@[\w-]+--(?:ltr|rtl) (?:[<_]\S+ )?\.$/m.exec(nquads)
  if (directed === null) return
  const detail = `Strings with a direction (RDF 1.2) cannot be published. Leave the direction out: ${directed[1] ?? ''}.`
  throw new Refusal('source_syntax', detail)
}
