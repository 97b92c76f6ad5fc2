/** The page of a technique at MITRE; null for attacks that are not of ATT&CK. */
export function pageAtMitre(id: string): string | null {
  const [, technique, sub] = /^(T\d{4})(?:\.(\d{3}))?$/.exec(id) ?? []
  if (technique === undefined) return null
  return `https://attack.mitre.org/techniques/${technique}/${sub === undefined ? '' : `${sub}/`}`
}

/** The names of the sources that a text of ATT&CK cites, each once. */
export function citationsIn(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(/\(Citation: ([^)]*)\)/g), ([, name = '']) => name.trim()))]
}

/** A text of ATT&CK without the names of its sources, which are listed below it. */
export function withoutCitations(text: string): string {
  return text.replaceAll(/ ?\(Citation: [^)]*\)/g, '')
}
