import type { RecordText } from '../../contracts/guidance-records.ts'
import type { Caller } from '../../http/caller.ts'
import { append } from '../../platform/append.ts'
import { foldText } from '../../platform/characters.ts'
import { displayedName, ruleIdOf } from '../database/rule-names.ts'
import type { Reader } from '../database/transaction.ts'
import type { GlobalSearchParts } from './global-catalogue.ts'
import { exactIdentifier, textQuery } from './global-query.ts'
import type { GlobalSearchResult } from './global-schemas.ts'

const LABELS: Readonly<Record<string, string>> = {
  title: 'Title',
  fixtext: 'Fixtext',
  vuln_discussion: 'Vuln discussion',
  check: 'Check',
}

/** Characters before and after the word. */
const CONTEXT_LENGTH = 40

interface Snippet {
  readonly snippet: string | null
  readonly matched_field: string | null
}

type RuleResults = GlobalSearchResult['rules']

/**
 * Authored rules with this identifier, then those that have every word, in titles first (docs/contract.md, Global
 * search).
 */
export async function findRules(
  { database, search }: GlobalSearchParts,
  caller: Caller,
  { text, ...options }: { readonly text: string; readonly limit: number; readonly componentId?: number },
): Promise<RuleResults> {
  const kind = 'authored-rule'
  const words = textQuery(text)
  const searches = [
    { required: exactIdentifier(text), searchedField: 'names' },
    { ...words, searchedField: 'title' },
    { ...words, searchedField: 'anywhere' },
  ] as const
  const scope = { kinds: [kind], severity: null, benchmarks: null, ...options } as const
  const recordNumbers = await search.findNumbers(caller, { ...scope, searches })
  const ids = [...new Set(recordNumbers.flatMap((numbers) => numbers.get(kind) ?? []))].slice(0, options.limit)
  if (ids.length === 0) return []
  const texts = await search.texts(ids.map((id) => ({ kind, id })))
  const rows = await findRows(database.read, ids)
  const parents = await findParents(database.read, ids)
  return ids.flatMap((id) => {
    const row = rows.get(id)
    const parent = parents.get(id)?.[0] ?? NO_PARENT
    return row === undefined ? [] : [{ ...row, ...snippetOf(text, texts.get(`${kind} ${id}`) ?? []), ...parent }]
  })
}

type ParentRule = Pick<RuleResults[number], 'parent_rule_id' | 'parent_display_name'>

const NO_PARENT: ParentRule = { parent_rule_id: null, parent_display_name: null }

type RuleRow = Omit<RuleResults[number], 'snippet' | 'matched_field' | keyof ParentRule>

async function findRows(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, RuleRow>> {
  const rows = await reader
    .selectFrom('rules as rule')
    .innerJoin('components', 'components.id', 'rule.component_id')
    .select(['rule.id', 'rule.number', 'rule.title', 'rule.status', 'rule.component_id'])
    .select('components.prefix as component_prefix')
    .select((is) =>
      is
        .selectFrom('reviews')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('reviews.rule_id', '=', 'rule.id')
        .where('reviews.action', '=', 'comment')
        .as('comment_count'),
    )
    .where('rule.id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ number, comment_count, ...row }) => [
      row.id,
      { ...row, rule_id: ruleIdOf(number), comment_count: comment_count ?? 0 },
    ]),
  )
}

/** The rules of STIGs that satisfy these rules, in order of their numbers. */
async function findParents(
  reader: Reader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly ParentRule[]>> {
  const rows = await reader
    .selectFrom('rule_satisfactions as link')
    .innerJoin('rules as parent', 'parent.id', 'link.satisfied_by_rule_id')
    .innerJoin('components', 'components.id', 'parent.component_id')
    .select(['link.rule_id', 'parent.id', 'parent.number', 'components.prefix'])
    .where('link.rule_id', 'in', ids)
    .where('parent.deleted_at', 'is', null)
    .where('components.document_type', '=', 'stig')
    .orderBy('parent.number')
    .orderBy('parent.id')
    .execute()
  const parents = new Map<number, ParentRule[]>()
  for (const { rule_id, id, number, prefix } of rows)
    append(parents, rule_id, {
      parent_rule_id: id,
      parent_display_name: displayedName(prefix, number),
    })
  return parents
}

/**
 * Cut from the first field that has all words of the search text; nulls if there is none (docs/contract.md, Global
 * search).
 */
function snippetOf(text: string, fields: readonly RecordText[]): Snippet {
  const words = foldText(text.replaceAll('"', ' '))
    .split(/\s+/)
    .filter((word) => word !== '')
  const [first] = words
  const hasAllWords = (field: RecordText): boolean => {
    const folded = foldText(field.text)
    return words.every((word) => folded.includes(word))
  }
  const field = fields.find((candidate) => candidate.field in LABELS && hasAllWords(candidate))
  if (field === undefined || first === undefined) return { snippet: null, matched_field: null }
  const excerpt = cut(field.text, first)
  return { snippet: `[${LABELS[field.field] ?? ''}] ${excerpt}`, matched_field: field.field }
}

function cut(text: string, word: string): string {
  // Folding may change the length a little, which only moves the window.
  const position = Math.max(0, foldText(text).indexOf(word))
  const [from, to] = [Math.max(0, position - CONTEXT_LENGTH), position + word.length + CONTEXT_LENGTH]
  const part = text
    .slice(from, to)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\p{Surrogate}/gu, '')
    .trim()
  return `${from > 0 ? '…' : ''}${part}${to < text.length ? '…' : ''}`
}
