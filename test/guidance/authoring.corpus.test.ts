import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readBenchmarks } from '../../src/guidance/catalogue/xccdf/reader.ts'
import { sendGood } from '../support/catalogue.ts'
import { temporaryFolder } from '../support/folder.ts'
import { guidanceService, signedIn } from '../support/guidance.ts'
import { isPresent, XCCDF } from './catalogue/xccdf/corpus.ts'

const GPOS = join(XCCDF, 'disa-os-srg-v3r2.xml')
const WRITTEN = 10

const service = guidanceService()
const run = promisify(execFile)

const admin = signedIn(service, 'Ann', { admin: true })

async function ask(method: string, path: string, body?: Readonly<Record<string, unknown>>): Promise<unknown> {
  const answer = await admin.call(method, path, { body })
  expect([path, answer.status, answer.body]).toEqual([path, 200, answer.body])
  return answer.body
}

const ruleRow = z.object({ id: z.int(), displayed_name: z.string(), version: z.string() })

describe.skipIf(!isPresent || !existsSync(GPOS))('From the GPOS SRG to a released STIG', () => {
  it('leads one way through the service, whose export other programs accept', async () => {
    const upload = await sendGood(admin, readFileSync(GPOS), { path: '/srgs' })
    const srgId = upload.imported[0]?.id
    const projectId = await service().project(admin)
    const component = {
      name: 'Penguin OS 1',
      prefix: 'PNGN-01',
      title: 'Penguin OS 1 STIG',
      security_requirements_guide_id: srgId,
      version: 1,
      release: 1,
    }
    await ask('POST', `/projects/${projectId}/components`, { component })
    const { components } = z
      .object({ components: z.array(z.object({ id: z.int() })) })
      .parse(await ask('GET', `/projects/${projectId}`))
    const id = components[0]?.id ?? 0
    const rules = z.array(ruleRow).parse(await ask('GET', `/components/${id}/rules`))
    await write(rules.slice(0, WRITTEN))
    await discuss(rules[0]?.id ?? 0)
    await finish(id, rules.slice(WRITTEN))
    expect(await ask('GET', `/api/components/${id}/readiness.json`)).toMatchObject({ ready: true, items: [] })
    await ask('PUT', `/components/${id}`, { component: { released: true } })
    expect(await ask('GET', `/api/components/${id}/workflow_state`)).toMatchObject({
      authoring: { rules_total: rules.length, rules_determined: rules.length },
      locks: { all_locked: true },
      triage: { pending: 0, awaiting_adjudication: 0 },
      export: { released: true, releasable: false },
    })
    await compareExport(id, rules.slice(0, WRITTEN))
  })
})

async function write(rules: readonly z.infer<typeof ruleRow>[]): Promise<void> {
  for (const { id, displayed_name } of rules)
    await ask('PUT', `/rules/${id}`, {
      rule: {
        status: 'Applicable - Configurable',
        title: `Penguin OS 1 must keep "${displayed_name}" & its <settings>.`,
        fixtext: `Set penguin.${id} = on\nand restart.`,
        checks_attributes: [{ content: `Verify penguin.${id}:\n\n# grep penguin /etc/penguin` }],
        vendor_comments: 'Written by hand.',
      },
    })
}

async function discuss(ruleId: number): Promise<void> {
  await ask('POST', `/rules/${ruleId}/reviews`, {
    review: { action: 'comment', comment: 'Which file?', section: 'check_content' },
  })
  const { reviews } = z
    .object({ reviews: z.array(z.object({ id: z.int() })) })
    .parse(await ask('GET', `/rules/${ruleId}`))
  const id = reviews[0]?.id ?? 0
  await ask('PATCH', `/reviews/${id}/triage`, { triage_status: 'concur', response_comment: 'It says so now.' })
  await ask('PATCH', `/reviews/${id}/adjudicate`, { resolution_comment: 'Done.' })
}

async function finish(id: number, rest: readonly z.infer<typeof ruleRow>[]): Promise<void> {
  for (const { id: ruleId } of rest)
    await ask('PUT', `/rules/${ruleId}`, {
      rule: { status: 'Not Applicable', status_justification: 'Penguins have none.' },
    })
  await ask('POST', `/components/${id}/lock`, { review: { action: 'lock_control', comment: 'Reviewed.' } })
}

async function compareExport(id: number, rules: readonly z.infer<typeof ruleRow>[]): Promise<void> {
  for (const version of ['1.1', '1.2']) {
    const path = `/components/${id}/export/xccdf?version=${version}`
    const { status, bytes } = await admin.call('GET', path, { headers: { Accept: '*/*' } })
    expect(status).toBe(200)
    const [read] = readBenchmarks(() => [bytes], {})
    expect(read?.benchmark.rules.map((rule) => rule.version)).toEqual(rules.map(({ displayed_name }) => displayed_name))
    const file = join(await temporaryFolder(), 'penguin-xccdf.xml')
    await writeFile(file, bytes)
    await run('oscap', ['xccdf', 'validate', '--skip-schematron', file])
  }
}
