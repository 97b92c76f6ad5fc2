import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { problemOf } from '../../../http/answer/problem.ts'
import type { Actor } from '../../../http/caller.ts'
import { rateLimited } from '../../../http/server/limit.ts'
import type { Upload } from '../../../http/upload.ts'
import { messageOf, Refusal } from '../../../platform/errors.ts'
import { makeDataFolder, PRIVATE_MODE } from '../../../platform/files/make-folder.ts'
import type { Log } from '../../../platform/log.ts'
import { ALONE, isOwn, type ProcessPosition } from '../../../platform/processes/process-position.ts'
import { isStorageRefusal } from '../../../platform/storage.ts'
import type { Database } from '../../database/database.ts'
import { isUnreachable } from '../../database/faults.ts'
import { ReferenceReader } from '../reference-data/importing/reference-thread.ts'
import { UploadReader } from '../uploads/upload-thread.ts'
import { importFile, type ImportOptions } from './import-file.ts'
import { addJob, endJob, findJob, findTasks, recordStep, type ImportJob, type ImportTask } from './jobs.ts'
import { takeTurn } from './turns.ts'

/** Files that are read at the same time; each may need a few hundred megabytes. */
const AT_ONCE = 2
/** Further files that may wait. */
const MAX_WAITING = 100
/** Files of one account that are being received or not imported yet. */
const MAX_OWN = 20
/** How long an import is postponed when the database does not answer. */
const POSTPONED_MS = 5000
/** Interval of checking an import that runs in another process. */
const REMOTE_CHECK_MS = 250
/** Longer pause after a full disk, because the whole file is read again. */
const FULL_DISK_PAUSE_MS = 30_000

interface ImporterParts {
  readonly database: Database
  readonly dataDir: string
  readonly log: Log
  /** Default: the only process. */
  readonly position?: ProcessPosition
  /** Called when an import has ended. */
  readonly onEnd?: () => void
}

interface Submission {
  readonly upload: Upload
  readonly options: ImportOptions
  readonly actor: Actor
}

/**
 * Carries out imports, a few at a time. Accepted files are kept on disk and in the database until they are done, so
 * that imports go on after a restart.
 */
export class Importer {
  readonly #database: Database
  readonly #log: Log
  readonly #folder: string
  readonly #position: ProcessPosition
  readonly #onEnd: () => void
  readonly #news = new EventEmitter()
  readonly #reader = new UploadReader()
  readonly #references = new ReferenceReader()
  /** Running imports, each with the account that uploaded the file. */
  readonly #running = new Map<Promise<void>, Actor['id']>()
  readonly #waiting: ImportTask[] = []
  /** The accounts of files that are being received. */
  readonly #receiving = new Set<{ readonly userId: number | null }>()
  readonly #unfinished = new Set<ImportTask>()
  #closed = false

  constructor(parts: ImporterParts) {
    const { database, dataDir, log, position = ALONE, onEnd = () => undefined } = parts
    this.#position = position
    this.#database = database
    this.#log = log
    this.#onEnd = onEnd
    this.#folder = join(dataDir, 'imports')
    // Each client that follows an import adds a listener.
    this.#news.setMaxListeners(0)
  }

