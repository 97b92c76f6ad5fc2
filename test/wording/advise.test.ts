import { describe, expect, it } from 'vitest'
import { adviseOn } from '../../src/wording/advise.ts'
import { statusRowOf } from '../../src/wording/by-status.ts'
import type { Finding } from '../../src/wording/finding.ts'
import type { WrittenRule, WrittenText } from '../../src/wording/rule.ts'

const TITLE = 'The teapot must limit pouring to three attempts.'
const TEXTS = {
  vuln_discussion: 'Attackers guess when tea is poured without limit.',
  fixtext: 'Set "deny = 3" in /etc/teapot.conf.',
}
const CHECK = 'Verify "deny" in /etc/teapot.conf.\n\nIf "deny" is above "3", this is a finding.'

interface Words {
  readonly title?: string
  readonly check?: string | null
  readonly status?: string
  readonly severity?: string
  readonly kind?: 'stig' | 'srg'
  readonly isSatisfied?: boolean
  readonly texts?: Partial<Record<WrittenText, string | null>>
  readonly requirement?: WrittenRule['requirement']
}

function rule({ check = CHECK, kind = 'stig', texts = {}, ...words }: Words = {}): WrittenRule {
  return {
    documentType: kind,
    status: 'Applicable - Configurable',
    severity: 'medium',
    title: TITLE,
    isSatisfied: false,
    requirement: null,
    checks: [{ id: 7, content: check }],
    ...words,
    texts: { ...TEXTS, ...texts },
  }
}

/** Codes with the words that they are about. */
function describeAdvice(words: Words): readonly string[] {
  const written = rule(words)
  return adviseOn(written).map(({ code, field, start, end }) => {
    const text = textIn(written, field)
    return `${code}: ${text.slice(start, end)}`
  })
}

function textIn(written: WrittenRule, field: Finding['field']): string {
  if (field === 'title') return written.title
  if (field === 'check_content') return written.checks[0]?.content ?? ''
  return Object.entries(written.texts).find(([name]) => name === field)?.[1] ?? ''
}

const fix = (fixtext: string): Words => ({ texts: { fixtext } })
const discussion = (text: string): Words => ({ texts: { vuln_discussion: text } })
const FINDING = '\nIf it is not 3, this is a finding.'

