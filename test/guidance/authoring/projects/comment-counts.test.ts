import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { componentMember } from '../../../support/authoring.ts'
import { ago, setRows } from '../../../support/guidance-records.ts'
import { guidanceService } from '../../../support/guidance.ts'
import { ReviewTeam, type Member } from '../../../support/review-team.ts'

const guidance = guidanceService()
const team = new ReviewTeam(guidance)

const cards = z.array(
  z.object({
    id: z.int(),
    pending_comment_count: z.int(),
    total_comment_count: z.int(),
    pending_comment_link: z.string().nullable(),
  }),
)

async function figuresFor({ client }: Member): Promise<unknown> {
  const { body } = await client.call('GET', '/projects')
  return cards.parse(body).find(({ id }) => id === team.projectId)
}

function figures(pending: number, total: number, link: string | null): object {
  return { id: team.projectId, pending_comment_count: pending, total_comment_count: total, pending_comment_link: link }
}

describe('GET /projects', () => {
  it('counts pending and all comments, and links to the triage page', async () => {
    const { viewer, author, stranger, site } = team.people
    const [component, other] = [await team.component(), await team.component()]
    const [first = 0, second = 0] = component.rules
    const ofProject = `/projects/${team.projectId}/triage`
    expect(await figuresFor(viewer)).toEqual(figures(0, 0, null))
    const comment = await team.comment(viewer, first)
    await team.comment(author, first, { responding_to_review_id: comment.id })
    const decided = await team.comment(viewer, second)
    await author.client.call('PATCH', `/reviews/${decided.id}/triage`, { body: { triage_status: 'informational' } })
    for (const member of [viewer, site])
      expect(await figuresFor(member)).toEqual(figures(1, 2, `/components/${component.id}/triage`))
    const [elsewhere = 0] = other.rules
    await team.comment(viewer, elsewhere)
    expect(await figuresFor(viewer)).toEqual(figures(2, 3, ofProject))

    await setRows(guidance(), 'projects', { visibility: 'discoverable' }, { id: team.projectId })
    expect(await figuresFor(stranger)).toEqual(figures(0, 0, null))
    await componentMember(guidance(), other.id, { person: stranger.person, role: 'viewer' })
    expect(await figuresFor(stranger)).toEqual(figures(1, 1, `/components/${other.id}/triage`))

    for (const id of [first, elsewhere]) await setRows(guidance(), 'rules', { deleted_at: ago(0) }, { id })
    expect(await figuresFor(viewer)).toEqual(figures(0, 1, ofProject))
  })
})
