// @module-tag long

import { describe, it } from 'vitest'
import { z } from 'zod'
import { Refusal } from '../../../src/platform/errors.ts'
import { addressOf, bytesAt, hasSuites, readFileAt, saySame } from './files.ts'
import { expectToPass, type Exclusions } from './run.ts'

const EXCLUDED: Exclusions = {}

const manifest = z.object({
  sequence: z.array(
    z.object({
      '@id': z.string(),
      '@type': z.array(z.string()),
      input: z.string(),
      expect: z.string().optional(),
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

async function faultOf({ '@type': types, input, expect, option }: JsonLdTest): Promise<string | null> {
  const base = option.base ?? address(input)
  if (types.includes('jld:NegativeEvaluationTest')) return acceptedFault(input, base)
  const read = readFileAt(address(input), base).graph.dump()
  if (expect === undefined || (await saySame(read, readFileAt(address(expect)).graph.dump()))) return null
  return `It says something else: ${read}`
}

function acceptedFault(input: string, base: string): string | null {
  try {
    return `It was read: ${readFileAt(address(input), base).graph.dump()}`
  } catch (error) {
    if (error instanceof Refusal && error.code === 'source_syntax') return null
    throw error
  }
}

describe.skipIf(!hasSuites)('An ingest', () => {
  it('reads JSON-LD as the suite of W3C has it', async () => {
    const tests = toRdfTests().map((test) => ({ name: test['@id'].slice(1), fault: () => faultOf(test) }))
    await expectToPass('JSON-LD', tests, EXCLUDED)
  })
})