describe('The words of a rule that is configured', () => {
  it('are accepted as in the guide', () => {
    expect(describeAdvice({})).toEqual([])
  })

  it.each<[string, Words, readonly string[]]>([
    ['a title without must', { title: 'The teapot limits pouring.' }, ['title_must: The teapot limits pouring.']],
    ['should', { title: 'The teapot should limit pouring.' }, ['title_should: should']],
    ['should that is a condition', { title: 'The teapot must stop should it be empty of tea.' }, []],
    [
      'what can be done',
      { title: 'The teapot must be capable of limiting it.' },
      ['title_capable: must be capable of'],
    ],
    ['what not to do', { title: 'The teapot must not pour without limit.' }, ['title_negative: must not']],
    [
      'a second sentence',
      { title: `${TITLE} It cools the tea, e.g. Earl Grey.` },
      ['title_sentences: It cools the tea, e.g. Earl Grey.'],
    ],
    ['an abbreviation', { title: 'Tea (e.g. Earl Grey vs. Assam etc.) must be limited.' }, []],
    ['no discussion', discussion(' '), ['discussion_missing: ']],
    ['a discussion without risk', discussion('Tea is hot.'), ['discussion_risk: Tea is hot.']],
    ['a discussion that repeats the title', discussion(`Attackers guess. ${TITLE}`), [`discussion_title: ${TITLE}`]],
    [
      'a check without a finding',
      { check: 'Verify /etc/teapot.conf limits pouring to 3.\nLook for "deny".' },
      ['check_finding: Look for "deny".'],
    ],
    [
      'a finding without its condition',
      { check: 'Review "deny" in /etc/teapot.conf. Four is a finding.' },
      ['check_finding: is a finding'],
    ],
    [
      'a check that says only what is no finding',
      { check: 'Verify /etc/teapot.conf limits pouring.\nIf it is 3, this is not a finding.' },
      ['check_finding: If it is 3, this is not a finding.'],
    ],
    [
      'a finding without its verb',
      { check: 'Verify /etc/teapot.conf limits pouring.\nIf it is not 3, this a finding.' },
      ['check_finding: this a finding'],
    ],
    ['a check of what is none here', { check: 'This requirement is NA for teapots.' }, []],
    [
      'a check that has a list of what to look for',
      { check: 'If the following is not in /etc/teapot.conf, this is a finding:\n\ndeny = 3' },
      [],
    ],
    [
      'a check that does nothing',
      { check: 'If the teapot does not limit pouring, this is a finding.' },
      ['check_steps: If the teapot does not limit pouring, this is a finding.'],
    ],
    [
      'weak words, but not what is quoted and not what is typed',
      { check: `Please run this; it should say "you should not".\n$ echo should please shall${FINDING}` },
      ['check_word: Please r', 'check_word: should'],
    ],
    [
      'a check that repeats the requirement',
      { check: `Review /etc/teapot.conf. ${TITLE}${FINDING}` },
      [`check_title: ${TITLE}`],
    ],
    [
      'a fix without a verb',
      fix('The teapot pours up to 3 times by /etc/teapot.conf.'),
      ['fix_steps: The teapot pours up to 3 times by /etc/teapot.conf.'],
    ],
    [
      'steps without numbers',
      fix('Open /etc/teapot.conf.\nSet "deny = 3".\nRestart the teapot.'),
      ['fix_numbers: Open /etc/teapot.conf.\nSet "deny = 3".\nRestart the teapot.'],
    ],
    ['demands, of which none comes first', fix('Configure /etc/teapot.conf.\nEnsure "deny = 3".\nUse a teapot.'), []],
    ['numbered steps', fix('1. Open /etc/teapot.conf.\n2. Set "deny = 3".\n3. Restart it.'), []],
    ['weak words of a fix', fix('Set "deny = 3" in /etc/teapot.conf, which shall stay.'), ['fix_word: shall']],
    [
      'the fix of another rule',
      fix('Encrypt all removable disks before shipping them abroad.'),
      ['fix_check: Encrypt all removable disks before shipping them abroad.'],
    ],
    [
      'a fix that has a name of the check',
      {
        check: `Look at /etc/samba.conf whether "min protocol" leaves SMBv1 out.${FINDING}`,
        ...fix('Turn SMBv1 off, which each mounted share, printer, copier, scanner and door will notice.'),
      },
      [],
    ],
    [
      'quotes that are not plain',
      fix('Set \u201cdeny = 3\u201d in /etc/teapot.conf.'),
      ['plain_quotes: \u201c', 'plain_quotes: \u201d'],
    ],
    [
      'special characters, but not letters of names',
      fix('Set "deny = 3" in /etc/teapot.conf \u2013 as Zoë said\u2026'),
      ['plain_characters: \u2013', 'plain_characters: \u2026'],
    ],
    [
      'damaged characters',
      fix('Set "deny = 3" in the teapot\u00e2\u20ac\u2122s file.'),
      ['plain_characters: \u00e2\u20ac\u2122'],
    ],
    [
      'formatting, but not what is configured',
      fix('Set **deny** to <b>3</b> in the <Valve> of /etc/teapot.conf.'),
      ['plain_format: **deny**', 'plain_format: <b>', 'plain_format: </b>'],
    ],
    ['no check', { check: null }, ['check_missing: ']],
    ['no fix', fix(''), ['fix_missing: ']],
    ['no severity', { severity: 'unknown' }, ['severity_missing: ']],
    [
      'a severity that nobody explains',
      { requirement: { severity: 'high', discussion: null } },
      ['severity_guidance: '],
    ],
    [
      'a severity that is explained',
      { requirement: { severity: 'high', discussion: null }, texts: { severity_override_guidance: 'Only tea.' } },
      [],
    ],
  ])('are reported: %s', (_, words, expected) => {
    expect(describeAdvice(words)).toEqual(expected)
  })

  it.each([
    ['title', { title: 'The teapot should pour limited tea.' }, 'must'],
    ['fixtext', fix('Please set "deny = 3" in /etc/teapot.conf.'), 'S'],
    ['fixtext', fix('Set "deny = 3" in /etc/teapot.conf\u00a0now.'), ' '],
  ])('get a suggestion for the %s', (_, words, suggestion) => {
    expect(adviseOn(rule(words)).map((finding) => finding.suggestion)).toEqual([suggestion])
  })

  it('count places as strings of JavaScript do', () => {
    const [first] = adviseOn(rule({ title: '\u{1fad6} The teapot should pour limited tea.' }))
    // The picture is no plain character, and is two code units.
    expect(first).toMatchObject({ code: 'plain_characters', start: 0, end: 2 })
  })

  it('are listed up to a hundred of a kind, and the rest is counted', () => {
    const quotes = `Set "deny = 3" in /etc/teapot.conf.${' \u201c'.repeat(150)}`
    const advice = adviseOn(rule(fix(quotes)))
    expect(advice).toHaveLength(100)
    expect(advice.at(-1)?.message).toContain('50 more')
  })

  it('are listed up to a hundred of each kind', () => {
    const odd = `Set "deny = 3" in /etc/teapot.conf.${' \u201c \u2013'.repeat(150)}`
    const counts = adviseOn(rule(fix(odd))).map(({ code }) => code)
    expect(counts.filter((code) => code === 'plain_quotes')).toHaveLength(100)
    expect(counts.filter((code) => code === 'plain_characters')).toHaveLength(100)
  })

  it('need one finding among several checks', () => {
    const written = rule()
    const checks = [{ id: 8, content: 'Look at the teapot.' }, ...written.checks]
    expect(adviseOn({ ...written, checks: checks })).toEqual([])
  })
})

