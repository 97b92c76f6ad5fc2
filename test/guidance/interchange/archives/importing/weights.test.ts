import { expect, it } from 'vitest'
import { z } from 'zod'
import { archiveOf, namedSrg, SAMPLE_RULE } from '../../../../support/archive.ts'
import { storeSrg } from '../../../../support/authoring.ts'
import { rowsOf } from '../../../../support/guidance-records.ts'
import { guidanceService } from '../../../../support/guidance.ts'

const service = guidanceService()

const answer = z.object({ warnings: z.array(z.string()) })

it('An archive with an invalid weight reports that the default weight is used', async () => {
  const client = await service().signUp('Ann')
  const based_on = await namedSrg(service(), await storeSrg(service()))
  const weights = ['abc', '2.5', '']
  const rules = weights.map((rule_weight, index) => ({ ...SAMPLE_RULE, rule_id: `00000${index + 1}`, rule_weight }))
  const file = await archiveOf({ based_on }, { rules })
  const projectId = await service().project(client)
  const warnings = ['Pots: weights that are not numbers become 10.0: rules 000001, 000003.']
  for (const fields of [{ dry_run: 'true' }, {}]) {
    const path = `/projects/${projectId}/import_backup`
    const { status, body } = await client.call('POST', path, { form: { file, fields } })
    expect(status).toBe(200)
    expect(answer.parse(body).warnings).toEqual(warnings)
  }
  const stored = await rowsOf(service(), 'rules')
  expect(stored.slice(-3).map((rule) => rule.rule_weight)).toEqual(['10.0', '2.5', '10.0'])
})
