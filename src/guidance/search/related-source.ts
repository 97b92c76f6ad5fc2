import type { CitingRule, GuidanceMatch, GuidanceSearchRequest, RuleSource } from '../../contracts/guidance-records.ts'
import { nameOf } from '../../platform/words.ts'
import { nistControls } from '../catalogue/benchmarks/nist-controls.ts'
import { listReleases, type Release } from '../catalogue/benchmarks/releases.ts'
import { decodeSegment, type Iris } from '../catalogue/linked-data/graph/iris.ts'
import type { Reader } from '../database/transaction.ts'
import type { GuidanceSearch } from './global-catalogue.ts'

/** Rules that are read for one answer. */
const MAX_RULES = 1000

interface RuleSourceParts {
  readonly reader: Reader
  readonly search: Pick<GuidanceSearch, 'findMatches' | 'similarity'>
  readonly iris: Iris
  /** The newest release of each line, or all releases. */
  readonly releases: 'latest' | 'all'
}

/** A source of rules by the search: the ids that a rule cites are among its names. */
export function ruleSource({ reader, search, iris, releases }: RuleSourceParts): RuleSource {
  const findNamed = async (
    names: readonly string[],
    selection: Pick<GuidanceSearchRequest, 'benchmarks' | 'limit' | 'rankBy'>,
  ): Promise<readonly CitingRule[]> => {
    const alternatives = names.map((name) => ({ words: [name], prefix: false }))
    const among = { kinds: ['requirement', 'rule'], severity: null } as const
    const question = { ...among, required: [{ alternatives }], searchedField: 'names', ...selection } as const
    return (await search.findMatches(null, question)).flatMap(ruleOf)
  }
  const findOf = async (release: Release, iri: string): Promise<CitingRule | null> => {
    const name = nameOf(decodeSegment(iri.slice(iris.rule(release, '').length)))
    if (name === '') return null
    const rules = await findNamed([name], { benchmarks: [release.id], limit: MAX_RULES })
    return rules.find((rule) => rule.iri === iri) ?? null
  }
  return {
    controls: nistControls(),
    rule: async (subject) => {
      const catalogue = await listReleases(reader)
      const release = catalogue.find((candidate) => subject.startsWith(iris.rule(candidate, '')))
      if (release !== undefined) return findOf(release, subject)
      const name = nameOf(subject)
      const rules = name === '' ? [] : await findNamed([name], { benchmarks: null, limit: MAX_RULES })
      return rules.find((rule) => isCalled(rule, name)) ?? null
    },
    similarity: (text, iris) => search.similarity(text, iris),
    citing: async (ccis, { limit, rankBy }) => {
      const maxRules = Math.min(limit, MAX_RULES)
      const benchmarks = releases === 'all' ? 'all' : null
      const rules = await findNamed(ccis.map(nameOf), { benchmarks, limit: maxRules, rankBy })
      return { rules, isCut: rules.length >= maxRules }
    },
  }
}

/** Whether an id is of the rule itself: the id of its SRG requirement is of another record. */
function isCalled({ kind, ruleId, identifiers }: CitingRule, name: string): boolean {
  const requirementIds = identifiers.filter((id) => kind === 'requirement' || !id.startsWith('SRG-'))
  const bare = ruleId.replace(/_rule$/, '')
  return [ruleId, bare, bare.replace(/r\d+$/, ''), ...requirementIds].some((id) => nameOf(id) === name)
}

function ruleOf(match: GuidanceMatch): readonly CitingRule[] {
  const { kind, iri, names, title, ccis, recordId, severity, benchmark } = match
  if ((kind !== 'rule' && kind !== 'requirement') || iri === null || benchmark === null) return []
  const [ruleId = '', ...identifiers] = names
  return [{ kind, iri, ruleId, title, identifiers, ccis, recordId, severity, benchmark }]
}
