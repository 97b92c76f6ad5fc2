const DECLARATIONS = [
  // Turtle and TriG, both spellings.
  /^[ \t]*(?:@prefix|PREFIX)[ \t]+([\w.-]*):[ \t]*<([^>\s]+)>/gim,
  // RDF/XML namespaces and JSON-LD context entries.
  /\bxmlns:([\w.-]+)="([^"]+)"/g,
  /"([\w.-]+)"\s*:\s*"([a-z][a-z0-9+.-]*:[^"\s]*[#/:])"/gi,
]

/**
 * The namespace prefixes that a document declares, first declaration first. They only shorten names, so
 * finding them by a pattern is good enough: one too many does no harm.
 */
export function declaredPrefixes(document: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const declaration of DECLARATIONS) {
    for (const [, prefix, namespace] of document.matchAll(declaration)) {
      if (prefix === undefined || prefix === '' || namespace === undefined) continue
      if (!found.has(prefix)) found.set(prefix, namespace)
    }
  }
  return found
}
