import { canonize } from 'rdf-canonize'
import { messageOf, Refusal } from '../../platform/errors.ts'

const DEADLINE_MS = 120_000
const N_QUADS = 'application/n-quads'

/**
 * Canonical N-Quads (W3C RDFC-1.0), one statement a line, sorted: two graphs that say the same give
 * the same text, whatever their order or the labels of their blank nodes. That makes the digest of
 * a release, and the blank node labels that it answers with, depend on nothing but its content.
 */
export async function canonicalNQuads(nquads: string): Promise<string> {
  if (/^\S+ \S+ <<\(/m.test(nquads)) {
    throw new Refusal('source_syntax', 'Triple terms (RDF 1.2) cannot be published.')
  }
  try {
    return await canonize(nquads, {
      algorithm: 'RDFC-1.0',
      inputFormat: N_QUADS,
      format: N_QUADS,
      maxWorkFactor: 2,
      signal: AbortSignal.timeout(DEADLINE_MS),
    })
  } catch (error) {
    throw new Refusal(
      'graph_too_tangled',
      `The blank nodes of the sources refer to each other in too many equal ways (${messageOf(error)}). ` +
        'Give some of them IRIs.',
    )
  }
}
