// @module-tag database

import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { store } from '../../../support/catalogue.ts'
import { CORPUS } from '../../../support/corpus.ts'
import { alter, countRows, rowOf } from '../../../support/guidance-records.ts'
import { guidanceService, type SessionClient } from '../../../support/guidance.ts'
import { containing } from '../../../support/matchers.ts'
import type { SampleRule } from '../../../support/xccdf-document.ts'
import { create, createGood, newcomer } from '../components/scene.ts'

const guidance = guidanceService()

/** Ids that no other test names. */
function names(): { readonly tech: string; readonly stig: string } {
  const token = randomBytes(4).toString('hex').toUpperCase()
  return { tech: `T${token}`, stig: `Kettle_${token}_STIG` }
}

const { tech, stig } = names()
const FAMILY = `SRG-${tech.replaceAll(/\d/g, 'Q')}`

/** `SRG-TXYZ-000001-LID-00001`: in the SRG, its group has the id without the technology. */
function requirement(number: number, group = number): SampleRule {
  const id = `${FAMILY}-00000${group}`
  return { id: `SV-90${number}r1_rule`, group: `V-90${number}`, version: `${id}-LID-0000${number}`, requirement: id }
}

const SRG = [requirement(1), requirement(2), requirement(3, 2), requirement(4)]

const named = (text: string | null, number: number, members: Partial<SampleRule> = {}): SampleRule => ({
  id: `SV-80${number}r${number}_rule`,
  group: `V-80${number}`,
  version: `KTTL-01-00000${number}`,
  requirement: text,
  ...members,
})

const STIG = [
  named(`${FAMILY}-000001-LID-00001`, 1, {
    title: 'The lid must be shut.',
    severity: 'high',
    weight: '5.0',
    discussion: 'Open lids let heat out.',
    documentable: 'true',
    checks: ['Look at the lid.', 'Feel the lid.'],
    fix: 'Shut it.',
    cci: ['CCI-000366', 'CCI-000015'],
    legacy: ['V-1', 'SV-1'],
  }),
  named(`${FAMILY}-000001-LID-00001`, 2),
  named(`${FAMILY}-000004`, 3),
  named(`${FAMILY}-000002`, 4),
  named(`${FAMILY}-000009-LID-00009`, 5),
  named('Boil water', 6),
]

const answer = z.object({
  id: z.int(),
  toast: z.object({ message: z.array(z.string()).or(z.string()) }),
  unlinked_rules: z.array(
    z.object({ rule_id: z.string(), version: z.string(), srg_ids: z.array(z.string()), reason: z.string() }),
  ),
})

