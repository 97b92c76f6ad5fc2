import { describe, expect, it } from 'vitest'
import { version } from '../../../../src/ontology/views/version/version.ts'
import { manifestOf, openTurtle } from '../../../support/release.ts'

describe('The version view', () => {
  it('states version, date as an instant, and digest of the release', async () => {
    const release = await openTurtle(':A rdfs:label "A" .')
    expect(await version.answer(release)).toStrictEqual({
      version: '1.2.3',
      release_date: '2026-01-31T00:00:00.000Z',
      ontology_version: '1.2.3',
      ontology_hash_sha256: manifestOf().sha256,
    })
  })

  it('is compact JSON without a final line break', async () => {
    const release = await openTurtle(':A rdfs:label "A" .')
    const text = [...version.format.write(await version.answer(release))].join('')
    expect(text).toMatch(/^\{"version":"1\.2\.3","release_date":"[^ ]+\}$/)
  })
})
