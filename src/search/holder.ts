import type { OntologyDocuments } from '../contracts/sources.ts'
import { indexOntology, type Knowledge, type OntologyIndex } from './ontology-index.ts'

/** The index of the release that is served. While another release is read, the old one answers. */
export class IndexHolder {
  readonly #ontology: OntologyDocuments | null
  readonly #knowledge: Knowledge
  #index: OntologyIndex | null = null
  #building: { readonly digest: string | null; readonly index: Promise<OntologyIndex> } | null =
    null

  constructor(ontology: OntologyDocuments | null, knowledge: Knowledge) {
    this.#ontology = ontology
    this.#knowledge = knowledge
  }

  async index(): Promise<OntologyIndex> {
    const digest = digestOf(this.#ontology?.current())
    if (this.#index !== null && digestOf(this.#index.release) === digest) return this.#index
    if (this.#building?.digest !== digest) this.#building = { digest, index: this.#build(digest) }
    const { index } = this.#building
    if (this.#index === null) return index
    // Nobody waits for it. If it fails, the next search tries again.
    index.catch(() => undefined)
    return this.#index
  }

  async #build(digest: string | null): Promise<OntologyIndex> {
    try {
      const content = digest === null ? null : await this.#ontology?.content()
      this.#index = await indexOntology(content ?? null, this.#knowledge)
      return this.#index
    } finally {
      if (this.#building?.digest === digest) this.#building = null
    }
  }
}

function digestOf(release: { readonly digest: string } | null | undefined): string | null {
  return release?.digest ?? null
}
