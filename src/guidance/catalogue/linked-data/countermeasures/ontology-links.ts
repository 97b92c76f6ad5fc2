import type { ControlAssertions, OntologyControls, OntologyReleases } from '../../../../contracts/sources.ts'
import { messageOf } from '../../../../platform/errors.ts'
import { getOrMake } from '../../../../platform/get-or-make.ts'
import type { Log } from '../../../../platform/log.ts'
import { controlsUnavailable, isSameRelease } from '../graph/project-controls.ts'
import { ControlLinks } from './control-links.ts'

interface OntologyLinksParts {
  /** Null: there are no links. */
  readonly ontology: (OntologyControls & { readonly stored: OntologyReleases }) | null
  readonly log: Log
}

/** Caches the links of the active release. */
export class OntologyLinks {
  readonly #parts: OntologyLinksParts
  #latest: ControlLinks | null = null
  /** The links of earlier releases are kept as long as the releases are open. */
  readonly #older = new WeakMap<ControlAssertions, ControlLinks>()

  constructor(parts: OntologyLinksParts) {
    this.#parts = parts
  }

  /** Returns the links of a release by its version; null stands for the active one. */
  async of(version: string | null): Promise<ControlLinks | null> {
    const { ontology } = this.#parts
    if (version === null || ontology === null) return this.current()
    const assertions = await ontology.stored.at(version).controls()
    return getOrMake(this.#older, assertions, () => new ControlLinks(assertions))
  }

  /**
   * Returns the links of the active release; null without one. If the ontology cannot be read now, returns the links of
   * the last release, and refuses if there are none.
   */
  async current(): Promise<ControlLinks | null> {
    const { ontology, log } = this.#parts
    const current = ontology === null ? null : await ontology.opened()
    if (ontology === null || current === null) this.#latest = null
    else if (!isSameRelease(current, this.#latest))
      try {
        this.#latest = new ControlLinks(await ontology.controls())
      } catch (error) {
        log.error({ error: messageOf(error) }, 'The controls of the ontology cannot be read')
        if (this.#latest === null) throw controlsUnavailable()
      }
    return this.#latest
  }
}
