import { beforeAll } from 'vitest'
import { makeComponent } from './authoring.ts'
import { store } from './catalogue.ts'
import type { GuidanceUnderTest, Person } from './guidance.ts'
import { CCIS, cciList, storeCciList, storeOscal } from './reference-data.ts'
import { placeComment } from './samples/reviews.ts'
import { sampleRules, type SampleRule } from './xccdf-document.ts'

/** CCIs that the bundled ontology links to techniques. */
const LINKED = ['CCI-000015', 'CCI-000044', 'CCI-000067', 'CCI-000192', 'CCI-000213', 'CCI-000381', 'CCI-001744']

export const ROOT_LOGIN = {
  id: 'SV-1000004r1_rule',
  group: 'V-1000004',
  version: 'SMVR-09-000004',
  title: 'The samovar must not permit direct logons to the root account using remote access through SSH.',
  severity: 'medium',
  cci: ['CCI-000766'],
  discussion: 'Who logs on as root cannot be told from others who do. Each person needs an account of their own.',
  checks: [
    'Look at the settings of SSH:\n\n$ sudo sshd -T | grep permitrootlogin\npermitrootlogin no\n\nElse, it is a finding.',
  ],
  fix: 'Add this line to /etc/ssh/sshd_config:\n\nPermitRootLogin no',
} satisfies SampleRule

const LOCKOUT = {
  id: 'SV-1000002r2_rule',
  group: 'V-1000002',
  version: 'SMVR-09-000002',
  title: 'The samovar must lock an account after three unsuccessful logon attempts.',
  severity: 'high',
  cci: ['CCI-000044'],
  discussion: 'Whoever guesses passwords needs many attempts.',
  checks: ['Look at /etc/security/faillock.conf.\n\n$ grep deny /etc/security/faillock.conf\ndeny = 3'],
  fix: 'Set deny to 3.',
} satisfies SampleRule

const COMMENTS = ['Which settings are meant?', 'The check needs sudo.', 'Is that so in containers, too?'] as const

/** A service with guidance and active people, which is the same each time. */
export interface TeapotScene {
  /** Number of the newest release of the STIG. */
  readonly stig: number
  readonly component: number
  readonly rules: readonly number[]
  readonly people: Readonly<Record<'author' | 'reviewer' | 'viewer' | 'root', Person>>
}

export const COMPONENT_RULES = 20

/** Fills a service before the first test of a file. */
export function teapotScene(guidance: () => GuidanceUnderTest): () => TeapotScene {
  let scene: TeapotScene | null = null
  beforeAll(async () => {
    const stored = await storeGuidance(guidance())
    scene = { stig: stored.stig, ...(await placePeople(guidance(), stored.srg)) }
  })
  return () => {
    if (scene === null) throw new Error('The scene has not been set')
    return scene
  }
}

async function storeGuidance(guidance: GuidanceUnderTest): Promise<{ readonly stig: number; readonly srg: number }> {
  const rules = sampleRules(24).map((rule, index) => ({
    ...rule,
    version: `SMVR-09-${String(index + 1).padStart(6, '0')}`,
    cci: [LINKED[index % LINKED.length] ?? ''],
    title: `The samovar must keep part ${index + 1} of its settings as the owner wants them.`,
  }))
  const named = { id: 'Samovar_9_STIG', title: 'Samovar 9 Security Technical Implementation Guide' }
  const [first, , third, , ...others] = rules
  const [begin, middle] = [first ? [first] : [], third ? [third] : []]
  const before = { ...LOCKOUT, id: 'SV-1000002r1_rule', checks: ['Look at /etc/pam.d/login.'], fix: 'Set deny to 5.' }
  await store(guidance, { ...named, rules: [...begin, before, ...middle, ...others], date: '05 Jan 2026' })
  const newer = [...begin, LOCKOUT, ...middle, ROOT_LOGIN, ...others.slice(0, -1)]
  const stig = await store(guidance, { ...named, rules: newer, release: '2', date: '06 Apr 2026' })
  await store(guidance, { rules: 8 })
  const kettle = { id: 'Kettle_SRG', title: 'Kettle Security Requirements Guide' }
  const srg = await store(guidance, { ...kettle, kind: 'srg', rules: COMPONENT_RULES })
  const { database } = guidance.service.guidance
  const linked = LINKED.map((id, index) => ({ id, places: { 4: `AC-${index + 3} a`, 5: `AC-${index + 3} a` } }))
  const lockout = {
    id: 'CCI-000044',
    definition: 'Enforce a limit of consecutive invalid logon attempts by a user during a time period.',
    places: { 3: 'AC-7 a', 4: 'AC-7 a', 5: 'AC-7 a' },
  }
  const unlisted = linked.filter(({ id }) => id !== 'CCI-000044' && id !== 'CCI-000015')
  await storeCciList(database, cciList([...CCIS, lockout, ...unlisted]))
  await storeOscal(database)
  return { stig, srg }
}

async function placePeople(guidance: GuidanceUnderTest, srgId: number): Promise<Omit<TeapotScene, 'stig'>> {
  const author = await guidance.person('Arthur')
  const reviewer = await guidance.person('Rita')
  const viewer = await guidance.person('Vera')
  const root = await guidance.signUp('Root', { admin: true })
  const projectId = await guidance.project(root, { name: 'Penguin' })
  await guidance.member(projectId, author, 'author')
  await guidance.member(projectId, reviewer, 'reviewer')
  await guidance.member(projectId, viewer, 'viewer')
  const component = await makeComponent(guidance, root, { projectId, srgId, name: 'Penguin OS 1', prefix: 'PNGN-01' })
  const writer = await guidance.signIn(author.email)
  for (const rule of component.rules.slice(0, 6)) {
    const texts = { title: 'The penguin must be waterproof.', fixtext: 'Oil the feathers.' }
    const body = { rule: { status: 'Applicable - Configurable', ...texts } }
    const { status, body: refusal } = await writer.call('PUT', `/rules/${rule}`, { body })
    if (status !== 200) throw new Error(`The rule was not written: ${JSON.stringify(refusal)}`)
  }
  const review = { action: 'request_review', comment: 'Please look.' }
  for (const rule of component.rules.slice(0, 2))
    await writer.call('POST', `/rules/${rule}/reviews`, { body: { review } })
  for (const [index, comment] of COMMENTS.entries())
    await placeComment(guidance, viewer, {
      component_id: component.id,
      rule_id: component.rules[index] ?? 0,
      section: 'fixtext',
      comment,
    })
  return { component: component.id, rules: component.rules, people: { author, reviewer, viewer, root } }
}
