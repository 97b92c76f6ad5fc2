import { linkText } from '../../catalogue/rule/link-text.ts'

/** A technique that counters an attack, with the CCIs that are linked to it. */
interface CounteringTechnique {
  readonly id: string
  readonly label: string | null
  readonly ccis: readonly Parameters<typeof linkText>[0][]
}

/** The last part of a path: a rule's CCI, its relation to a technique, and the technique. */
export interface RulePath {
  readonly text: string
  readonly technique: string
  readonly label: string
}

/** The paths from the CCIs of a rule to the techniques that counter the attack, each once. */
export function pathsOfRule(techniques: readonly CounteringTechnique[], ccis: readonly string[]): readonly RulePath[] {
  const paths = new Map<string, RulePath>()
  for (const { id, label, ccis: linked } of techniques)
    for (const link of linked.filter(({ cci }) => ccis.includes(cci))) {
      const text = linkText(link)
      paths.set(`${text} ${id}`, { text, technique: id, label: label ?? id })
    }
  return [...paths.values()]
}

/** `accesses Password → a kind of Credential ← regenerates`: a path without its two ends. */
export function wordsOfPath(path: readonly string[]): string {
  return path.slice(1, -1).map(wordOf).join(' ')
}

function wordOf(name: string): string {
  if (name === 'rdfs:subClassOf+') return '→ a kind of'
  if (name === '^rdfs:subClassOf+') return '→ such as'
  if (name.startsWith('^')) return `← ${name.slice(1)}`
  return name.replace(/^d3f:/, '')
}
