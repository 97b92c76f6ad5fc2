/** A syntax of RDF. */
export interface Syntax {
  readonly label: string
  readonly mediaType: string
  /** The Content-Type header; text types have a charset. */
  readonly contentType: string
  /** File extension, without a dot. */
  readonly extension: string
}

function syntax(label: string, mediaType: string, extension: string): Syntax {
  const isText = mediaType.startsWith('text/')
  return {
    label,
    mediaType,
    contentType: isText ? `${mediaType}; charset=utf-8` : mediaType,
    extension,
  }
}

/** The syntaxes that graphs are written in. A JSON-LD document names its profile beside its media type. */
export const SYNTAXES = {
  turtle: syntax('Turtle', 'text/turtle', 'ttl'),
  nTriples: syntax('N-Triples', 'application/n-triples', 'nt'),
  nQuads: syntax('N-Quads', 'application/n-quads', 'nq'),
  rdfXml: syntax('RDF/XML', 'application/rdf+xml', 'rdf'),
  jsonLd: syntax('JSON-LD', 'application/ld+json', 'jsonld'),
} as const

export type SyntaxName = keyof typeof SYNTAXES
