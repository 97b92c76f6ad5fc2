/** Names of the kinds of records; an unknown kind keeps its name in the API. */
const NAMES: Readonly<Record<string, string>> = {
  technique: 'Technique',
  'offensive-technique': 'Attack',
  cci: 'CCI',
  requirement: 'SRG requirement',
  'authored-rule': 'Rule in work',
}

/** The shapes of `.kind` in styles/badges.css; other kinds have a square. */
const SHAPES: Readonly<Record<string, string>> = {
  technique: 'technique',
  'offensive-technique': 'attack',
  artifact: 'artifact',
  weakness: 'control',
  cci: 'control',
  control: 'control',
  rule: 'rule',
  'authored-rule': 'rule',
  requirement: 'requirement',
}

export function kindName(kind: string): string {
  const name = NAMES[kind] ?? kind.replaceAll('-', ' ')
  return name.charAt(0).toUpperCase() + name.slice(1)
}

export function kindShape(kind: string): string {
  return SHAPES[kind] ?? ''
}
