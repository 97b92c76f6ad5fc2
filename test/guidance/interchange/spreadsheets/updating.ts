import { beforeAll, expect } from 'vitest'
import { z } from 'zod'
import { findRules, ofComponent, type AuthoredRule } from '../../../../src/guidance/authoring/rules/reader.ts'
import { makeComponent, type MadeComponent } from '../../../support/authoring.ts'
import { setRows } from '../../../support/guidance-records.ts'
import { type Answer, guidanceService, type Person, signedIn } from '../../../support/guidance.ts'
import type { SheetRow } from '../../../support/spreadsheet.ts'

const planned = z.object({
  updated: z.array(z.looseObject({ rule_id: z.string(), changes: z.record(z.string(), z.unknown()) })),
  unchanged: z.array(z.looseObject({ rule_id: z.string() })),
  skipped_locked: z.array(z.looseObject({ rule_id: z.string() })),
  warnings: z.array(z.string()),
  fingerprint: z.string().optional(),
})

type Planned = z.infer<typeof planned>

interface Sent {
  readonly file: string | Buffer
  readonly fields?: Readonly<Record<string, string>>
}

type Which = 'preview' | 'apply'

interface SpreadsheetUpdates {
  readonly service: ReturnType<typeof guidanceService>
  readonly own: () => { readonly owner: Person; readonly projectId: number }
  readonly component: () => Promise<MadeComponent>
  readonly change: (ruleId: number, values: Readonly<Record<string, unknown>>) => Promise<void>
  readonly rulesOf: (made: { readonly id: number }) => Promise<readonly AuthoredRule[]>
  /** Rows that say what the rules say. */
  readonly rowsOf: (made: MadeComponent) => Promise<SheetRow[]>
  readonly call: (what: Which, made: { readonly id: number }, form: Sent) => Promise<Answer>
  readonly good: (what: Which, made: MadeComponent, form: Sent) => Promise<Planned>
}

/** People, a project and components of their own for the tests of one file. */
export function spreadsheetUpdates(): SpreadsheetUpdates {
  const service = guidanceService()

  const owner = signedIn(service, 'Ann')
  let projectId: number

  beforeAll(async () => {
    projectId = await service().project(owner)
  })

  function call(action: Which, { id }: { id: number }, form: Sent): Promise<Answer> {
    const method = action === 'preview' ? 'POST' : 'PATCH'
    const path = `/components/${id}/${action}_spreadsheet_update`
    return owner.call(method, path, { form: { ...form, fileName: 'rules' } })
  }

  async function good(action: Which, made: MadeComponent, form: Sent): Promise<Planned> {
    const { status, body } = await call(action, made, form)
    expect([status, body]).toEqual([200, body])
    return planned.parse(body)
  }

  function rulesOf({ id }: { id: number }): Promise<readonly AuthoredRule[]> {
    return findRules(service().service.guidance.database.read, ofComponent(id))
  }

  async function rowsOf(made: MadeComponent): Promise<SheetRow[]> {
    const categories: Readonly<Record<string, string>> = { high: 'CAT I', medium: 'CAT II' }
    return (await rulesOf(made)).map((rule) => ({
      SRGID: rule.version,
      STIGID: `TEAP-00-00000${rule.number}`,
      Requirement: rule.title,
      Severity: categories[rule.rule_severity] ?? 'CAT III',
      Status: rule.status,
      VulDiscussion: rule.vuln_discussion,
      Fix: rule.fixtext,
      Check: rule.checks[0]?.content ?? null,
      'Status Justification': null,
    }))
  }

  async function change(ruleId: number, values: Readonly<Record<string, unknown>>): Promise<void> {
    await setRows(service(), 'rules', values, { id: ruleId })
  }

  function component(): Promise<MadeComponent> {
    return makeComponent(service(), owner, { projectId })
  }

  const own = (): { owner: Person; projectId: number } => ({ owner, projectId })
  return { call, change, component, good, own, rowsOf, rulesOf, service }
}
