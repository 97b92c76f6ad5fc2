import { LRUCache } from 'lru-cache'
import { append } from '../../../platform/append.ts'
import { getOrMake } from '../../../platform/get-or-make.ts'
import { LEGACY } from '../../catalogue/benchmarks/shape.ts'
import type { Reader } from '../../database/transaction.ts'
import type { AuthoredRule, RuleCondition } from './reader.ts'
import type { SourceRequirement } from './schemas.ts'

export interface RequirementSource {
  /** The version of the SRG: V3R3. */
  readonly release: string
  readonly requirement: SourceRequirement
}

/** The size of the cache for each database, in characters. It has room for tens of SRGs. */
const MAX_CHARACTERS = 8 * 1024 * 1024
/** The size of a requirement without its texts. */
const OVERHEAD = 500

/**
 * Caches requirements. The content of the catalogue never changes, and ids are not reused. Each writer has its own
 * cache, so that requirements that it stored and rolled back disappear with it.
 */
const caches = new WeakMap<Reader, LRUCache<number, RequirementSource>>()

/** Finds the catalogue requirements from which these rules were made, by id. Four queries or none. */
export async function findSources(
  reader: Reader,
  rules: readonly Pick<AuthoredRule, 'srg_rule_id'>[],
  condition: RuleCondition,
): Promise<ReadonlyMap<number, RequirementSource>> {
  const cache = cacheOf(reader)
  const sources = new Map<number, RequirementSource>()
  const ids = new Set(rules.flatMap(({ srg_rule_id }) => srg_rule_id ?? []))
  for (const id of ids) {
    const source = cache.get(id)
    if (source !== undefined) sources.set(id, source)
  }
  if (sources.size === ids.size) return sources
  const read = await readSources(reader, condition)
  for (const [id, source] of read) cache.set(id, source)
  return read
}

function cacheOf(reader: Reader): LRUCache<number, RequirementSource> {
  const makeCache = (): LRUCache<number, RequirementSource> =>
    new LRUCache({
      maxSize: MAX_CHARACTERS,
      sizeCalculation: ({ requirement }) => OVERHEAD + Object.values(requirement).join('').length,
    })
  return getOrMake(caches, reader, makeCache)
}

async function readSources(reader: Reader, condition: RuleCondition): Promise<ReadonlyMap<number, RequirementSource>> {
  const rows = await reader
    .selectFrom('benchmark_rules as source')
    .innerJoin('benchmarks', 'benchmarks.id', 'source.benchmark_id')
    .select(['source.id', 'source.version as srg_id', 'source.title', 'source.vuln_discussion'])
    .select(['source.severity as rule_severity', 'benchmarks.version as release'])
    .where('source.id', 'in', (is) => is.selectFrom('rules').select('rules.srg_rule_id').where(condition))
    .execute()
  const checks = await findChecks(reader, condition)
  const fixes = await findFixes(reader, condition)
  const idents = await findRequirementCcis(reader, condition)
  return new Map(
    rows.map(({ release, ...row }) => {
      const requirement = Object.assign(row, {
        check_content: joinTexts(checks.get(row.id), '\n\n'),
        fixtext: fixes.get(row.id)?.[0] ?? null,
        ident: joinTexts(idents.get(row.id), ', '),
      })
      return [row.id, { release, requirement }]
    }),
  )
}

type TextsByRule = ReadonlyMap<number, readonly string[]>

async function findChecks(reader: Reader, condition: RuleCondition): Promise<TextsByRule> {
  const rows = await reader
    .selectFrom('benchmark_checks')
    .select(['rule_id', 'content as text'])
    .where('rule_id', 'in', (is) => is.selectFrom('rules').select('srg_rule_id').where(condition))
    .orderBy('id')
    .execute()
  return byRule(rows)
}

async function findFixes(reader: Reader, condition: RuleCondition): Promise<TextsByRule> {
  const rows = await reader
    .selectFrom('benchmark_fixes')
    .select(['rule_id', 'text'])
    .where('rule_id', 'in', (is) => is.selectFrom('rules').select('srg_rule_id').where(condition))
    .orderBy('id')
    .execute()
  return byRule(rows)
}

/** Finds the CCIs of the requirements from which these rules were made, by the id of the requirement. */
export async function findRequirementCcis(reader: Reader, condition: RuleCondition): Promise<TextsByRule> {
  const rows = await reader
    .selectFrom('benchmark_idents')
    .select(['rule_id', 'value as text'])
    .where('system', '<>', LEGACY)
    .where('rule_id', 'in', (is) => is.selectFrom('rules').select('srg_rule_id').where(condition))
    .orderBy('id')
    .execute()
  return byRule(rows)
}

function byRule(rows: readonly { readonly rule_id: number; readonly text: string | null }[]): TextsByRule {
  const names = new Map<number, string[]>()
  for (const { rule_id, text } of rows) if (text !== null) append(names, rule_id, text)
  return names
}

function joinTexts(texts: readonly string[] | undefined, separator: string): string | null {
  return texts === undefined ? null : texts.join(separator)
}
