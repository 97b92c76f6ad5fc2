import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { toYaml } from '../../../src/http/openapi/yaml.ts'
import { runs } from '../../support/runs.ts'

describe('A document as YAML', () => {
  it('is read unchanged by YAML 1.2 and 1.1', async () => {
    const value = fc.jsonValue({ maxDepth: 4 }).filter((json) => !JSON.stringify(json).includes('__proto__'))
    const words = fc.constantFrom(
      'yes',
      'null',
      'a: b',
      '- a',
      '',
      'T1110',
      '1e3',
      'a #b',
      '~',
      'text/csv',
      '=',
      '<<',
      'E0',
    )
    await fc.assert(
      fc.asyncProperty(fc.oneof(value, fc.array(words), fc.dictionary(words, words)), async (json) => {
        const yaml = await toYaml(json)
        expect(parse(yaml)).toEqual(JSON.parse(JSON.stringify(json)))
        expect(parse(yaml, { version: '1.1', merge: false })).toEqual(JSON.parse(JSON.stringify(json)))
      }),
      { numRuns: runs(100) },
    )
  })
})
