import { parentPort } from 'node:worker_threads'
import { messageOf, Refusal } from '../../../platform/errors.ts'
import type { DialectName } from '../../database/dialect.ts'
import { readyRuleWords, type ReadyWords } from '../../database/words/ready.ts'
import type { Rule } from '../xccdf/benchmark.ts'
import { packBenchmark } from './packed.ts'
import type { PackedItem, Portion, UploadReply, UploadRequest } from './upload-protocol.ts'
import { readUploadHere, type RefusedItem, type UploadItem } from './upload.ts'

const port = parentPort
if (port === null) throw new Error('This module runs on a thread of its own')

/** Of the file that was opened last. */
let items: AsyncGenerator<UploadItem, void> | null = null

let dialect: DialectName | null = null

/** Of the benchmark that was handed over last; they are fetched in portions. */
let rules: readonly Rule[] = []
let title = ''

/** Those that are going to be asked for. */
let ahead: (Portion & { readonly words: ReadyWords }) | null = null

port.on('message', (request: UploadRequest) => {
  void answer(request).then((reply) => {
    port.postMessage(reply)
    // While these rules are stored, their words are made.
    if (request.kind === 'rules' && dialect !== null)
      ahead = { from: request.from, to: request.to, words: wordsOf(request) }
  })
})

function wordsOf({ from, to }: Portion): ReadyWords {
  if (ahead?.from === from && ahead.to === to) return ahead.words
  if (dialect === null) throw new Error('The file was opened without a database for words')
  return readyRuleWords(dialect, rules.slice(from, to), title)
}

async function answer(request: UploadRequest): Promise<UploadReply> {
  if (request.kind === 'rules')
    return { kind: 'rules', rules: rules.slice(request.from, request.to) }
  if (request.kind === 'words') return { kind: 'words', words: wordsOf(request) }
  rules = []
  ahead = null
  if (request.kind === 'open') {
    dialect = request.how.dialect
    items = readUploadHere(request.file, request.how)
    return { kind: 'opened' }
  }
  try {
    if (items === null) throw new Error('No file has been opened')
    const { done, value } = await items.next()
    return done === true ? { kind: 'end' } : { kind: 'item', item: await packed(value) }
  } catch (error) {
    if (error instanceof Refusal) {
      return { kind: 'refusal', code: error.code, detail: error.message }
    }
    const stack = error instanceof Error ? (error.stack ?? error.message) : messageOf(error)
    return { kind: 'failure', stack }
  }
}

async function packed(item: UploadItem): Promise<PackedItem | RefusedItem> {
  if (item.kind !== 'read') return item
  const { kind, member, done, total, source, ...read } = item
  rules = read.benchmark.rules
  title = read.benchmark.title
  return { ...{ kind, member, done, total }, ...(await packBenchmark(read, source())) }
}
