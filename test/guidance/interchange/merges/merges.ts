import { openXlsx, saveXlsx } from 'hucre'
import { beforeAll, expect } from 'vitest'
import { z } from 'zod'
import { requireRule, type AuthoredRule } from '../../../../src/guidance/authoring/rules/reader.ts'
import { mergeSchema, type MergeAnswer, type MergeField } from '../../../../src/guidance/interchange/merges/schemas.ts'
import type { MadeComponent } from '../../../support/authoring.ts'
import {
  type Answer,
  guidanceService,
  type GuidanceUnderTest,
  type Person,
  type SessionClient,
  signedIn,
} from '../../../support/guidance.ts'
import { makeTeapot } from '../exports/teapot.ts'

interface Merging {
  readonly guidance: () => GuidanceUnderTest
  readonly own: () => { readonly client: Person & SessionClient; readonly projectId: number }
  /** A component with a rule of each status. */
  readonly component: () => Promise<MadeComponent>
  readonly exported: (made: MadeComponent, type: string, query?: string) => Promise<Buffer>
  readonly send: (
    made: MadeComponent,
    file: string | Buffer,
    fields?: Readonly<Record<string, string>>,
  ) => Promise<Answer>
  readonly merge: (
    made: MadeComponent,
    file: string | Buffer,
    fields?: Readonly<Record<string, string>>,
  ) => Promise<MergeAnswer>
  readonly act: (made: MadeComponent, id: number, action: 'apply' | 'undo') => Promise<Answer>
  readonly decide: (made: MadeComponent, id: number, ...decisions: readonly object[]) => Promise<Answer>
  readonly edit: (ruleId: number | undefined, rule: object) => Promise<void>
  readonly rule: (ruleId: number | undefined) => Promise<AuthoredRule>
}

/** A service, an author and components for the tests of one file. */
export function merging(): Merging {
  const guidance = guidanceService()
  const client = signedIn(guidance, 'Ann')
  let projectId: number

  beforeAll(async () => {
    projectId = await guidance().project(client)
  })

  const send: Merging['send'] = ({ id }, file, fields = {}) =>
    client.call('POST', `/components/${id}/merges`, { form: { file, fileName: 'returned', fields } })

  return {
    guidance,
    own: () => ({ client, projectId }),
    component: () => makeTeapot(guidance(), client, { projectId }),
    exported: async ({ id }, type, query = '') => {
      const { status, bytes } = await client.call('GET', `/components/${id}/export/${type}${query}`)
      expect(status).toBe(200)
      return Buffer.from(bytes)
    },
    send,
    merge: async (made, file, fields) => {
      const { status, body } = await send(made, file, fields)
      expect([status, body]).toEqual([200, body])
      return mergeSchema.parse(body)
    },
    act: ({ id: componentId }, id, action) => client.call('POST', `/components/${componentId}/merges/${id}/${action}`),
    decide: ({ id: componentId }, id, ...decisions) =>
      client.call('PATCH', `/components/${componentId}/merges/${id}/decisions`, { body: { decisions } }),
    edit: async (ruleId, rule) => {
      const { status, body } = await client.call('PUT', `/rules/${ruleId}`, { body: { rule } })
      expect([status, body]).toEqual([200, body])
    },
    rule: (ruleId = 0) => requireRule(guidance().service.guidance.database.read, ruleId),
  }
}

/** Changes cells of a workbook with a library, as another program would. */
export async function editXlsx(
  file: Uint8Array,
  change: (row: Map<string, unknown>, index: number) => void,
): Promise<Buffer> {
  const workbook = await openXlsx(file)
  const [sheet] = workbook.sheets
  if (sheet === undefined) throw new Error('The workbook has no sheet')
  const [head = [], ...rows] = sheet.rows
  for (const [index, row] of rows.entries()) {
    const cells = new Map<string, unknown>(head.map((header, column) => [String(header), row[column]]))
    change(cells, index)
    for (const [column, header] of head.entries())
      row[column] = z.union([z.string(), z.null()]).parse(cells.get(String(header)) ?? null)
  }
  return Buffer.from(await saveXlsx(workbook))
}

/** The fields of a plan in short. */
export function shortOf({ fields }: Pick<MergeAnswer, 'fields'>): readonly unknown[] {
  return fields.map(({ rule_id, field, outcome }: MergeField) => [rule_id, field, outcome])
}
