import { expect, it } from 'vitest'
import { progress } from '../../../../src/ontology/views/progress/progress.ts'
import { d3fIri, openFixture } from '../../../support/release.ts'

const uri = (name: string): unknown => ({ type: 'uri', value: d3fIri(name) })
const literal = (value: string): unknown => ({ type: 'literal', value })

it('Progress counts techniques by their relations to artifacts, and artifacts by their sources', async () => {
  expect(await progress.answer(await openFixture('families'))).toStrictEqual({
    techniques_count: 3,
    techniques_with_artifacts_count: 1,
    techniques_without_artifacts_count: 2,
    otechniques_count: 2,
    otechniques_with_artifacts_count: 1,
    otechniques_without_artifacts_count: 1,
    artifacts_count: 5,
    techniques_with_artifacts: [{ technique: uri('Guarding') }],
    techniques_without_artifacts: [
      { technique: uri('Barring'), label: literal('Barring') },
      { technique: uri('DefensiveTechnique'), label: literal('Defensive Technique') },
    ],
    // The root of the artifacts counts as one.
    otechniques_with_artifacts: [{ technique: uri('T1') }],
    otechniques_without_artifacts: [{ technique: uri('OffensiveTechnique'), label: literal('Offensive Technique') }],
    artifacts: [
      { artifact: uri('BackDoor'), comment: literal('Painted.') },
      { artifact: uri('BackDoor'), comment: literal('Rarely used.') },
      { artifact: uri('DigitalArtifact') },
      { artifact: uri('Door'), definition: { type: 'uri', value: 'http://x.example/door' } },
      { artifact: uri('Keyhole') },
    ],
    artifacts_without_definitions: [
      { artifact: uri('BackDoor'), comment: literal('Painted.') },
      { artifact: uri('BackDoor'), comment: literal('Rarely used.') },
      { artifact: uri('DigitalArtifact') },
      { artifact: uri('Keyhole') },
    ],
    artifacts_without_definitions_count: 4,
  })
})
