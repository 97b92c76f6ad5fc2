import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SaxesParser } from 'saxes'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { findRules, ofComponent, type AuthoredRule } from '../../../src/guidance/authoring/rules/reader.ts'
import { readBenchmarks } from '../../../src/guidance/catalogue/xccdf/reader.ts'
import { DISCUSSION_TEXTS, namesOf, SHEET_TEXTS } from '../../../src/tables/field-lists.ts'
import { FIELDS } from '../../../src/tables/fields.ts'
import { makeComponent, type MadeComponent } from '../../support/authoring.ts'
import { CORPUS } from '../../support/corpus.ts'
import { rowsOf, setRows } from '../../support/guidance-records.ts'
import { guidanceService, signedIn } from '../../support/guidance.ts'
import { unzip } from './exports/unzip.ts'

const service = guidanceService()

/** Texts that people write, and that one format or another could change. */
const OWN_TEXTS = [
  `She said "can't" and \\"won't\\" — \`id\` #{2+2} %q{y} ]]> done`,
  "only ' single and a backslash at the end \\",
  'Tags <i>x</i> &amp; &lt;b&gt; </VulnDiscussion><Mitigations>x</Mitigations> <?pi?> <!-- c -->',
  'Escaped &lt;/VulnDiscussion> &amp;lt;Mitigations> <VulnDiscussion/> <Responsibility>',
  'penguin \u{1f427} RTL \u202eabc\u202c NBSP\u00a0ZWJ\u200d \ufb01 \uff21 \u2028line \u0085nel',
  `$ sudo awk '{print $1}' /etc/passwd\n\tindented\r\n  $(id) \${HOME} \\n\nEOF\n~~~`,
  '(/sbin:/bin)) [root@host ~]# which sh <<<EOF',
  'two  blanks, and more   of them',
  'line\r\nline\rline',
  'first\n\n[Next check]\n\nsecond\n\\[Next check]\n\\\\[Next check]',
  "'=1+1",
  '=1+1\n=2',
  '|calc',
  '_x0041_ _x000D_',
]

/** Also those that failed when the service was tried from outside, where they are there. */
const MORE_TEXTS = join(CORPUS, 'round-3', 'texts.json')
const TEXTS = existsSync(MORE_TEXTS)
  ? [...OWN_TEXTS, ...z.array(z.string()).parse(JSON.parse(readFileSync(MORE_TEXTS, 'utf8')))]
  : OWN_TEXTS

const TEXT_FIELDS = FIELDS.filter((field) => field.kind === 'text')
/** Texts that InSpec controls have. */
const DESCRIBED = TEXT_FIELDS.filter(({ within, inspec }) => within === 'description' || inspec !== null)

function startOf({ name, inspec }: (typeof DESCRIBED)[number]): string {
  if (inspec === null) return `tag ${name}: `
  return inspec === '' ? 'desc ' : `desc '${inspec}', `
}

const ARCHIVED = namesOf(TEXT_FIELDS)

const client = signedIn(service, 'Ann', { admin: true })
let projectId = 0
let made: MadeComponent

/** Each text in every field of one rule. */
beforeAll(async () => {
  projectId = await service().project(client)
  made = await makeComponent(service(), client, { projectId, rules: TEXTS.length })
  for (const [index, text] of TEXTS.entries()) {
    const id = made.rules[index] ?? 0
    const version = `SRG-TEA-${String(index + 1).padStart(6, '0')}`
    const others = { version, ident: 'CCI-000366', title: text, inspec_control_file: null } as const
    const archivedTexts = Object.fromEntries(ARCHIVED.map((name) => [name, text]))
    await setRows(service(), 'rules', { ...archivedTexts, ...others, status: 'Applicable - Configurable' }, { id })
    await setRows(service(), 'rule_checks', { content: text }, { rule_id: id })
  }
})

type Fields = Readonly<Record<string, string | null | undefined>>

function fieldsOf(rule: AuthoredRule): Fields {
  const texts = Object.fromEntries(ARCHIVED.map((name) => [name, rule[name]]))
  const checks = rule.checks.map(({ content }) => content)
  return { ...texts, title: rule.title, check: checks.length === 1 ? checks[0] : JSON.stringify(checks) }
}

/** In the order of the texts. */
async function rulesOf(componentId: number): Promise<readonly Fields[]> {
  const { read } = service().service.guidance.database
  const rules = await findRules(read, ofComponent(componentId))
  return rules.toSorted((a, b) => a.number - b.number).map(fieldsOf)
}

/** Finds texts in these fields of each rule that were not written there. */
async function differences(found: readonly Fields[], fields: readonly string[]): Promise<readonly string[]> {
  expect(found).toHaveLength(TEXTS.length)
  const written = await rulesOf(made.id)
  return written.flatMap((rule, index) =>
    fields.flatMap((field) => {
      const [before, after] = [rule[field], found[index]?.[field]]
      const change = `${JSON.stringify(before)} → ${JSON.stringify(after)}`
      return before === after ? [] : [`${field} of rule ${index + 1}: ${change}`]
    }),
  )
}

async function exported(type: string): Promise<Buffer> {
  const { status, bytes } = await client.call('GET', `/components/${made.id}/export/${type}?mode=working_copy`)
  expect(status).toBe(200)
  return bytes
}

async function newestComponent(): Promise<number> {
  return (await rowsOf(service(), 'components')).at(-1)?.id ?? 0
}