describe('Advice by status', () => {
  const wrong = { title: 'Tea.', check: 'Tea.', ...fix('Tea.') }

  it.each<[Words, readonly string[]]>([
    [{ ...wrong, status: 'Not Yet Determined' }, []],
    [{ ...wrong, status: 'Applicable - Inherently Meets' }, ['justification_missing: ', 'artifact_missing: ']],
    [
      {
        status: 'Applicable - Inherently Meets',
        texts: { status_justification: 'It\u2019s so.', artifact_description: 'Trust us.' },
      },
      ['plain_quotes: \u2019', 'evidence_kind: Trust us.'],
    ],
    [{ ...wrong, status: 'Applicable - Does Not Meet' }, ['justification_missing: ', 'mitigation_missing: ']],
    [{ ...wrong, status: 'Not Applicable', severity: 'unknown' }, ['justification_missing: ']],
    [
      {
        status: 'Not Applicable',
        texts: { status_justification: 'None.', vuln_discussion: 'Mine.' },
        requirement: { severity: 'low', discussion: 'Theirs.' },
      },
      ['discussion_not_applicable: Mine.'],
    ],
    [
      {
        status: 'Not Applicable',
        texts: { status_justification: 'None.', vuln_discussion: 'Theirs. ' },
        requirement: { severity: 'low', discussion: 'Theirs.' },
      },
      [],
    ],
    [{ ...wrong, isSatisfied: true }, []],
    [{ ...wrong, kind: 'srg', status: 'Not Applicable' }, ['justification_missing: ']],
    [{ kind: 'srg', status: 'Applicable', title: 'A teapot pours.' }, ['title_must: A teapot pours.']],
    [{ kind: 'srg', status: 'Not Yet Determined', title: 'A teapot shall pour.' }, ['title_should: shall']],
  ])('of %o', (words, expected) => {
    expect(describeAdvice(words)).toEqual(expected)
  })

  const THREE = ['Applicable - Configurable', 'Applicable - Inherently Meets', 'Applicable - Does Not Meet'] as const

  it.each([
    ['stig', 'Not Yet Determined', [], []],
    ['stig', THREE[0], ['vendor_comments', 'severity_override_guidance'], ['content', 'fixtext']],
    [
      'stig',
      THREE[1],
      ['status_justification', 'artifact_description', 'vendor_comments', 'severity_override_guidance'],
      ['status_justification', 'artifact_description'],
    ],
    [
      'stig',
      THREE[2],
      ['status_justification', 'vendor_comments', 'mitigations', 'severity_override_guidance'],
      ['status_justification', 'mitigations'],
    ],
    [
      'stig',
      'Not Applicable',
      ['status_justification', 'artifact_description', 'vendor_comments'],
      ['status_justification'],
    ],
    ['stig', 'Applicable', [], []],
    ['srg', 'Not Yet Determined', [], []],
    ['srg', 'Applicable', ['vendor_comments'], ['content', 'fixtext']],
    ['srg', 'Not Applicable', ['status_justification'], ['status_justification']],
    ['srg', THREE[0], [], []],
  ] as const)('reads and asks for the texts of a %s rule that is %s', (kind, status, texts, required) => {
    const row = statusRowOf(rule({ status, kind }))
    expect(row.texts).toEqual(texts)
    expect(row.required.map(({ name }) => name)).toEqual(required)
  })

  it.each([
    ['stig', 'Not Yet Determined', false, false],
    ['stig', THREE[0], true, true],
    ['stig', THREE[1], false, true],
    ['stig', THREE[2], false, true],
    ['stig', 'Not Applicable', false, false],
    ['srg', 'Not Yet Determined', true, false],
    ['srg', 'Applicable', true, true],
    ['srg', 'Not Applicable', false, false],
  ] as const)(
    "knows whether words and severity of a %s rule that is %s are its author's",
    (kind, status, words, hasSeverity) => {
      expect(statusRowOf(rule({ status, kind }))).toMatchObject({ isWritten: words, hasSeverity: hasSeverity })
    },
  )
})
