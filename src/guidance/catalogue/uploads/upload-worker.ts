import { partsHandlers } from '../../../platform/threads/parts.ts'
import { serve } from '../../../platform/threads/serve.ts'
import type { DialectName } from '../../database/dialect.ts'
import { readyRuleWords, type ReadyWords } from '../../database/words/ready.ts'
import type { Rule } from '../xccdf/benchmark.ts'
import { packBenchmark } from './packed.ts'
import { UPLOAD, type PackedItem, type Portion, type UploadTask } from './upload-protocol.ts'
import { readUploadHere, type RefusedItem, type UploadItem } from './upload.ts'

let dialect: DialectName | null = null

/** The rules of the last benchmark, which are fetched in portions. */
let rules: readonly Rule[] = []
let title = ''

/** The words for the portion that was fetched last, made before they are asked for. */
let ahead: (Portion & { readonly words: ReadyWords }) | null = null

const items = partsHandlers((task: UploadTask) => readUploadHere(task.file, task))

serve(UPLOAD, {
  open: (task) => {
    dialect = task.dialect
    return packed(() => items.open(task, []))
  },
  next: () => packed(() => items.next(null, [])),
  rules: (portion) => {
    const benchmark = rules
    // While the service stores these rules, their words are made here.
    setImmediate(() => {
      if (dialect !== null && rules === benchmark) ahead = { ...portion, words: wordsOf(portion) }
    })
    return rules.slice(portion.from, portion.to)
  },
  words: wordsOf,
})

function wordsOf({ from, to }: Portion): ReadyWords {
  if (ahead?.from === from && ahead.to === to) return ahead.words
  if (dialect === null) throw new Error('The file was opened without a database for words')
  return readyRuleWords(dialect, rules.slice(from, to), title)
}

/** Drops the previous item first. */
async function packed(
  find: () => UploadItem | null | Promise<UploadItem | null>,
): Promise<PackedItem | RefusedItem | null> {
  rules = []
  ahead = null
  const item = await find()
  if (item?.kind !== 'read') return item
  const { kind, member, done, total, source, ...read } = item
  rules = read.benchmark.rules
  title = read.benchmark.title
  return { ...{ kind, member, done, total }, ...(await packBenchmark(read, source())) }
}
