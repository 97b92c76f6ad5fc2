import type { OntologyControls, OntologyRelease } from '../../../../contracts/sources.ts'
import { messageOf } from '../../../../platform/errors.ts'
import type { Log } from '../../../../platform/log.ts'
import { ControlLinks } from './control-links.ts'

interface OntologyLinksParts {
  /** Null: there are no links. */
  readonly ontology: OntologyControls | null
  readonly log: Log
}

/** The links of the release that is served, worked out once. */
export class OntologyLinks {
  readonly #parts: OntologyLinksParts
  #known: ControlLinks | null = null

  constructor(parts: OntologyLinksParts) {
    this.#parts = parts
  }

  /** Null without a release. If the ontology cannot be read now, the earlier links stay. */
  async current(): Promise<ControlLinks | null> {
    const { ontology, log } = this.#parts
    const current = ontology?.current() ?? null
    if (ontology === null || current === null) this.#known = null
    else if (!isSame(current, this.#known))
      try {
        this.#known = new ControlLinks(await ontology.controls())
      } catch (error) {
        log.error({ error: messageOf(error) }, 'The controls of the ontology cannot be read')
      }
    return this.#known
  }
}

function isSame(a: OntologyRelease, b: OntologyRelease | null): boolean {
  return a.digest === b?.digest && a.version === b.version
}
