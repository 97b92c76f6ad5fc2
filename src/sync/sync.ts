import { mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Refusal } from '../platform/errors.ts'
import { withLock } from '../platform/files/lock.ts'
import { isStorageRefusal } from '../platform/storage.ts'
import { Downloader, type Download, type DownloadLimits } from './download.ts'
import { listedIn } from './list.ts'
import { readState, writeState, type Fetched, type SyncState } from './state.ts'

/** What became of one address; or of a benchmark in what it had. */
export interface SyncLine {
  readonly outcome: 'unchanged' | 'came' | 'was there' | 'refused' | 'would be fetched'
  /** `RHEL_9_STIG V2R4`, or what was wrong. */
  readonly what: string
  readonly url: string
}

type Brought = Pick<SyncLine, 'outcome' | 'what'>

/** What is made of files that have come. Refusals are about the file; what else is thrown ends the run. */
export interface SyncTargets {
  library(file: string, tell: (brought: Brought) => void): Promise<void>
  ontology(file: string): Promise<Brought>
}

export interface SyncOptions extends DownloadLimits {
  /** Of the state, the lock and files that are being read. */
  readonly folder: string
  /** Zips, XML files, or JSON lists of such. */
  readonly libraries: readonly string[]
  readonly ontology: string | null
  /** Says what would be fetched, and changes nothing. */
  readonly isDry: boolean
  readonly onUrl: (url: string) => void
}

/** Of a list, in bytes. */
const MOST_JSON = 32 * 1024 * 1024

/**
 * Brings what the addresses have that is new. What was fetched is remembered when it has been imported or refused for
 * what it is, so that a run that is cut off is caught up with by the next one. One process at a time.
 */
export async function synchronise(
  options: SyncOptions,
  targets: SyncTargets,
): Promise<readonly SyncLine[]> {
  const { folder } = options
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const terms = { lock: join(folder, '.lock'), held: 'fetches what is new', waitMs: 0 }
  return withLock(terms, async () => {
    const run = new SyncRun(options, targets, await readState(folder))
    await run.begin()
    for (const url of options.libraries) await run.library(url)
    if (options.ontology !== null) await run.ontology(options.ontology)
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

  /** A list is followed to what it names. */
  async library(url: string): Promise<void> {
    const listed = await this.#attempt(url, () => this.#list(url))
    if (listed === undefined) return
    if (listed !== null) for (const one of listed) await this.#attempt(one, () => this.#file(one))
  }

  async ontology(url: string): Promise<void> {
    await this.#attempt(url, () =>
      this.#bring(url, (file, fetched) =>
        this.#use(url, fetched, async () => {
          this.#tell(url, await this.#targets.ontology(file))
        }),
      ),
    )
  }

  /** What a list names; null where the address is no list, but a file, which has been brought then. */
  async #list(url: string): Promise<readonly string[] | null> {
    const known = this.#known(url)
    if (this.#options.isDry && known !== null && known.listed === undefined) {
      await this.#file(url)
      return null
    }
    const file = this.#draft(url)
    const fetched = await this.#downloader.fetch(url, known, file)
    try {
      if (fetched === null) return this.#unchanged(url, known)
      const listed = (await isJson(file)) ? listedIn(await readFile(file, 'utf8'), url) : null
      if (listed === null) await this.#importFrom(url, file, fetched)
      else if (!this.#options.isDry) await this.#remember(url, { ...fetched, listed: [...listed] })
      return listed
    } finally {
      await rm(file, { force: true })
    }
  }

  #unchanged(url: string, known: Fetched | null): readonly string[] | null {
    if (known?.listed !== undefined) return known.listed
    this.#tell(url, { outcome: 'unchanged', what: '' })
    return null
  }

  async #file(url: string): Promise<void> {
    if (this.#seen.has(url)) return
    this.#seen.add(url)
    await this.#bring(url, (file, fetched) => this.#importFrom(url, file, fetched))
  }

  async #bring(
    url: string,
    use: (file: string, fetched: Download) => Promise<void>,
  ): Promise<void> {
    const known = this.#known(url)
    if (this.#options.isDry) {
      const changed = await this.#downloader.hasChanged(url, known)
      this.#tell(url, { outcome: changed ? 'would be fetched' : 'unchanged', what: '' })
      return
    }
    const file = this.#draft(url)
    try {
      const fetched = await this.#downloader.fetch(url, known, file)
      if (fetched !== null && fetched.sha256 !== known?.sha256) await use(file, fetched)
      else this.#tell(url, { outcome: 'unchanged', what: '' })
    } finally {
      await rm(file, { force: true })
    }
  }

  async #importFrom(url: string, file: string, fetched: Download): Promise<void> {
    if (this.#options.isDry) {
      this.#tell(url, { outcome: 'would be fetched', what: `${fetched.bytes} bytes` })
      return
    }
    await this.#use(url, fetched, () =>
      this.#targets.library(file, (brought) => {
        this.#tell(url, brought)
      }),
    )
  }

  /** What a file is refused for will not change before the file does. */
  async #use(url: string, fetched: Download, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof Refusal) || isStorageRefusal(error)) throw error
      this.#tell(url, { outcome: 'refused', what: `${error.message} [${error.code}]` })
    }
    await this.#remember(url, fetched)
  }

  /** One address that cannot be had does not keep the others away. */
  async #attempt<T>(url: string, work: () => Promise<T>): Promise<T | undefined> {
    this.#options.onUrl(url)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Refusal) || isStorageRefusal(error)) throw error
      const said = error.message.replace(`${url}: `, '')
      this.#tell(url, { outcome: 'refused', what: `${said} [${error.code}]` })
      return undefined
    }
  }

  #known(url: string): Fetched | null {
    return this.#state.fetched[url] ?? null
  }

  /** With the ending of the address, which tells the format. */
  #draft(url: string): string {
    const name = basename(new URL(url).pathname).replaceAll(/[^\w.-]/g, '_')
    return join(this.#options.folder, `fetched-${process.pid}-${name.slice(-100)}`)
  }

  #tell(url: string, brought: Brought): void {
    this.lines.push({ ...brought, url })
  }

  async #remember(url: string, { bytes: _bytes, ...fetched }: Download): Promise<void> {
    this.#state.fetched[url] = fetched
    await this.#save()
  }

  #save(): Promise<void> {
    return writeState(this.#options.folder, this.#state)
  }
}

async function isJson(file: string): Promise<boolean> {
  if ((await stat(file)).size > MOST_JSON) return false
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0)
    return /^\uFEFF?\s*[[{]/.test(buffer.toString('utf8', 0, bytesRead))
  } finally {
    await handle.close()
  }
}
