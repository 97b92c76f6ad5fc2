import { open, readFile, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Refusal, REFUSALS } from '../platform/errors.ts'
import { withLock } from '../platform/files/lock.ts'
import { makeDataFolder, PRIVATE_MODE } from '../platform/files/make-folder.ts'
import { isStorageRefusal } from '../platform/storage.ts'
import { Downloader, type Download, type DownloadLimits } from './download.ts'
import { addressesIn } from './list.ts'
import { readState, writeState, type FetchedFile, type SyncState } from './state.ts'

/** The result for one address, or for a benchmark in its file. */
export interface SyncLine {
  readonly outcome: 'unchanged' | 'imported' | 'present' | 'refused' | 'would be fetched'
  /** `RHEL_9_STIG V2R4`, or the reason of a refusal. */
  readonly subject: string
  readonly url: string
}

type ImportResult = Pick<SyncLine, 'outcome' | 'subject'>

/** Imports fetched files. A refusal concerns the file; any other error ends the run. */
export interface SyncTargets {
  library(file: string, report: (result: ImportResult) => void): Promise<void>
  /** `name` is the name of the file at its publisher. */
  reference(file: string, name: string): Promise<ImportResult>
  ontology(file: string): Promise<ImportResult>
}

export interface SyncOptions extends DownloadLimits {
  /** Folder of the state, the lock and temporary files. */
  readonly folder: string
  /** Zips, XML files, or JSON lists of such. */
  readonly libraries: readonly string[]
  /** Files with reference data. */
  readonly references: readonly string[]
  readonly ontology: string | null
  /** Says what would be fetched, and changes nothing. */
  readonly isDry: boolean
  readonly onUrl: (url: string) => void
}

/** Largest size of a list, in bytes. */
const MAX_JSON = 32 * 1024 * 1024

/**
 * Imports new content from the addresses. A file is recorded as fetched only after it has been imported or refused for its
 * content, so that the next run continues after an interruption. Only one process runs at a time.
 */
export async function synchronise(options: SyncOptions, targets: SyncTargets): Promise<readonly SyncLine[]> {
  const { folder } = options
  makeDataFolder(folder, PRIVATE_MODE)
  return withLock({ lock: join(folder, '.lock'), activity: 'is fetching new content', waitMs: 0 }, async () => {
    const run = new SyncRun(options, targets, await readState(folder))
    await run.begin()
    for (const url of options.libraries) await run.importLibrary(url)
    for (const url of options.references) await run.importFile(url, (file) => targets.reference(file, fileNameOf(url)))
    const { ontology } = options
    if (ontology !== null) await run.importFile(ontology, (file) => targets.ontology(file))
    return run.lines
  })
}

class SyncRun {
  readonly lines: SyncLine[] = []
  readonly #options: SyncOptions
  readonly #targets: SyncTargets
  readonly #state: SyncState
  readonly #downloader: Downloader
  readonly #seen = new Set<string>()

  constructor(options: SyncOptions, targets: SyncTargets, state: SyncState) {
    this.#options = options
    this.#targets = targets
    this.#state = state
    this.#downloader = new Downloader(options)
  }

