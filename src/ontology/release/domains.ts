import { ATTACK_DOMAINS, type AttackDomain } from '../../contracts/sources.ts'
import { compareCodeUnits } from '../../graph/term.ts'
import { d3f } from '../../graph/vocabulary.ts'
import { append } from '../../platform/append.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import type { Hierarchy } from './hierarchy.ts'

interface DomainClasses {
  /** The class above all techniques of a domain, and the one above all of its tactics. */
  readonly technique: string
  readonly tactic: string
}

const CLASSES: Readonly<Record<AttackDomain, DomainClasses>> = {
  'enterprise-attack': { technique: d3f.ATTACKEnterpriseTechnique, tactic: d3f.ATTACKEnterpriseTactic },
  'mobile-attack': { technique: d3f.ATTACKMobileTechnique, tactic: d3f.ATTACKMobileTactic },
  'ics-attack': { technique: d3f.ATTACKICSTechnique, tactic: d3f.ATTACKICSTactic },
  atlas: { technique: d3f.ATLASTechnique, tactic: d3f.ATLASTactic },
  sparta: { technique: d3f.SPARTATechnique, tactic: d3f.SPARTATactic },
}

/** The domain of releases that state none. */
const DEFAULT_DOMAIN: AttackDomain = 'enterprise-attack'

/**
 * The domains of offensive techniques and tactics, by the classes above them. Identifiers do not count, because those of
 * several domains look alike.
 */
export class AttackDomains {
  /** Offensive techniques of all domains without the roots, sorted by IRI. */
  readonly techniques: ReadonlySet<string>
  /** The classes above all techniques, and above those of each domain. */
  readonly roots: ReadonlySet<string>
  /** The domains that have a technique. */
  readonly present: readonly AttackDomain[]
  readonly #stated = new Map<string, AttackDomain>()
  readonly #hierarchy: Hierarchy

  constructor(hierarchy: Hierarchy) {
    this.#hierarchy = hierarchy
    for (const domain of ATTACK_DOMAINS)
      for (const iri of [...hierarchy.below(CLASSES[domain].technique), ...hierarchy.below(CLASSES[domain].tactic)])
        // A class of two domains belongs to the first.
        if (!this.#stated.has(iri)) this.#stated.set(iri, domain)
    this.roots = new Set([d3f.OffensiveTechnique, ...ATTACK_DOMAINS.map((domain) => CLASSES[domain].technique)])
    const below = new Set(Array.from(this.roots, (root) => hierarchy.below(root)).flat())
    this.techniques = new Set([...below].filter((iri) => !this.roots.has(iri)).sort(compareCodeUnits))
    const stated = new Set(Array.from(this.techniques, (iri) => this.of(iri)))
    this.present = ATTACK_DOMAINS.filter((domain) => stated.has(domain))
  }

  /** Returns the domain; null if the subject is not an offensive technique or tactic, or has no stated domain. */
  of(iri: string): AttackDomain | null {
    const stated = this.#stated.get(iri)
    if (stated !== undefined) return stated
    const above = this.#hierarchy.up(iri)
    const isOffensive = above.has(d3f.OffensiveTechnique) || above.has(d3f.OffensiveTactic)
    return isOffensive && this.#stated.size === 0 ? DEFAULT_DOMAIN : null
  }

  /** The class above all techniques of the domain of a technique. */
  rootOf(technique: string): string {
    const domain = this.of(technique)
    return domain === null ? d3f.OffensiveTechnique : CLASSES[domain].technique
  }
}

const domainsByHierarchy = new WeakMap<Hierarchy, AttackDomains>()

export function domainsIn(hierarchy: Hierarchy): AttackDomains {
  return getOrMake(domainsByHierarchy, hierarchy, () => new AttackDomains(hierarchy))
}

/** Offensive techniques by domain; those that state none count as enterprise, as does the root of all. */
export function techniquesByDomain(hierarchy: Hierarchy): ReadonlyMap<AttackDomain, readonly string[]> {
  const domains = domainsIn(hierarchy)
  const iris = new Map<AttackDomain, string[]>()
  for (const iri of [d3f.OffensiveTechnique, ...domains.techniques])
    append(iris, domains.of(iri) ?? DEFAULT_DOMAIN, iri)
  return iris
}
