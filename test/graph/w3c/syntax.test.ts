// @module-tag long

import { describe, it } from 'vitest'
import { readNTriples } from '../../../src/graph/syntax/n3.ts'
import { serialise, type SerialiseOptions } from '../../../src/graph/syntax/serialise.ts'
import { SYNTAXES, type SyntaxName } from '../../../src/graph/syntax/syntaxes.ts'
import { Refusal } from '../../../src/platform/errors.ts'
import { hasW3cSuites } from '../../support/corpus.ts'
import { readBytes, readFileAt, saySame } from './files.ts'
import { documentTests, type DocumentTest } from './manifest.ts'
import { expectToPass, type Exclusions } from './run.ts'

const XML_EXCLUDED: Exclusions = {
  'Oxigraph writes all namespaces in scope into an XML literal, not only those that it uses.': [
    'xml-canon-test001',
    'xml-canon-test002',
  ],
}

/** Name, folder, and the tests that do not pass. */
const SUITES: readonly (readonly [string, string, Exclusions])[] = [
  ['N-Triples', 'rdf-n-triples', {}],
  ['N-Quads', 'rdf-n-quads', {}],
  ['Turtle', 'rdf-turtle', {}],
  ['TriG', 'rdf-trig', {}],
  ['RDF/XML', 'rdf-xml', XML_EXCLUDED],
]

async function faultOf({ isNegative, document, expected }: DocumentTest): Promise<string | null> {
  if (isNegative) return acceptedFault(document)
  const read = readFileAt(document).graph.dump()
  if (expected === null || (await saySame(read, readFileAt(expected).graph.dump()))) return null
  return `It says something else: ${read}`
}

function acceptedFault(document: string): string | null {
  try {
    readFileAt(document)
    return 'It was read'
  } catch (error) {
    if (error instanceof Refusal && error.code === 'source_syntax') return null
    throw error
  }
}

/** Only RDF/XML cannot say everything, and is then refused. */
async function writtenFault(document: string, syntax: SyntaxName): Promise<string | null> {
  const { graph, prefixes } = readFileAt(document)
  const read = graph.dump()
  const text = writtenOrNull(read, { syntax, prefixes: Object.fromEntries(prefixes) })
  if (text === null) return syntax === 'rdfXml' ? null : 'It was refused'
  const again = readBytes(Buffer.from(text), SYNTAXES[syntax].extension, document).graph.dump()
  return (await saySame(read, again)) ? null : `It says something else: ${text}`
}

function writtenOrNull(nTriples: string, how: SerialiseOptions): string | null {
  try {
    return [...serialise(readNTriples(nTriples), how)].join('')
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_acceptable') return null
    throw error
  }
}

describe.skipIf(!hasW3cSuites)('An ingest', () => {
  it.each(SUITES)('reads %s as the W3C suite requires', async (name, folder, excluded) => {
    const tests = await documentTests(folder)
    const suiteTests = tests.map((test) => ({ name: test.name, fault: () => faultOf(test) }))
    await expectToPass(name, suiteTests, excluded)
  })
})

describe.skipIf(!hasW3cSuites)('A graph that was read from the W3C suites', () => {
  it.each(['turtle', 'nTriples', 'rdfXml', 'jsonLd'] as const)(
    'says the same when it is written as %s',
    async (syntax) => {
      const suites = await Promise.all(['rdf-n-triples', 'rdf-turtle', 'rdf-xml'].map(documentTests))
      const readable = suites.flat().filter(({ isNegative }) => !isNegative)
      const suiteTests = readable.map(({ name, document }) => ({ name, fault: () => writtenFault(document, syntax) }))
      await expectToPass(`written as ${SYNTAXES[syntax].label}`, suiteTests, {})
    },
  )
})
