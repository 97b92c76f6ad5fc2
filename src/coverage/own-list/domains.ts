import type { AttackDomain } from '../../contracts/sources.ts'

/** Names of the domains in layers, bundles and tables. */
const DOMAINS: Readonly<Record<string, AttackDomain>> = {
  'enterprise-attack': 'enterprise-attack',
  'mitre-enterprise': 'enterprise-attack',
  'mobile-attack': 'mobile-attack',
  'mitre-mobile': 'mobile-attack',
  'mitre-mobile-attack': 'mobile-attack',
  'ics-attack': 'ics-attack',
  'mitre-ics': 'ics-attack',
  'mitre-ics-attack': 'ics-attack',
  atlas: 'atlas',
  'atlas-atlas': 'atlas',
  'mitre-atlas': 'atlas',
  sparta: 'sparta',
}

/** The domain of a name in a file; null for an unknown name. */
export function domainNamed(name: string): AttackDomain | null {
  const key = name.trim().toLowerCase()
  return Object.hasOwn(DOMAINS, key) ? (DOMAINS[key] ?? null) : null
}
