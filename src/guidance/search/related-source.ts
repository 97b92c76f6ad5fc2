import type {
  CitingRule,
  GuidanceMatch,
  GuidanceQuestion,
  RuleSource,
} from '../../contracts/sources.ts'
import { nameOf } from '../../platform/words.ts'
import { nistControls } from '../catalogue/benchmarks/nist-controls.ts'
import { listReleases } from '../catalogue/benchmarks/releases.ts'
import type { Iris } from '../catalogue/linked-data/graph/iris.ts'
import type { Reader } from '../database/transaction.ts'
import type { ReadableDocuments } from '../full-text/documents.ts'

/** Rules that are read for one answer; no query of the full-text tables returns more. */
const MOST_RULES = 1000

interface RuleSourceParts {
  readonly reader: Reader
  readonly documents: Pick<ReadableDocuments, 'find'>
  readonly iris: Iris
  /** The newest release of each line, or all releases. */
  readonly releases: 'latest' | 'all'
}

/** Rules of the catalogue by their words; ids that a rule cites count as its names. */
export function ruleSource({ reader, documents, iris, releases }: RuleSourceParts): RuleSource {
  const findNamed = async (
    names: readonly string[],
    { benchmarks, limit }: Pick<GuidanceQuestion, 'benchmarks' | 'limit'>,
  ): Promise<readonly CitingRule[]> => {
    const ways = names.map((name) => ({ words: [name], prefix: false }))
    const among = { kinds: ['requirement', 'rule'], severity: null, benchmarks } as const
    const question = { ...among, wanted: [{ ways }], where: 'names', limit } as const
    return (await documents.find(null, question)).flatMap(ruleOf)
  }
  return {
    controls: nistControls(),
    rule: async (iri) => {
      const known = await listReleases(reader)
      const release = known.find((one) => iri.startsWith(iris.rule(one, '')))
      if (release === undefined) return null
      const name = nameOf(decoded(iri.slice(iris.rule(release, '').length)))
      const rules =
        name === '' ? [] : await findNamed([name], { benchmarks: [release.id], limit: MOST_RULES })
      return rules.find((rule) => rule.iri === iri) ?? null
    },
    citing: async (ccis, limit) => {
      const most = Math.min(limit, MOST_RULES)
      const benchmarks = releases === 'all' ? 'all' : null
      const rules = await findNamed(ccis.map(nameOf), { benchmarks, limit: most })
      return { rules, isCut: rules.length >= most }
    },
  }
}

function ruleOf(match: GuidanceMatch): readonly CitingRule[] {
  const { kind, iri, names, title, ccis, recordId, severity, benchmark } = match
  if ((kind !== 'rule' && kind !== 'requirement') || iri === null || benchmark === null) return []
  const [ruleId = '', ...identifiers] = names
  return [{ kind, iri, ruleId, title, identifiers, ccis, recordId, severity, benchmark }]
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