describe('Texts of a rule', () => {
  it('are restored from an archive', async () => {
    const form = { file: await exported('json_archive'), fields: { project_name: 'Archived' } }
    const { status, body } = await client.call('POST', '/projects/create_from_backup', { form })
    expect([status, body]).toMatchObject([200, { warnings: [] }])
    const found = await rulesOf(await newestComponent())
    expect(await differences(found, [...ARCHIVED, 'title', 'check'])).toEqual([])
  })

  it.each(['csv', 'excel'])('are restored from a component created from %s', async (type) => {
    const fields = { name: `Of ${type}`, title: 'Copy', security_requirements_guide_id: String(made.srgId) }
    const { status, body } = await client.call('POST', `/projects/${projectId}/components`, {
      form: { file: await exported(type), fields },
    })
    expect([status, body]).toMatchObject([200, { toast: { message: `${TEXTS.length} rules from the spreadsheet.` } }])
    const found = await rulesOf(await newestComponent())
    expect(await differences(found, [...namesOf(SHEET_TEXTS), 'title', 'check'])).toEqual([])
  })

  it.each(['xccdf', 'xccdf_1_2'])('are restored from %s, or the losses are named', async (type) => {
    const document = new Uint8Array(await exported(type))
    const [read] = readBenchmarks(() => [document], {})
    const rules = read?.benchmark.rules ?? []
    const found = rules.map(({ title, fixes, checks, discussion }) => ({
      ...Object.fromEntries(DISCUSSION_TEXTS.map((name) => [name, discussion[name]])),
      title,
      fixtext: fixes[0]?.text,
      check: checks[0]?.content,
    }))
    const changed = await differences(found, [...DISCUSSION_TEXTS, 'title', 'fixtext', 'check'])
    expect(changed.filter((difference) => !difference.startsWith('title of'))).toEqual([])
    // Titles are one line; a warning says so, and where.
    const blanks = read?.warnings.filter(({ code }) => code === 'title_blanks') ?? []
    expect(blanks).toHaveLength(1)
    expect(blanks[0]?.message).toContain(`${changed.length} places`)
    for (const difference of changed) expect(TEXTS[Number(/\d+/.exec(difference)?.[0]) - 1]).toMatch(/\s\s|[^\S ]/)
  })

  it('are read from a CKL', async () => {
    const rules = vulnerabilitiesOf((await exported('ckl')).toString('utf8'))
    const attributes: Readonly<Record<string, string>> = {
      ...Object.fromEntries(TEXT_FIELDS.flatMap(({ name, ckl }) => (ckl === null ? [] : [[name, ckl]]))),
      title: 'Rule_Title',
      vuln_discussion: 'Vuln_Discuss',
      check: 'Check_Content',
    }
    const found = rules.map((rule) =>
      Object.fromEntries(Object.entries(attributes).map(([name, ckl]) => [name, rule.get(ckl)])),
    )
    expect(await differences(found, Object.keys(attributes))).toEqual([])
  })

  it('are read from a CKLB', async () => {
    const rule = z.record(z.string(), z.unknown())
    const file = z.object({ stigs: z.tuple([z.object({ rules: z.array(rule) })]) })
    const { stigs } = file.parse(JSON.parse((await exported('cklb')).toString('utf8')))
    const members: Readonly<Record<string, string>> = {
      ...Object.fromEntries(TEXT_FIELDS.flatMap(({ name, cklb }) => (cklb === null ? [] : [[name, cklb]]))),
      title: 'rule_title',
      vuln_discussion: 'discussion',
      check: 'check_content',
    }
    const found = stigs[0].rules.map((cklbRule) =>
      Object.fromEntries(Object.entries(members).map(([name, cklb]) => [name, z.string().parse(cklbRule[cklb])])),
    )
    expect(await differences(found, Object.keys(members))).toEqual([])
  })

  it('are read from an InSpec profile', async () => {
    const files = [...(await unzip(await exported('inspec')))]
    const controls = files.filter(([path]) => path.startsWith('controls/')).toSorted()
    const found = controls.map(([, code]): Fields => {
      const texts = DESCRIBED.map((field) => [field.name, literalAfter(code, startOf(field))] as const)
      return {
        ...Object.fromEntries(texts),
        title: literalAfter(code, 'title '),
        check: literalAfter(code, "desc 'check', "),
      }
    })
    expect(await differences(found, [...namesOf(DESCRIBED), 'title', 'check'])).toEqual([])
  })
})

/** The attributes of each vulnerability of a CKL. */
function vulnerabilitiesOf(document: string): readonly ReadonlyMap<string, string>[] {
  const found: Map<string, string>[] = []
  const parser = new SaxesParser()
  let [text, name] = ['', '']
  parser.on('opentag', (tag) => {
    text = ''
    if (tag.name === 'VULN') found.push(new Map())
  })
  parser.on('text', (piece) => {
    text += piece
  })
  parser.on('closetag', (tag) => {
    if (tag.name === 'VULN_ATTRIBUTE') name = text
    if (tag.name === 'ATTRIBUTE_DATA') found.at(-1)?.set(name, text)
  })
  parser.write(document).close()
  return found
}

/** A literal in single quotes, in which Ruby only knows `\\` and `\'`. */
function literalAfter(code: string, start: string): string | undefined {
  const lines = code.slice(code.indexOf(`\n  ${start}'`) + start.length + 3)
  const literal = /^'((?:[^'\\]|\\[\s\S])*)'/.exec(lines)?.[1]
  return literal?.replaceAll(/\\([\\'])/g, '$1')
}