  async begin(): Promise<void> {
    if (this.#options.isDry) return
    this.#state.ran_at = new Date().toISOString()
    await this.#save()
  }

  /** Imports a file, or the files of a list. */
  async importLibrary(url: string): Promise<void> {
    const addresses = await this.#attempt(url, () => this.#list(url))
    if (addresses === undefined) return
    if (addresses !== null)
      for (const listedUrl of addresses) await this.#attempt(listedUrl, () => this.#file(listedUrl))
  }

  async importFile(url: string, work: (file: string) => Promise<ImportResult>): Promise<void> {
    await this.#attempt(url, () =>
      this.#fetchAndUse(url, (file, fetched) =>
        this.#importOnce(url, fetched, async () => {
          this.#report(url, await work(file))
        }),
      ),
    )
  }

  /** Reads the addresses in a list; null if the address is a file, which has been imported then. */
  async #list(url: string): Promise<readonly string[] | null> {
    const earlierFile = this.#known(url)
    if (this.#options.isDry && earlierFile !== null && earlierFile.listed === undefined) {
      await this.#file(url)
      return null
    }
    const file = this.#draft(url)
    const fetched = await this.#downloader.fetch(url, earlierFile, file)
    try {
      if (fetched === null || (await this.#isKnown(url, fetched))) return this.#unchanged(url, earlierFile)
      const addresses = (await isJson(file)) ? addressesIn(await readFile(file, 'utf8'), url) : null
      if (addresses === null) await this.#importFrom(url, file, fetched)
      else if (!this.#options.isDry) await this.#remember(url, { ...fetched, listed: [...addresses] })
      return addresses
    } finally {
      await rm(file, { force: true })
    }
  }

  #unchanged(url: string, fetched: FetchedFile | null): readonly string[] | null {
    if (fetched?.listed !== undefined) return fetched.listed
    this.#report(url, { outcome: 'unchanged', subject: '' })
    return null
  }

  async #file(url: string): Promise<void> {
    if (this.#seen.has(url)) return
    this.#seen.add(url)
    await this.#fetchAndUse(url, (file, fetched) => this.#importFrom(url, file, fetched))
  }

  async #fetchAndUse(url: string, use: (file: string, fetched: Download) => Promise<void>): Promise<void> {
    const earlierFile = this.#known(url)
    if (this.#options.isDry) {
      const changed = await this.#downloader.hasChanged(url, earlierFile)
      this.#report(url, { outcome: changed ? 'would be fetched' : 'unchanged', subject: '' })
      return
    }
    const file = this.#draft(url)
    try {
      const fetched = await this.#downloader.fetch(url, earlierFile, file)
      if (fetched === null || (await this.#isKnown(url, fetched)))
        this.#report(url, { outcome: 'unchanged', subject: '' })
      else await use(file, fetched)
    } finally {
      await rm(file, { force: true })
    }
  }

  async #importFrom(url: string, file: string, fetched: Download): Promise<void> {
    if (this.#options.isDry) {
      this.#report(url, { outcome: 'would be fetched', subject: `${fetched.bytes} bytes` })
      return
    }
    await this.#importOnce(url, fetched, () =>
      this.#targets.library(file, (result) => {
        this.#report(url, result)
      }),
    )
  }

  /**
   * Whether the content is the same as before: some servers send no ETag or date, or a new one for the same file. A new
   * ETag or date is stored, so that the next run need not transfer the file.
   */
  async #isKnown(url: string, fetched: Download): Promise<boolean> {
    const earlierFile = this.#known(url)
    if (earlierFile?.sha256 !== fetched.sha256) return false
    const hasNewTag = earlierFile.etag !== fetched.etag || earlierFile.last_modified !== fetched.last_modified
    if (hasNewTag && !this.#options.isDry) await this.#remember(url, { ...earlierFile, ...fetched })
    return true
  }

  /** A file that is refused for its content stays refused until the file changes. */
  async #importOnce(url: string, fetched: Download, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof Refusal) || !isAboutFile(error)) throw error
      this.#report(url, { outcome: 'refused', subject: `${error.message} [${error.code}]` })
    }
    await this.#remember(url, fetched)
  }

  /** An address that cannot be fetched does not stop the others. */
  async #attempt<T>(url: string, work: () => Promise<T>): Promise<T | undefined> {
    this.#options.onUrl(url)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Refusal) || isStorageRefusal(error)) throw error
      const reason = error.message.replace(`${url}: `, '')
      this.#report(url, { outcome: 'refused', subject: `${reason} [${error.code}]` })
      return undefined
    }
  }

  #known(url: string): FetchedFile | null {
    return this.#state.fetched[url] ?? null
  }

  /** Keeps the ending of the address, which shows the format. */
  #draft(url: string): string {
    return join(this.#options.folder, `fetched-${process.pid}-${fileNameOf(url).slice(-100)}`)
  }

  #report(url: string, result: ImportResult): void {
    this.lines.push({ ...result, url })
  }

  async #remember(url: string, { bytes: _bytes, ...fetched }: Download): Promise<void> {
    this.#state.fetched[url] = fetched
    await this.#save()
  }

  #save(): Promise<void> {
    return writeState(this.#options.folder, this.#state)
  }
}

function fileNameOf(url: string): string {
  return basename(new URL(url).pathname).replaceAll(/[^\w.-]/g, '_')
}

/** Whether a refusal is about the content of the file, and not about the disk, the database or another process. */
function isAboutFile({ code }: Refusal): boolean {
  return REFUSALS[code].status < 500 && code !== 'folder_unusable'
}

async function isJson(file: string): Promise<boolean> {
  if ((await stat(file)).size > MAX_JSON) return false
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0)
    return /^\uFEFF?\s*[[{]/.test(buffer.toString('utf8', 0, bytesRead))
  } finally {
    await handle.close()
  }
}
