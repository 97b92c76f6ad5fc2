// @module-tag long

import { describe, it } from 'vitest'
import { z } from 'zod'
import { Refusal } from '../../../src/platform/errors.ts'
import { hasW3cSuites } from '../../support/corpus.ts'
import { addressOf, bytesAt, readFileAt, saySame } from './files.ts'
import { expectToPass, type Exclusions } from './run.ts'

const EXCLUDED: Exclusions = {
  'A remote context is not fetched, so the document is refused before anything else in it is looked at.': [
    'tc031',
    'tc034',
    'te126',
    'te127',
    'te128',
    'tso01',
    'tso03',
    'tso05',
    'tso06',
    'tso07',
    'tso08',
    'tso09',
    'tso10',
    'tso11',
    'tso12',
  ],
  'A string with a direction is refused, where JSON-LD leaves the direction out.': ['tdi02', 'tdi04', 'tdi05', 'tdi06'],
  'There is no option for directions (rdfDirection), which is not normative.': ['tdi09', 'tdi10', 'tdi11', 'tdi12'],
  'There is no option for a context beside the document (expandContext).': ['te077'],
  'There is no option for JSON-LD 1.0 (processingMode): these are errors there, and fine in 1.1.': [
    'tc029',
    'tep02',
    'ter21',
    'ter42',
    'ttn01',
  ],
  'A blank node as a property is no RDF.': ['te075'],
  'Oxigraph leaves dot segments of the path of @base in what is resolved against it.': [
    't0122',
    't0123',
    'te062',
    'te091',
  ],
  'Oxigraph refuses a @base that is no IRI, where JSON-LD leaves out what is resolved against it.': ['tli12'],
  'Oxigraph loses the context of a type in a map of types within whose values there is a map by @index.': ['tc013'],
}

const manifest = z.object({
  sequence: z.array(
    z.object({
      '@id': z.string(),
      '@type': z.array(z.string()),
      input: z.string(),
      expect: z.string().optional(),
      expectErrorCode: z.string().default(''),
      option: z.object({ specVersion: z.string().optional(), base: z.string().optional() }).default({}),
    }),
  ),
})

type JsonLdTest = z.output<typeof manifest>['sequence'][number]

/** Tests of JSON-LD 1.0 alone contradict JSON-LD 1.1. */
function toRdfTests(): readonly JsonLdTest[] {
  const text = bytesAt(address('toRdf-manifest.jsonld')).toString()
  const { sequence } = manifest.parse(JSON.parse(text))
  return sequence.filter(({ option }) => option.specVersion !== 'json-ld-1.0')
}

function address(path: string): string {
  return addressOf('json-ld-api', `tests/${path}`)
}

async function faultOf(test: JsonLdTest): Promise<string | null> {
  const { input, expect, option } = test
  const base = option.base ?? address(input)
  if (test['@type'].includes('jld:NegativeEvaluationTest')) return acceptedFault(test, base)
  const read = readFileAt(address(input), base).graph.dump()
  if (expect === undefined || (await saySame(read, readFileAt(address(expect)).graph.dump()))) return null
  return `It says something else: ${read}`
}

/** A document that is refused for its remote context has not been looked at any further. */
function acceptedFault({ input, expectErrorCode }: JsonLdTest, base: string): string | null {
  try {
    return `It was read: ${readFileAt(address(input), base).graph.dump()}`
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'source_syntax') throw error
    const isRemote = error.message.includes('is not fetched')
    return isRemote && !expectErrorCode.includes('remote context') ? error.message : null
  }
}

describe.skipIf(!hasW3cSuites)('An ingest', () => {
  it('reads JSON-LD as the W3C suite requires', async () => {
    const tests = toRdfTests().map((test) => ({ name: test['@id'].slice(1), fault: () => faultOf(test) }))
    await expectToPass('JSON-LD', tests, EXCLUDED)
  })
})
