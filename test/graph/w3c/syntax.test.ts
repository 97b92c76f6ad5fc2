// @module-tag long

import { describe, it } from 'vitest'
import { Refusal } from '../../../src/platform/errors.ts'
import { hasSuites, readFileAt, saySame } from './files.ts'
import { documentTests, type DocumentTest } from './manifest.ts'
import { expectToPass, type Exclusions } from './run.ts'

const SUITES: readonly (readonly [string, string, Exclusions])[] = [
  ['N-Triples', 'rdf-n-triples', {}],
  ['N-Quads', 'rdf-n-quads', {}],
  ['Turtle', 'rdf-turtle', {}],
  ['TriG', 'rdf-trig', {}],
  ['RDF/XML', 'rdf-xml', {}],
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

describe.skipIf(!hasSuites)('An ingest', () => {
  it.each(SUITES)('reads %s as the suite of W3C has it', async (name, folder, excluded) => {
    const tests = await documentTests(folder)
    const all = tests.map((test) => ({ name: test.name, fault: () => faultOf(test) }))
    await expectToPass(name, all, excluded)
  })
})
