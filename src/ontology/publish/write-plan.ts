import { join } from 'node:path'
import { Comparisons } from '../changes/comparisons.ts'
import type { ReleaseFolder } from '../release/folder.ts'
import { writePieces } from '../render/write.ts'
import { copyAnswers, findCopies, writeAnswers, type AnswersByPath } from './answers.ts'
import type { Journal, PublishedAnswer } from './journal.ts'
import type { Plan } from './plan.ts'
import type { AnswerFile } from './tree/tree.ts'
import { WriterThreads } from './writer-threads.ts'

export interface WriteTask {
  readonly folder: ReleaseFolder
  readonly plan: Plan
  /** Answers that an interrupted run had finished. */
  readonly finished: AnswersByPath
  readonly journal: Journal
}

export interface WritePlanOptions {
  readonly out: string
  readonly dataDir: string
  readonly baseUrl: string
  readonly describe: boolean
  readonly compress: boolean
  readonly threads?: number
  readonly onProgress?: (done: number, total: number) => void
}

/**
 * Writes all unfinished files: one release after the other, so that no more than one is open, then the reports. The given
 * threads have the first one open.
 */
export async function writePlan(
  writers: WriterThreads,
  task: WriteTask,
  options: WritePlanOptions,
): Promise<AnswersByPath> {
  const { folder, plan, finished, journal } = task
  const { out, compress, onProgress } = options
  const written = new Map<string, PublishedAnswer>()
  const onWritten = (answer: PublishedAnswer): void => {
    written.set(answer.path, answer)
    onProgress?.(finished.size + written.size, plan.tree.length)
  }
  const writing = { out, compress, journal, onWritten }
  for (const { manifest, files } of plan.parts) {
    const isTodo = ({ path }: AnswerFile): boolean => !finished.has(path)
    if (!files.some(isTodo)) continue
    const { originals, copies } = findCopies(files)
    const threads = manifest === plan.release ? writers : await WriterThreads.open(folder, manifest, options)
    try {
      await writeAnswers(threads, originals.filter(isTodo), writing)
      await copyAnswers(copies.filter(isTodo), new Map([...finished, ...written]), writing)
    } finally {
      await journal.close()
      await threads.close()
    }
  }
  await writeReports(task, { answers: new Map([...finished, ...written]), onWritten }, options)
  return written
}

/** Written by every run, because they depend on the other files. */
async function writeReports(
  { folder, plan }: WriteTask,
  { answers, onWritten }: { readonly answers: AnswersByPath; readonly onWritten: (answer: PublishedAnswer) => void },
  { out, dataDir, baseUrl, describe, compress }: WritePlanOptions,
): Promise<void> {
  if (plan.reports.length === 0) return
  const comparisons = new Comparisons({ dataDir })
  try {
    const { about, release } = plan
    const sources = { folder, active: release.version, baseUrl, describe, about }
    for (const { path, file, make } of plan.reports) {
      const pieces = await make({ ...sources, answers, comparisons })
      const written = await writePieces(pieces, { file: join(out, file), compress })
      onWritten({ path, bytes: written.length, sha256: written.sha256 })
    }
  } finally {
    await comparisons.close()
  }
}
