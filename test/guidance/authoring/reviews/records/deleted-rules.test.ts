import { CompiledQuery } from 'kysely'
import { describe, expect, it } from 'vitest'
import { inComponent, inProject, findMatching } from '../../../../../src/guidance/authoring/reviews/records/listing.ts'
import { guidanceService } from '../../../../support/guidance.ts'

const guidance = guidanceService()

describe('The comments of a component or a project', () => {
  it.each([
    ['component', inComponent(1)],
    ['project', inProject(1)],
  ])('are counted without a query for each deleted rule: a %s', async (_name, scope) => {
    const { read } = guidance().service.guidance.database
    const { sql, parameters } = findMatching(read, [scope]).select('reviews.id').compile()
    const { rows } = await read.executeQuery(CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]))
    const plan = JSON.stringify(rows)
    expect(plan).toContain('rules')
    // As SQLite calls what is asked anew for each row.
    expect(plan).not.toContain('CORRELATED')
  })
})
