import { cp, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { objectWith } from '../../src/platform/threads/protocol.ts'
import type { Searcher } from '../../src/search/thread/searcher.ts'
import { ROOT } from './child.ts'

/** A rule of the ranking, and the change of a file of `src/search` that switches it off. */
interface RankingRule {
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
}

export const RANKING_RULES: readonly RankingRule[] = [
  {
    name: 'words joined by signs count at least .7',
    file: 'ranking/score.ts',
    from: 'MIN_TYPED_LEVEL = 0.7',
    to: 'MIN_TYPED_LEVEL = 0.001',
  },
  {
    name: 'words joined by signs weigh as their parts',
    file: 'query/scored-terms.ts',
    from: 'if (together <= maxScore) return whole',
    to: 'if (together >= 0) return whole',
  },
  {
    name: 'parts of joined words',
    file: 'query/terms.ts',
    from: 'if (words.length > 1) return Array.from',
    to: 'if (words.length > 99) return Array.from',
  },
  {
    name: 'a rare way counts as the word',
    file: 'query/scored-terms.ts',
    from: '(isCommon ? Math.min(rarity, ownRarity) : rarity)',
    to: 'rarity',
  },
  {
    name: 'the rarest words level off',
    file: 'query/scored-terms.ts',
    from: 'ADDED_RECORDS = 2',
    to: 'ADDED_RECORDS = 0.5',
  },
  { name: 'synonyms', file: 'query/term-variants.ts', from: 'synonym: 0.75', to: 'synonym: 0' },
  { name: 'abbreviations', file: 'query/term-variants.ts', from: 'abbreviation: 1', to: 'abbreviation: 0' },
  {
    name: 'everyday words',
    file: 'knowledge/ontology-index.ts',
    from: 'of EVERYDAY_TERMS) builder',
    to: 'of EVERYDAY_TERMS.slice(0, 0)) builder',
  },
  { name: 'joined and split words', file: 'query/term-variants.ts', from: 'joined: 1', to: 'joined: 0' },
  { name: 'words that go together', file: 'query/term-variants.ts', from: 'associate: 0.2', to: 'associate: 0' },
  { name: 'beginnings of words', file: 'query/term-variants.ts', from: 'beginning: 0.55', to: 'beginning: 0' },
  {
    name: 'verbs with particles',
    file: 'query/terms.ts',
    from: 'if (run.expanded.length > 0) joinVerb',
    to: 'if (run.expanded.length > 99) joinVerb',
  },
  {
    name: 'names without a version',
    file: 'query/terms.ts',
    from: 'if (name !== null) return [{',
    to: 'if (name === "") return [{',
  },
  {
    name: 'stop words',
    file: 'query/parse-query.ts',
    from: 'return STOP_WORDS.has(word)',
    to: 'return STOP_WORDS.has(`${word}!`)',
  },
  {
    name: 'commands have no operators',
    file: 'query/parse-query.ts',
    from: 'isCommand(rest) ? piecesOfCommand',
    to: 'isCommand(rest) && rest === "" ? piecesOfCommand',
  },
  { name: 'spelling and unknown words', file: 'query/spelling.ts', from: 'MAX_WRONG = 3', to: 'MAX_WRONG = 0' },
  { name: 'newer releases', file: 'ranking/owner-factors.ts', from: 'PER_YEAR = 0.015', to: 'PER_YEAR = 0' },
  { name: 'products', file: 'ranking/products.ts', from: 'PRODUCT_FACTOR = 1.5', to: 'PRODUCT_FACTOR = 1' },
  { name: 'families of products', file: 'ranking/products.ts', from: 'FAMILY_FACTOR = 1.2', to: 'FAMILY_FACTOR = 1' },
  {
    name: 'words for families weigh half',
    file: 'ranking/products.ts',
    from: 'FAMILY_WORD_SHARE = 0.5',
    to: 'FAMILY_WORD_SHARE = 1',
  },
  {
    name: 'bonus by kind',
    file: 'ranking/rank.ts',
    from: 'wordScore + (KIND_BONUSES[kind] ?? 0)',
    to: 'wordScore + 0 * (KIND_BONUSES[kind] ?? 0)',
  },
  { name: 'least share of the best', file: 'ranking/rank.ts', from: 'MIN_SHARE = 0.25', to: 'MIN_SHARE = 0.001' },
  { name: 'named records', file: 'ranking/bonuses.ts', from: 'named: 3', to: 'named: 0' },
  { name: 'linked records', file: 'ranking/bonuses.ts', from: 'linked: 0.9', to: 'linked: 0' },
  { name: 'weaknesses in queries', file: 'ranking/relations.ts', from: 'partOfQuery: 2', to: 'partOfQuery: 0' },
  { name: 'called records', file: 'ranking/bonuses.ts', from: 'called: 0.9', to: 'called: 0' },
  {
    name: 'likeness of linked texts',
    file: 'ranking/similarity.ts',
    from: 'MIN_SIMILARITY = 0.45',
    to: 'MIN_SIMILARITY = 1',
  },
  {
    name: 'questions of what counters',
    file: 'ranking/find.ts',
    from: 'subject !== null && isThreat',
    to: 'subject !== null && subject.text === "" && isThreat',
  },
  {
    name: 'procedure examples',
    file: 'index/fields.ts',
    from: 'procedure: { weight: 0.4',
    to: 'procedure: { weight: 0.001',
  },
  {
    name: 'findings of code checkers',
    file: 'index/fields.ts',
    from: 'finding: { weight: 2',
    to: 'finding: { weight: 0.001',
  },
  {
    name: 'definitions of reference data',
    file: 'index/fields.ts',
    from: 'definition: { weight: 0.5',
    to: 'definition: { weight: 0.001',
  },
  { name: 'kinds told by titles', file: 'query/kind-factors.ts', from: 'MAX_RAISE = 0.1', to: 'MAX_RAISE = 0' },
]

/** The search without a rule, from a copy of its sources. */
export async function searcherWithout({ file, from, to, name }: RankingRule, folder: string): Promise<typeof Searcher> {
  const copy = await mkdtemp(join(folder, 'without-'))
  await cp(join(ROOT, 'src'), join(copy, 'src'), { recursive: true })
  for (const entry of ['node_modules', 'package.json', 'data']) await symlink(join(ROOT, entry), join(copy, entry))
  const path = join(copy, 'src/search', file)
  const source = await readFile(path, 'utf8')
  if (!source.includes(from)) throw new Error(`${file} has no "${from}" any more: ${name}`)
  await writeFile(
    path,
    source.replace(from, () => to),
  )
  const loaded: unknown = await import(pathToFileURL(join(copy, 'src/search/thread/searcher.ts')).href)
  return objectWith<{ readonly Searcher: typeof Searcher }>('Searcher').parse(loaded).Searcher
}
