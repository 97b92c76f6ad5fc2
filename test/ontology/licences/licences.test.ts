import { describe, expect, it } from 'vitest'
import { findLicences, licenceLinks } from '../../../src/ontology/licences/licences.ts'
import { openTurtle } from '../../support/release.ts'

const HEAD = `@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
<urn:o> a owl:Ontology ; dcterms:license`

describe('Licences', () => {
  it.each([
    ['<https://creativecommons.org/licenses/by/4.0/>', ['https://creativecommons.org/licenses/by/4.0/']],
    ['"MIT", "MIT"@en', ['https://spdx.org/licenses/MIT']],
    ['"All rights reserved, see the file", [ a owl:Thing ]', []],
  ])('are IRIs, or known by their identifiers: %s', async (stated, expected) => {
    expect(await findLicences(await openTurtle(`${HEAD} ${stated} .`))).toEqual(expected)
  })

  it('are written so that a header can hold them', () => {
    expect(licenceLinks(['https://x.example/ü?a=1'])).toEqual([
      '<https://x.example/%C3%BC?a=1>; rel="license"',
      '</.well-known/void>; rel="describedby"',
    ])
  })
})
