/** Kinds of records as people call them; a kind that is new is called what the API calls it. */
const NAMES: Readonly<Record<string, string>> = {
  technique: 'defensive technique',
  'offensive-technique': 'attack',
  cci: 'CCI',
  rule: 'rule',
  'authored-rule': 'rule in work',
  benchmark: 'benchmark',
}

export function kindName(kind: string): string {
  return NAMES[kind] ?? kind.replaceAll('-', ' ')
}
