import { SaxesParser } from 'saxes'
import { Refusal } from '../../../platform/errors.ts'

/** Reads an OASIS XML catalog: the file of each imported ontology, relative to the catalog, by IRI. */
export function readCatalog(file: string, text: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  const parser = new SaxesParser()
  const refuse = (reason: string): Refusal =>
    new Refusal('source_syntax', `${file}, line ${parser.line}, column ${parser.column + 1}: ${reason}.`)
  parser.on('doctype', () => {
    throw refuse('a document type declaration (DTD) is not accepted')
  })
  parser.on('error', (error) => {
    throw refuse(error.message.replace(/^\d+:\d+: /, ''))
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (name !== 'uri') return
    const { name: iri, uri } = attributes
    if (typeof iri !== 'string' || typeof uri !== 'string') throw refuse('an entry needs name and uri')
    if (/^[a-z]+:|^\//i.test(uri)) throw refuse(`${uri} is not a file beside the catalog`)
    files.set(iri, decodeURI(uri))
  })
  parser.write(text).close()
  return files
}
