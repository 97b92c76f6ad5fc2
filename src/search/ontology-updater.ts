import type { SearchSources } from '../contracts/search-feed.ts'
import type { OntologyContent } from '../contracts/sources.ts'
import type { SupervisedThread } from '../platform/threads/supervised-thread.ts'
import type { SearchExchanges } from './thread/protocol.ts'

/** A release that could not be read is tried again after this time. */
const RETRY_MS = 5000

/** Sends the served release of the ontology to a search thread, and later ones when they are served. */
export class OntologyUpdater {
  readonly #sources: Pick<SearchSources<never>, 'ontology' | 'log'>
  /** The digest of the release that the thread has. */
  #release: string | null = null
  #isSending = false
  #mayRetryAt = 0

  constructor(sources: Pick<SearchSources<never>, 'ontology' | 'log'>) {
    this.#sources = sources
  }

  /** Sends the served release to a new thread, unless the thread has read it from its file. */
  async begin(thread: SupervisedThread<SearchExchanges>, release: string | null): Promise<void> {
    this.#release = release
    await this.#send(thread)
  }

  /** Sends a newly served release. While the thread indexes it, queries are answered from the previous one. */
  async follow(thread: SupervisedThread<SearchExchanges>): Promise<void> {
    if (this.#isSending || Date.now() < this.#mayRetryAt) return
    this.#isSending = true
    try {
      await this.#send(thread)
    } catch (error) {
      // The end of a thread is logged by its owner.
      if (!thread.alive) return
      this.#mayRetryAt = Date.now() + RETRY_MS
      const message = 'The search cannot read the active release. It answers from the previous one.'
      this.#sources.log.warn({ err: error }, message)
    } finally {
      this.#isSending = false
    }
  }

  async #send(thread: SupervisedThread<SearchExchanges>): Promise<void> {
    if (this.#servedRelease === this.#release) return
    const content = await this.#servedContent()
    await thread.ask('ontology', content)
    // If another thread has replaced this one, it has reported its own release.
    if (thread.alive) this.#release = content?.digest ?? null
  }

  /** The digest of the release that is served; null if none is. */
  get #servedRelease(): string | null {
    return this.#sources.ontology?.current()?.digest ?? null
  }

  async #servedContent(): Promise<OntologyContent | null> {
    const { ontology } = this.#sources
    return ontology === null || this.#servedRelease === null ? null : ontology.content()
  }
}
