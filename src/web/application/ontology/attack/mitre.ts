/** The page of a technique at MITRE; null for attacks that are not of ATT&CK. */
export function pageAtMitre(id: string): string | null {
  const [, technique, sub] = /^(T\d{4})(?:\.(\d{3}))?$/.exec(id) ?? []
  if (technique === undefined) return null
  return `https://attack.mitre.org/techniques/${technique}/${sub === undefined ? '' : `${sub}/`}`
}

/** A text of ATT&CK without the names of its sources, which are listed below it. */
export function withoutCitations(text: string): string {
  return text.replaceAll(/ ?\(Citation: [^)]*\)/g, '')
}
