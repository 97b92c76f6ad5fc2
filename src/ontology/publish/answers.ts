import { constants, copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ManifestFile } from '../../platform/files/manifest-files.ts'
import { replaceFile } from '../../platform/files/replace-file.ts'
import { ALIASES } from '../endpoints/list.ts'
import { isIntact, type Journal, type PublishedAnswer } from './journal.ts'
import type { AnswerFile, TreeFile } from './tree/tree.ts'
import type { WriterThreads } from './writer-threads.ts'

export type AnswersByPath = ReadonlyMap<string, PublishedAnswer>

/** Finds the answers of an interrupted run whose files are unchanged since. */
export async function intactAnswers(
  out: string,
  tree: readonly TreeFile[],
  answers: readonly PublishedAnswer[],
): Promise<AnswersByPath> {
  const files = new Map(tree.map(({ path, file }) => [path, file]))
  const intact = new Map<string, PublishedAnswer>()
  for (const answer of answers) {
    const file = files.get(answer.path)
    if (file !== undefined && (await isIntact(join(out, file), answer))) {
      intact.set(answer.path, answer)
    }
  }
  return intact
}

export interface WriteOptions {
  readonly out: string
  readonly compress: boolean
  readonly journal: Journal
  readonly onWritten: (answer: PublishedAnswer) => void
}

/** Number of files in one message to a thread. Most are small, so that a message would take as long as a file. */
const BATCH_SIZE = 20

/** Has the threads of a release write its answers. */
export async function writeAnswers(
  writers: WriterThreads,
  todo: readonly AnswerFile[],
  { out, compress, journal, onWritten }: WriteOptions,
): Promise<void> {
  await writers.each(portionsOf(todo), async (thread, portion) => {
    const files = portion.map(({ releasePath, file }) => ({ path: releasePath, file: join(out, file) }))
    const written = await thread.write({ files, compress })
    const answers = portion.flatMap(({ path }, index) => {
      const digest = written[index]
      return digest === undefined ? [] : [{ path, bytes: digest.length, sha256: digest.sha256 }]
    })
    await journal.add(answers)
    for (const answer of answers) onWritten(answer)
  })
}

function portionsOf(todo: readonly AnswerFile[]): readonly (readonly AnswerFile[])[] {
  const count = Math.ceil(todo.length / BATCH_SIZE)
  return Array.from({ length: count }, (_, index) => todo.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE))
}

/** A file with the same answer as another one of the tree. */
interface Copy extends AnswerFile {
  readonly original: AnswerFile
}

/** Splits the files of a release into those with answers of their own, and copies: other names, and paths with the version. */
export function findCopies(files: readonly AnswerFile[]): {
  readonly originals: readonly AnswerFile[]
  readonly copies: readonly Copy[]
} {
  const originals = new Map<string, AnswerFile>()
  const copies: Copy[] = []
  for (const file of files) {
    const path = ALIASES.get(file.releasePath) ?? file.releasePath
    const original = originals.get(path)
    if (original === undefined) originals.set(path, file)
    else copies.push({ ...file, original })
  }
  return { originals: [...originals.values()], copies }
}

/** Copies answers that are in the tree already. */
export async function copyAnswers(
  todo: readonly Copy[],
  answers: AnswersByPath,
  { out, compress, journal, onWritten }: WriteOptions,
): Promise<void> {
  for (const { path, file, original } of todo) {
    const same = answers.get(original.path)
    if (same === undefined) throw new Error(`${original.path} has not been written`)
    for (const extension of compress ? ['', '.gz', '.br'] : [''])
      await replaceFile(join(out, file + extension), (draft) =>
        copyFile(join(out, original.file + extension), draft, constants.COPYFILE_FICLONE),
      )
    const answer = { ...same, path }
    await journal.add([answer])
    onWritten(answer)
  }
}

export function listFiles(tree: readonly TreeFile[], answers: AnswersByPath): readonly ManifestFile[] {
  const files = tree.flatMap(({ path, url, file }) => {
    const answer = answers.get(path)
    return answer === undefined ? [] : [{ url, file, bytes: answer.bytes, sha256: answer.sha256 }]
  })
  return files.sort((a, b) => (a.url < b.url ? -1 : 1))
}
