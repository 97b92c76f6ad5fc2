import { Refusal } from '../../platform/errors.ts'

const BY_EXTENSION: Readonly<Record<string, string>> = {
  ttl: 'text/turtle',
  nt: 'application/n-triples',
  nq: 'application/n-quads',
  trig: 'application/trig',
  rdf: 'application/rdf+xml',
  owl: 'application/rdf+xml',
  xml: 'application/rdf+xml',
  jsonld: 'application/ld+json',
  json: 'application/ld+json',
}

const MEDIA_TYPES = new Set(Object.values(BY_EXTENSION))

/** The Accept header of requests for sources. */
export const ACCEPT = [...MEDIA_TYPES, '*/*;q=0.1'].join(', ')

/** Formats by the name that `--format` takes. */
export const FORMATS: readonly string[] = Object.keys(BY_EXTENSION)

interface FormatHints {
  readonly name: string
  readonly format?: string | undefined
  readonly contentType?: string | undefined
}

/**
 * Detects the media type of a source: from the caller's option, else the server's header, else the file name, else the
 * first characters. The headers `text/plain` and `text/xml` are ignored, because they are too general.
 */
export function detectMediaType(document: Uint8Array, { name, format, contentType }: FormatHints): string {
  if (format !== undefined) return byFormat(format)
  const declared = (contentType ?? '').replace(/;.*$/, '').trim().toLowerCase()
  if (MEDIA_TYPES.has(declared)) return declared
  const detected = byName(name) ?? sniff(document)
  if (detected !== null) return detected
  throw new Refusal(
    'source_format_unknown',
    `${name}: its format cannot be recognised from name or content` +
      `${declared === '' ? '' : ` (the server calls it ${declared})`}. ` +
      `Give it with --format (${FORMATS.join(', ')}).`,
  )
}

function byName(name: string): string | undefined {
  const path = name.replace(/[?#].*$/, '').replace(/\.gz$/i, '')
  const extension = /\.([a-z]+)$/i.exec(path)?.[1] ?? ''
  return BY_EXTENSION[extension.toLowerCase()]
}

function byFormat(format: string): string {
  const mediaType = BY_EXTENSION[format.toLowerCase()]
  if (mediaType !== undefined) return mediaType
  throw new Refusal('source_format_unknown', `--format ${format}: unknown format. Known: ${FORMATS.join(', ')}.`)
}

/** Recognises only certain cases: XML, JSON, or the directives and absolute IRIs at the beginning of Turtle. */
function sniff(document: Uint8Array): string | null {
  const start = new TextDecoder().decode(document.subarray(0, 4096)).trimStart()
  if (/^<(\?xml|rdf:RDF|!--)/.test(start)) return 'application/rdf+xml'
  if (/^[[{]\s*["{[]/.test(start)) return 'application/ld+json'
  const code = start.replace(/^(#.*\n\s*)+/, '')
  if (/^(@prefix|@base|PREFIX|BASE)\b/i.test(code)) return 'application/trig'
  if (!/^(<[^>\s]*>|_:\S+)\s/.test(code)) return null
  return isLineBased(code) ? 'application/n-quads' : 'application/trig'
}

/** Whether each line is one statement, as in N-Triples and N-Quads; the last line may be cut off. */
function isLineBased(code: string): boolean {
  const lines = code.split('\n').map((line) => line.trim())
  const statements = lines.filter((line) => line !== '' && !line.startsWith('#'))
  const whole = statements.length > 1 ? statements.slice(0, -1) : statements
  return whole.every((line) => /^(<[^>\s]*>|_:\S+)\s+<[^>\s]*>\s.*\.(\s*#.*)?$/.test(line))
}