  /** Continues the imports of an earlier run, and removes files that nobody needs. */
  async start(): Promise<void> {
    makeDataFolder(this.#folder, PRIVATE_MODE)
    const files = await readdir(this.#folder)
    const ownFiles = new Set(files.filter((name) => isOwn(processOf(name), this.#position)))
    // Other processes on the same database keep their files in their own folders.
    const tasks = (await findTasks(this.#database.read)).filter(({ spool }) => ownFiles.has(spool))
    for (const { spool } of tasks) ownFiles.delete(spool)
    for (const name of ownFiles) await rm(join(this.#folder, name), { force: true })
    for (const task of tasks) this.#add(task)
    this.#next()
  }

  /**
   * Counts an upload of an account as being received, until the returned function is called. Refuses
   * (`rate_limited`) if the account has too many unfinished ones: what is limited is the work, not files per
   * minute.
   */
  admit(userId: number): () => void {
    this.#requireCapacity(userId)
    const upload = { userId }
    this.#receiving.add(upload)
    return () => this.#receiving.delete(upload)
  }

  /** Accepts a file for import; returns the id of the import. */
  async submit({ upload, options, actor }: Submission): Promise<number> {
    if (this.#waiting.length >= MAX_WAITING)
      throw new Refusal('overloaded', 'Too many files wait to be imported. Try again later.')
    this.#requireCapacity(actor.id)
    const spool = `${randomUUID()}.${this.#position.number}`
    const file = join(this.#folder, spool)
    await rename(upload.path, file)
    const job = { fileName: upload.fileName, spool, options, actor }
    const id = await addJob(this.#database, job).catch(async (error: unknown) => {
      await rm(file, { force: true })
      throw error
    })
    this.#add({ id, spool, options, actor })
    this.#next()
    return id
  }

  /** Returns the import when it has ended, or its current state after `ms`. */
  async waitFor(id: number, ms: number): Promise<ImportJob> {
    const deadline = AbortSignal.timeout(ms)
    for (;;) {
      // Listens before it reads, so that no change is missed.
      const listener = new AbortController()
      const nextChange = this.news(id, AbortSignal.any([deadline, listener.signal]))
      const job = await findJob(this.#database.read, id)
      if (isOver(job) || deadline.aborted) {
        listener.abort()
        return job
      }
      await nextChange
    }
  }

  /**
   * Resolves when the import may have changed, or when the signal aborts. For an import of another process, it resolves
   * after an interval.
   */
  async news(id: number, signal: AbortSignal): Promise<void> {
    const isOwnTask = [...this.#unfinished].some((task) => task.id === id)
    const until = isOwnTask ? signal : AbortSignal.any([signal, AbortSignal.timeout(REMOTE_CHECK_MS)])
    await once(this.#news, String(id), { signal: until }).catch(() => null)
  }

  /** Waits for the members that are being stored; the next start does the rest. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#running.keys())
    await this.#reader.close()
    await this.#references.close()
  }

  #requireCapacity(userId: number | null): void {
    const receiving = [...this.#receiving].filter((upload) => upload.userId === userId)
    const unfinished = [...this.#unfinished].filter(({ actor }) => actor.id === userId)
    if (receiving.length + unfinished.length >= MAX_OWN) throw tooManyOwn()
  }

  #add(task: ImportTask): void {
    this.#unfinished.add(task)
    this.#waiting.push(task)
  }

  #next(): void {
    while (!this.#closed && this.#running.size < AT_ONCE) {
      const task = takeTurn(this.#waiting, new Set(this.#running.values()))
      if (task === undefined) return
      const run = this.#carryOut(task).finally(() => {
        this.#running.delete(run)
        this.#next()
      })
      this.#running.set(run, task.actor.id)
    }
  }

  async #carryOut(task: ImportTask): Promise<void> {
    const file = join(this.#folder, task.spool)
    try {
      if (!(await this.#readMembers(task, file))) return
      await endJob(this.#database, task.id, { state: 'finished', problem: null })
    } catch (error) {
      if (isUnreachable(error) || isStorageRefusal(error)) {
        this.#postpone(task, error)
        return
      }
      await this.#fail(task, error)
    }
    this.#unfinished.delete(task)
    await rm(file, { force: true })
    this.#news.emit(String(task.id))
    this.#onEnd()
  }

  /** An accepted import is not abandoned because the database does not answer for a while. */
  #postpone(task: ImportTask, error: unknown): void {
    this.#log.warn({ import: task.id, reason: messageOf(error) }, 'An import waits for the database')
    const ms = isStorageRefusal(error) ? FULL_DISK_PAUSE_MS : POSTPONED_MS
    setTimeout(() => {
      this.#waiting.push(task)
      this.#next()
    }, ms).unref()
  }

  /** Whether the whole file was read; false if the service is closing. */
  async #readMembers({ id, options, actor }: ImportTask, file: string): Promise<boolean> {
    const { done: skip, file_name: name } = await findJob(this.#database.read, id)
    const steps = importFile({ database: this.#database, reader: this.#reader, references: this.#references }, file, {
      options,
      actor,
      name,
      skip,
      record: (writer, step) => recordStep(writer, id, step),
    })
    for await (const step of steps) {
      this.#log.debug({ import: id, done: step.done, total: step.total }, 'A member is imported')
      this.#news.emit(String(id))
      if (this.#closed && step.done < step.total) return false
    }
    return true
  }

  async #fail({ id }: ImportTask, error: unknown): Promise<void> {
    if (!(error instanceof Refusal)) this.#log.error({ err: error, import: id }, 'An import failed')
    const state = error instanceof Refusal ? 'refused' : 'failed'
    await endJob(this.#database, id, { state, problem: problemOf(error) }).catch((fault: unknown) => {
      this.#log.error({ import: id, reason: messageOf(fault) }, 'The result of an import could not be stored')
    })
  }
}

/** Returns the number of the process that accepted a file, from the end of its name; 1 if there is none. */
function processOf(name: string): number {
  return Number(/\.(\d+)$/.exec(name)?.[1] ?? 1)
}

const RETRY_AFTER_S = 5

function tooManyOwn(): Refusal {
  const detail = `${MAX_OWN} of your files are being imported. Wait until some of them are done.`
  return rateLimited(RETRY_AFTER_S, detail)
}

export function isOver({ state }: Pick<ImportJob, 'state'>): boolean {
  return state !== 'waiting' && state !== 'running'
}
