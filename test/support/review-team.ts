import { beforeAll } from 'vitest'
import { z } from 'zod'
import { reviewSchema, type Review } from '../../src/guidance/authoring/reviews/records/schemas.ts'
import type { ComponentsTable } from '../../src/guidance/database/schema/components.ts'
import type { Role } from '../../src/guidance/database/schema/memberships.ts'
import { ROLES } from '../../src/guidance/parts/project-access.ts'
import { makeComponent, satisfy, storeSrg, type MadeComponent } from './authoring.ts'
import { setRows } from './guidance-records.ts'
import type { Answer, GuidanceUnderTest, Person, SessionClient } from './guidance.ts'

export interface Member {
  readonly person: Person
  readonly client: SessionClient
}

export type Team = Readonly<Record<Role | 'other' | 'stranger' | 'site', Member>>

interface CommentPair {
  readonly componentId: number
  readonly rules: readonly number[]
  readonly first: Review
  readonly second: Review
}

/** A project with one person of each role, another viewer, a stranger and a site administrator. */
export class ReviewTeam {
  readonly #guidance: () => GuidanceUnderTest
  #team: Team | null = null
  #projectId = 0
  #srgId = 0

  constructor(guidance: () => GuidanceUnderTest) {
    this.#guidance = guidance
    beforeAll(async () => {
      const team = {
        viewer: await this.#join('Vera'),
        author: await this.#join('Arthur'),
        reviewer: await this.#join('Rita'),
        admin: await this.#join('Ada'),
        other: await this.#join('Otto'),
        stranger: await this.#join('Stan'),
        site: await this.#join('Root', true),
      }
      this.#projectId = await guidance().project(team.site.client)
      for (const role of ROLES) await guidance().member(this.#projectId, team[role].person, role)
      await guidance().member(this.#projectId, team.other.person, 'viewer')
      this.#srgId = await storeSrg(guidance(), 'stig', 3)
      this.#team = team
    })
  }

  get people(): Team {
    if (this.#team === null) throw new Error('Nobody is there yet')
    return this.#team
  }

  get projectId(): number {
    return this.#projectId
  }

  /** A new component with three rules. */
  component(): Promise<MadeComponent> {
    const { projectId, people } = this
    return makeComponent(this.#guidance(), people.admin.person, { projectId, srgId: this.#srgId })
  }

  async setPhase(id: number, phase: Pick<ComponentsTable, 'comment_phase' | 'closed_reason'>): Promise<void> {
    await this.#change(id, phase)
  }

  async release(id: number): Promise<void> {
    await this.#change(id, { released: 1 })
  }

  /** Links a rule to another rule that satisfies it. */
  satisfy(ruleId: number, satisfiedBy: number): Promise<void> {
    return satisfy(this.#guidance(), ruleId, satisfiedBy)
  }

  /** Posts a comment on a rule; the comment. */
  async comment({ client }: Member, ruleId: number, review: Readonly<Record<string, unknown>> = {}): Promise<Review> {
    const body = { review: { action: 'comment', comment: 'Why?', ...review } }
    return reviewOf(await client.call('POST', `/rules/${ruleId}/reviews`, { body }))
  }

  /** Sends a change to an address below `/reviews/`. */
  patch(who: keyof Team, path: string, body?: Readonly<Record<string, unknown>>): Promise<Answer> {
    return this.people[who].client.call('PATCH', `/reviews/${path}`, body && { body })
  }

  /** A new comment of the viewer's on a rule of a new component. */
  async newComment(): Promise<Review> {
    const { rules } = await this.component()
    return this.comment(this.people.viewer, rules[0] ?? 0)
  }

  /** New comments of the viewer's on two rules of a new component. */
  async newPair(): Promise<CommentPair> {
    const { id: componentId, rules } = await this.component()
    const first = await this.comment(this.people.viewer, rules[0] ?? 0)
    const second = await this.comment(this.people.viewer, rules[1] ?? 0)
    return { componentId, rules, first, second }
  }

  async #join(name: string, admin = false): Promise<Member> {
    const person = await this.#guidance().person(name, { admin })
    return { person, client: await this.#guidance().signIn(person.email) }
  }

  async #change(
    id: number,
    changes: Partial<Pick<ComponentsTable, 'comment_phase' | 'closed_reason'>> & { readonly released?: number },
  ): Promise<void> {
    await setRows(this.#guidance(), 'components', changes, { id })
  }
}

const withReview = z.looseObject({ review: reviewSchema })

export function reviewOf({ status, body }: Answer): Review {
  if (status !== 200) throw new Error(`Refused: ${JSON.stringify(body)}`)
  return withReview.parse(body).review
}

/** Status and detail of a refusal, separated by a space. */
export function refusalOf({ status, body }: Answer): string {
  const { detail } = z.looseObject({ detail: z.string().optional() }).parse(body)
  return `${status} ${detail ?? ''}`.trim()
}
