import type { Role } from '../../src/guidance/database/schema/memberships.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { readAuthorisationTable, type Row } from './authorisation-table.ts'
import { alter } from './guidance-records.ts'
import type { Client, GuidanceUnderTest, Person } from './guidance.ts'
import type { OidcServer } from './oidc-server.ts'
import { addressOf, samplesOf, type SampleRequest } from './sample-requests.ts'

/** One method of a row of the authorisation table. */
export type Call = Row & { readonly method: string }

export interface Caller {
  readonly person: Person
  readonly client: Client
  /** Headers that authenticate the caller. */
  readonly headers: Readonly<Record<string, string>>
}

export function titledCalls(): readonly (readonly [string, Call])[] {
  return readAuthorisationTable().flatMap((row) =>
    row.methods.map((method) => {
      const title = `${method} ${row.path} ${row.case}`.trim()
      return [title, { ...row, method }] as const
    }),
  )
}

/** Operations that end the session or the account of the caller. */
const SPENDING = new Set(['signIn', 'finishSignIn', 'signInWithLdap', 'signOut', 'deleteOwnAccount'])

/** Creates callers and requests for one service. Each call has its own people and records. */
export class CallMaker {
  readonly #guidance: GuidanceUnderTest
  readonly #oidc: OidcServer | null
  #people = 0

  constructor(guidance: GuidanceUnderTest, oidc: OidcServer | null = null) {
    this.#guidance = guidance
    this.#oidc = oidc
  }

  endpoint({ methods, path }: Pick<Row, 'methods' | 'path'>): Endpoint {
    const { endpoints } = this.#guidance.service.guidance
    const methodList = methods.join(', ')
    const endpoint = endpoints.find((candidate) => candidate.path === path && methodsOf(candidate) === methodList)
    if (endpoint === undefined) throw new Error(`There is no ${methodList} ${path}`)
    return endpoint
  }

  isSpending(row: Row): boolean {
    return SPENDING.has(this.endpoint(row).operation)
  }

  /**
   * A request that succeeds for permitted callers, with new records. The result says whether it concerns the caller's
   * own records, which nobody else can address.
   */
  async request(
    row: Row,
    caller: Person,
    project: () => Promise<number> = () => this.project([[caller, 'admin']]),
  ): Promise<SampleRequest & { readonly address: string; readonly isOwn: boolean }> {
    const name = `${this.endpoint(row).operation} ${row.case}`.trim()
    const sample = samplesOf(this.endpoint(row).operation).find(([operation]) => operation === name)?.[1]
    if (sample === undefined) throw new Error(`There is no sample request for ${name}`)
    const someone = (): Promise<Person> => this.person()
    let isOwn = false
    const request = await sample({
      guidance: this.#guidance,
      project,
      someone,
      oidc: this.#oidc,
      get caller() {
        isOwn = true
        return caller
      },
    })
    return { ...request, address: addressOf(row.path, request), isOwn }
  }

  /** A new person by session. */
  async session(admin = false): Promise<Caller & { readonly csrfToken: string }> {
    const person = await this.person(admin)
    const client = await this.#guidance.signIn(person.email)
    const { cookie, csrfToken } = client
    return { person, client, csrfToken, headers: { Cookie: cookie, 'X-CSRF-Token': csrfToken } }
  }

  person(admin = false): Promise<Person> {
    this.#people += 1
    return this.#guidance.person(`Person-${this.#people}`, { admin })
  }

  /** A project with these members, added without audit entries. */
  project(
    members: readonly (readonly [Person, Role])[],
    visibility: 'hidden' | 'discoverable' = 'hidden',
  ): Promise<number> {
    const now = new Date().toISOString()
    return alter(this.#guidance, async (writer) => {
      const { id } = await writer
        .insertInto('projects')
        .values({
          name: 'Project',
          name_key: 'project',
          description: null,
          description_key: null,
          visibility,
          metadata: '{}',
          created_at: now,
          updated_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const seats = members.map(([person, role]) => ({
        user_id: person.id,
        project_id: id,
        role,
        created_at: now,
        updated_at: now,
      }))
      await writer.insertInto('memberships').values(seats).execute()
      return id
    })
  }
}

export function methodsOf({ methods }: Endpoint): string {
  return methods.map((method) => method.toUpperCase()).join(', ')
}
