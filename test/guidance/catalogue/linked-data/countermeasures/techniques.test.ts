import { describe, expect, it } from 'vitest'
import { D3F } from '../../../../../src/graph/vocabulary.ts'
import { findTechnique } from '../../../../../src/guidance/catalogue/linked-data/countermeasures/technique-guidance.ts'
import { refusalOf } from '../../../../support/refusal.ts'
import { controlsOf } from '../sample.ts'

describe('A technique', () => {
  it.each(['d3f:AccountLocking', 'AccountLocking', 'D3-AL', 'd3-al', `${D3F}AccountLocking`])(
    'is found as %s',
    (name) => {
      expect(findTechnique(controlsOf(), name).iri).toBe(`${D3F}AccountLocking`)
    },
  )

  it.each(['d3f:AcountLocking', 'account locking', 'Accountlocking', 'D3-AX'])(
    'misspelt as %s has similar suggestions',
    async (name) => {
      const refusal = await refusalOf(() => findTechnique(controlsOf(), name))
      expect(refusal.code).toBe('subject_not_found')
      expect(refusal.members['did_you_mean']).toContain('d3f:AccountLocking')
      expect(refusal.message).toMatch(/Did you mean d3f:/)
    },
  )

  it.each(['', '!', 'Something entirely different', 'x'.repeat(5000)])(
    'unlike any other has no suggestions: %s',
    async (name) => {
      const refusal = await refusalOf(() => findTechnique(controlsOf(), name))
      expect(refusal.members).toStrictEqual({})
    },
  )
})
