import { expect, it } from 'vitest'
import { z } from 'zod'
import { analyticTechnique, technique } from '../../../../src/ontology/views/technique/technique.ts'
import { nodesOf, rowsOf, sectionOf } from '../../../support/answers.ts'
import { d3fIri, openFixture } from '../../../support/release.ts'

const membersOf = (answer: unknown): readonly string[] => Object.keys(z.record(z.string(), z.unknown()).parse(answer))

it('An analytic technique with an identifier has the shape of a technique, without artifacts', async () => {
  const release = await openFixture('families')
  expect([...analyticTechnique.members(release).keys()]).toStrictEqual(['d3f:Adding', 'd3f:Counting'])
  const answer = await analyticTechnique.answer(release, d3fIri('Counting'))
  const defensive = await technique.answer(release, d3fIri('Guarding'))
  expect(membersOf(answer)).toStrictEqual(membersOf(defensive))
  expect(nodesOf(sectionOf(answer, 'description'))).toMatchObject([{ 'd3f:d3fend-id': 'D3A-C' }])
  expect(nodesOf(sectionOf(answer, 'subtechniques'))).toStrictEqual([])
  expect(rowsOf(sectionOf(answer, 'digital_artifacts'))).toStrictEqual([])
})
