import type {
  GuidanceDocuments,
  GuidanceMatch,
  GuidanceQuestion,
} from '../../src/contracts/sources.ts'
import { compoundsOf, nameOf, wordsOf } from '../../src/platform/words.ts'
import { spellingsOf } from '../../src/search/ontology-index.ts'
import { WordIndex, type Field } from '../../src/search/word-index.ts'

/** A record of guidance with its long texts, and who may see it; null: everybody. */
export interface MemoryRecord {
  readonly match: GuidanceMatch
  readonly texts: readonly { readonly field: string; readonly text: string }[]
  readonly readers?: readonly string[]
  /** In place of those of the match. */
  readonly names?: readonly string[]
}

const WHERE = { names: new Set(['names']), title: new Set(['label']), anywhere: null }

/** Guidance without a database. It finds what the full-text tables would. Askers are called by a name. */
export class MemoryGuidance implements GuidanceDocuments<string | null> {
  readonly questions: GuidanceQuestion[] = []
  readonly #records: readonly MemoryRecord[]
  readonly #ccis: ReadonlyMap<string, readonly string[]>
  readonly #index = new WordIndex()

  constructor(records: readonly MemoryRecord[], ccis: ReadonlyMap<string, readonly string[]>) {
    this.#records = records
    this.#ccis = ccis
    for (const record of records) this.#index.add(fieldsOf(record))
  }

  find(asker: string | null, question: GuidanceQuestion): Promise<readonly GuidanceMatch[]> {
    this.questions.push(question)
    const { wanted, where, kinds, severity, benchmarks, limit } = question
    const found = this.#index.find(wanted, WHERE[where]).flatMap((number) => {
      const record = this.#records[number]
      return record === undefined ? [] : [record]
    })
    const fitting = found.filter(
      ({ match, readers }) =>
        kinds.includes(match.kind) &&
        (severity === null || match.severity === severity) &&
        (benchmarks === null ||
          benchmarks === 'all' ||
          match.benchmark === null ||
          benchmarks.includes(match.benchmark.id)) &&
        (readers === undefined || (asker !== null && readers.includes(asker))),
    )
    return Promise.resolve(fitting.slice(0, limit).map(({ match }) => match))
  }

  texts(
    matches: readonly Pick<GuidanceMatch, 'kind' | 'recordId'>[],
  ): Promise<ReadonlyMap<string, MemoryRecord['texts']>> {
    const keys = new Set(matches.map(keyOf))
    const wanted = this.#records.filter(({ match }) => keys.has(keyOf(match)))
    return Promise.resolve(new Map(wanted.map(({ match, texts }) => [keyOf(match), texts])))
  }

  controlsOf(cci: string): readonly string[] {
    return this.#ccis.get(cci) ?? []
  }

  allCcis(): readonly string[] {
    return [...this.#ccis.keys()]
  }

  titleWords(beginning: string): Promise<readonly string[]> {
    const open = this.#records.filter(({ match }) => match.benchmark !== null)
    const words = new Set(open.flatMap(({ match }) => spellingsOf(match.title)))
    return Promise.resolve([...words].filter((word) => word.startsWith(beginning)).sort())
  }
}

function keyOf({ kind, recordId }: Pick<GuidanceMatch, 'kind' | 'recordId'>): string {
  return `${kind} ${recordId}`
}

function fieldsOf({ match, texts, names }: MemoryRecord): readonly Field[] {
  const { title, ccis, benchmark, component } = match
  const text = texts.map((one) => one.text).join('\n')
  const all = [...(names ?? match.names), ...ccis].map(nameOf)
  return [
    { name: 'names', words: all.flatMap((name) => [name, name.replace(/-r-\d+(?:-rule)?$/, '')]) },
    { name: 'label', words: wordsOf(title) },
    { name: 'text', words: wordsOf(text) },
    { name: 'text', words: compoundsOf(`${title}\n${text}`) },
    { name: 'text', words: wordsOf(benchmark?.title ?? component?.name ?? '') },
  ]
}