const comparison = z.object({
  source: z.object({ stig_id: z.string(), version: z.string() }),
  releases: z.array(z.object({ id: z.int(), version: z.string(), is_source: z.boolean(), is_newer: z.boolean() })),
  counts: z.record(z.string(), z.int()),
  rules: z.array(
    z.object({
      status: z.string(),
      source_rule_id: z.string().nullable(),
      before: z.object({ rule_id: z.string() }).nullable(),
      after: z.object({ id: z.int(), title: z.string() }).nullable(),
      changes: z.array(z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
      published: z.object({ status: z.string(), changes: z.array(z.looseObject({ field: z.string() })) }).nullable(),
    }),
  ),
})

async function compared(client: SessionClient, id: number, from?: number): Promise<z.infer<typeof comparison>> {
  const query = from === undefined ? '' : `?from=${from}`
  const { status, body } = await client.call('GET', `/api/components/${id}/published_diff${query}`)
  expect([status, body]).toEqual([200, body])
  return comparison.parse(body)
}

/** The project that an archive becomes. */
async function imported(client: SessionClient, file: Buffer): Promise<number> {
  const form = { file, fileName: 'archive.zip', fields: { project_name: `Kettles again ${tech}` } }
  const { status, body } = await client.call('POST', '/projects/create_from_backup', { form })
  expect([status, body]).toEqual([200, body])
  const { redirect_url } = z.object({ redirect_url: z.string() }).parse(body)
  return Number(/\d+/.exec(redirect_url)?.[0])
}

describe('A component that begins from a published STIG', () => {
  let owner: SessionClient
  let projectId = 0
  let [srgId, olderSrg, stigId] = [0, 0, 0]
  let begun: z.infer<typeof answer>

  const request = (members: object = {}) => ({
    name: 'Kettle',
    prefix: 'KTTL-02',
    title: 'Kettle Guide',
    source_stig_id: stigId,
    ...members,
  })

  beforeAll(async () => {
    owner = await newcomer(guidance())
    projectId = await guidance().project(owner)
    const srg = { id: `Lids_${tech}_SRG`, kind: 'srg' } as const
    olderSrg = await store(guidance(), { ...srg, rules: SRG.slice(0, 2) })
    srgId = await store(guidance(), { ...srg, version: '2', rules: SRG })
    stigId = await store(guidance(), { id: stig, rules: STIG })
    const { status, body } = await create(owner, projectId, request())
    expect([status, body]).toEqual([200, body])
    begun = answer.parse(body)
  })

  const rulesOf = (id: number) =>
    guidance()
      .service.guidance.database.read.selectFrom('rules')
      .leftJoin('benchmark_rules as requirement', 'requirement.id', 'rules.srg_rule_id')
      .selectAll('rules')
      .select(['requirement.version as linked', 'requirement.benchmark_id'])
      .where('component_id', '=', id)
      .orderBy('number')
      .execute()

  it('has its rules in their order, each linked to the requirement that it names', async () => {
    const rules = await rulesOf(begun.id)
    expect(rules.map(({ source_rule_id, version, linked }) => [source_rule_id, version, linked])).toEqual([
      ['SV-801r1_rule', SRG[0]?.version, SRG[0]?.version],
      ['SV-802r2_rule', SRG[0]?.version, SRG[0]?.version],
      ['SV-803r3_rule', SRG[3]?.version, SRG[3]?.version],
      ['SV-804r4_rule', `${FAMILY}-000002`, null],
      ['SV-805r5_rule', `${FAMILY}-000009-LID-00009`, null],
      ['SV-806r6_rule', null, null],
    ])
    expect(new Set(rules.map(({ status }) => status))).toEqual(new Set(['Applicable - Configurable']))
    expect(rules[0]).toMatchObject({
      title: 'The lid must be shut.',
      rule_severity: 'high',
      rule_weight: '5.0',
      vuln_id: 'V-801',
      ident: 'CCI-000015, CCI-000366',
      legacy_ids: 'V-1, SV-1',
      vuln_discussion: 'Open lids let heat out.',
      documentable: 1,
      fixtext: 'Shut it.',
      benchmark_id: srgId,
    })
  })

  it('lists the rules without a requirement, with the reason', () => {
    expect(begun.unlinked_rules).toEqual([
      {
        rule_id: 'SV-804r4_rule',
        version: 'KTTL-01-000004',
        srg_ids: [`${FAMILY}-000002`],
        reason: `${FAMILY}-000002 is the beginning of several requirements: ${SRG[1]?.version}, ${SRG[2]?.version}.`,
      },
      {
        rule_id: 'SV-805r5_rule',
        version: 'KTTL-01-000005',
        srg_ids: [`${FAMILY}-000009-LID-00009`],
        reason: `The SRG has no requirement ${FAMILY}-000009-LID-00009.`,
      },
      {
        rule_id: 'SV-806r6_rule',
        version: 'KTTL-01-000006',
        srg_ids: [],
        reason: 'The rule names no SRG requirement.',
      },
    ])
    expect(String(begun.toast.message)).toContain('6 rules from')
  })

  it('knows the STIG that it was begun from, and so do its copies', async () => {
    const source = { published_source: { stig_id: stig, version: 'V1R1' } }
    const copy = await createGood(owner, projectId, { duplicate: true, id: begun.id, version: 2 })
    const [first] = await rulesOf(begun.id)
    expect(await owner.call('GET', `/rules/${first?.id}`)).toMatchObject({ body: { source_rule_id: 'SV-801r1_rule' } })
    for (const id of [begun.id, copy]) {
      expect(await owner.call('GET', `/api/components/${id}/record`)).toMatchObject({ body: source })
      expect(await owner.call('GET', `/api/components/${id}/summary`)).toMatchObject({ body: source })
      expect((await rulesOf(id))[1]?.source_rule_id).toBe('SV-802r2_rule')
    }
  })

  it('is based on the chosen SRG, or on the SRG with most of the requirements', async () => {
    const { body } = await owner.call('GET', `/api/stigs/${stigId}/srgs`)
    expect(body).toMatchObject({
      requirement_count: 4,
      srgs: [
        { id: srgId, version: 'V2R1', requirement_count: 3 },
        { id: olderSrg, version: 'V1R1', requirement_count: 2 },
      ],
    })
    const id = await createGood(owner, projectId, request({ security_requirements_guide_id: olderSrg }))
    expect((await rulesOf(id)).map(({ benchmark_id }) => benchmark_id)).toEqual([
      olderSrg,
      olderSrg,
      null,
      olderSrg,
      null,
      null,
    ])
  })

  it('differs from the source in nothing at first, then in the fields that were edited', async () => {
    const id = await createGood(owner, projectId, request())
    expect((await compared(owner, id)).counts).toEqual({ added: 0, removed: 0, changed: 0, unchanged: 6 })
    const [first, second, third] = await rulesOf(id)
    await owner.call('PUT', `/rules/${first?.id}`, {
      body: { rule: { title: 'Lids stay shut.', rule_severity: 'low' } },
    })
    await owner.call('PUT', `/rules/${second?.id}`, { body: { rule: { ident: 'CCI-000366,  CCI-000015' } } })
    await owner.call('DELETE', `/rules/${third?.id}`)
    const { rules, counts } = await compared(owner, id)
    expect(counts).toEqual({ added: 0, removed: 1, changed: 2, unchanged: 3 })
    const changed = rules.filter(({ status }) => status === 'changed')
    expect(changed.map(({ source_rule_id, changes }) => [source_rule_id, changes])).toEqual(
      expect.arrayContaining([
        [
          'SV-801r1_rule',
          [
            { field: 'title', before: 'The lid must be shut.', after: 'Lids stay shut.' },
            { field: 'rule_severity', before: 'high', after: 'low' },
          ],
        ],
        ['SV-802r2_rule', [{ field: 'ident', before: 'CCI-000366', after: 'CCI-000015, CCI-000366' }]],
      ]),
    )
    expect(rules.find(({ status }) => status === 'removed')?.before?.rule_id).toBe('SV-803r3_rule')
  })

  it('is compared with a newer release of the STIG', async () => {
    const ids = names()
    const line = { id: ids.stig, rules: STIG }
    const source = await store(guidance(), line)
    const id = await createGood(owner, projectId, request({ source_stig_id: source }))
    const newer = await store(guidance(), {
      ...line,
      release: '2',
      rules: [
        { ...STIG[0], id: 'SV-801r9_rule', title: 'The lid must be locked.' },
        ...STIG.slice(1, 5),
        named(`${FAMILY}-000004`, 7, {
          title: 'Spouts point away from people.',
          discussion: 'Steam burns.',
          fix: 'Turn it.',
        }),
      ],
    })
    const { releases, rules, counts } = await compared(owner, id, newer)
    expect(releases.map(({ version, is_source, is_newer }) => [version, is_source, is_newer])).toEqual([
      ['V1R1', true, false],
      ['V1R2', false, true],
    ])
    expect(counts).toEqual({ added: 1, removed: 1, changed: 1, unchanged: 4 })
    const differing = rules.filter(({ status }) => status !== 'unchanged')
    expect(differing.map(({ status, before, published }) => [status, before?.rule_id, published?.status])).toEqual([
      ['added', undefined, 'removed'],
      ['changed', 'SV-801r9_rule', 'changed'],
      ['removed', 'SV-807r7_rule', 'added'],
    ])
    expect(differing[1]?.changes.map(({ field }) => field)).toEqual(['title'])
  })

  it('is compared with a newer release after the source has left the catalogue', async () => {
    const ids = names()
    const source = await store(guidance(), { id: ids.stig, rules: STIG })
    const id = await createGood(owner, projectId, request({ source_stig_id: source }))
    const newer = await store(guidance(), { id: ids.stig, release: '2', rules: STIG })
    await alter(guidance(), (writer) => writer.deleteFrom('benchmarks').where('id', '=', source).execute())
    expect(await owner.call('GET', `/api/components/${id}/published_diff`)).toMatchObject({
      status: 404,
      body: { code: 'not_found', detail: containing(`no longer has ${ids.stig} V1R1`) },
    })
    expect((await compared(owner, id, newer)).counts).toMatchObject({ unchanged: 6 })
  })

  it('is exported in every format, and imported from an archive with its source', async () => {
    for (const type of ['xccdf', 'ckl', 'cklb', 'csv', 'excel', 'disa_excel', 'inspec'])
      expect([type, (await owner.call('GET', `/components/${begun.id}/export/${type}`)).status]).toEqual([type, 200])
    const { bytes } = await owner.call('GET', `/components/${begun.id}/export/json_archive`)
    const project = await imported(owner, bytes)
    const restored = await rowOf(guidance(), 'components', { project_id: project })
    const { id } = restored
    expect(restored).toMatchObject({ source_stig_id: stig, source_stig_version: 'V1R1' })
    expect((await compared(owner, id)).counts).toEqual({ added: 0, removed: 0, changed: 0, unchanged: 6 })
    const before = await rulesOf(begun.id)
    expect((await rulesOf(id)).map(({ srg_rule_id }) => srg_rule_id)).toEqual(
      before.map(({ srg_rule_id }) => srg_rule_id),
    )
  })

  it('can be based on another SRG later, with the rules that have no requirement', async () => {
    const other = { duplicate: true, id: begun.id, version: 3, security_requirements_guide_id: olderSrg }
    const copy = await rulesOf(await createGood(owner, projectId, other))
    expect(copy).toHaveLength(6)
    expect(copy[0]?.benchmark_id).toBe(olderSrg)
  })

  it('refuses the comparison of a component that was begun otherwise', async () => {
    const id = await createGood(owner, projectId, {
      ...request({ source_stig_id: null }),
      security_requirements_guide_id: srgId,
    })
    expect(await owner.call('GET', `/api/components/${id}/published_diff`)).toMatchObject({ status: 404 })
  })

  it('leaves nothing behind where it is refused', async () => {
    const lonely = await store(guidance(), {
      id: names().stig,
      rules: [named(`SRG-${tech.replaceAll(/\d/g, 'Z')}-000001`, 1)],
    })
    const silent = await store(guidance(), { id: names().stig, rules: [named('Boil water', 1)] })
    const before = await countRows(guidance(), ['components', 'rules', 'component_srgs', 'audits', 'events'])
    for (const [members, field, message] of [
      [{ source_stig_id: lonely }, 'security_requirements_guide_id', 'The catalogue has no SRG'],
      [{ source_stig_id: silent }, 'security_requirements_guide_id', 'No rule of'],
      [{ source_stig_id: srgId }, 'source_stig_id', 'Published STIG must exist'],
      [{ source_stig_id: 2_000_000_000 }, 'source_stig_id', 'Published STIG must exist'],
      [{ security_requirements_guide_id: stigId }, 'security_requirements_guide_id', 'must exist'],
      [{ document_type: 'srg' }, 'document_type', 'is a STIG'],
      [{ prefix: undefined }, 'prefix', "Prefix can't be blank"],
    ] as const)
      expect(await create(owner, projectId, request(members))).toMatchObject({
        status: 422,
        body: { errors: [{ field, message: containing(message) }] },
      })
    expect(await countRows(guidance(), ['components', 'rules', 'component_srgs', 'audits', 'events'])).toEqual(before)
  })

  it('lets other requests be answered while 450 rules are written', async () => {
    const rules = Array.from({ length: 450 }, (_none, index) =>
      named(`${FAMILY}-000001-LID-00001`, index + 100, { checks: ['Look. '.repeat(300)], fix: 'Shut. '.repeat(300) }),
    )
    const large = await store(guidance(), { id: names().stig, rules })
    const delay = monitorEventLoopDelay({ resolution: 1 })
    const before = performance.now()
    delay.enable()
    const id = await createGood(owner, projectId, request({ source_stig_id: large }))
    delay.disable()
    const whole = performance.now() - before
    expect(await rulesOf(id)).toHaveLength(450)
    expect(delay.max / 1e6).toBeLessThan(whole / 2)
  })

  it.runIf(existsSync(join(CORPUS, 'xccdf')))('begins from the STIG of RHEL 9', async () => {
    const file = (name: string) => readFileSync(join(CORPUS, 'xccdf', name), 'utf8')
    const general = await store(guidance(), file('disa-os-srg-v2r2.xml'))
    await store(guidance(), file('disa-os-srg-v3r2.xml'))
    const rhel = await store(guidance(), file('U_RHEL_9_STIG_V2R7_Manual-xccdf.xml'))
    const { body } = await create(owner, projectId, request({ source_stig_id: rhel }))
    const { id, unlinked_rules } = answer.parse(body)
    expect(unlinked_rules).toEqual([])
    const rules = await rulesOf(id)
    expect(new Set(rules.map(({ benchmark_id }) => benchmark_id))).toEqual(new Set([general]))
    expect((await compared(owner, id)).counts).toEqual({ added: 0, removed: 0, changed: 0, unchanged: rules.length })
  })
})
