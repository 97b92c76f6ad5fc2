/** The names of domains of attacks, as people know them. */
export const DOMAIN_NAMES = {
  'enterprise-attack': 'ATT&CK Enterprise',
  'mobile-attack': 'ATT&CK Mobile',
  'ics-attack': 'ATT&CK ICS',
  atlas: 'ATLAS',
  sparta: 'SPARTA',
} as const
