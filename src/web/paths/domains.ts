/** The usual names of the domains of attacks. */
export const DOMAIN_NAMES = {
  'enterprise-attack': 'ATT&CK Enterprise',
  'mobile-attack': 'ATT&CK Mobile',
  'ics-attack': 'ATT&CK ICS',
  atlas: 'ATLAS',
  sparta: 'SPARTA',
} as const

export function domainName(domain: string): string {
  return Object.entries(DOMAIN_NAMES).find(([name]) => name === domain)?.[1] ?? domain
}
