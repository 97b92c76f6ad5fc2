// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { citationsIn, pageAtMitre, withoutCitations } from '../../src/web/application/ontology/attack/mitre.ts'
import { pathsOfRule, wordsOfPath } from '../../src/web/application/ontology/attack/paths.ts'
import { attackBundle, collection, relation, stixObject, storeAttack, technique } from '../support/attack-bundle.ts'
import { browserFound, chromiumBrowser, type Visit } from '../support/browser.ts'
import { store } from '../support/catalogue.ts'
import { guidanceService } from '../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../support/page-check.ts'
import { STARTER } from '../support/service.ts'

const loaded = guidanceService({}, undefined, STARTER)
const bare = guidanceService({}, undefined, STARTER)

const HOSTILE = '<img src=x onerror=alert(1)> &lt;b&gt;'
const GUESSING = technique('T1110.001', 'Password Guessing', {
  description: `Guess what it is. ${HOSTILE} (Citation: Tea Review)`,
  x_mitre_platforms: ['Linux', 'Windows'],
  x_mitre_detection: 'Count the failures.',
})
const LOCKING = stixObject({ type: 'course-of-action', attackId: 'M1036', name: 'Account Use Policies' })
const GUESTS = stixObject({ type: 'intrusion-set', attackId: 'G9001', name: 'The Guests' })
const TACTIC = stixObject(
  { type: 'x-mitre-tactic', attackId: 'TA9001', name: 'Spilling' },
  { x_mitre_shortname: 'spilling' },
)

beforeAll(async () => {
  if (!browserFound) return
  const rules = [{ id: 'SV-1r1_rule', version: 'TEAP-01', title: HOSTILE, severity: 'high', cci: ['CCI-000774'] }]
  await store(loaded(), { rules })
  const bundle = attackBundle([
    collection('18.1'),
    TACTIC,
    GUESSING,
    LOCKING,
    GUESTS,
    relation('mitigates', LOCKING, GUESSING, { description: 'Lock after ten.' }),
    relation('uses', GUESTS, GUESSING, { description: 'They tried tea.' }),
  ])
  await storeAttack(loaded().service.guidance.database, bundle)
})

describe.runIf(browserFound)('The page of an attack', () => {
  const surf = chromiumBrowser()
  const PATH = '/offensive-technique/attack/T1110.001/'

  async function open(under = loaded()): Promise<Visit> {
    return (await surf(under.service.baseUrl)).open(PATH)
  }

  it('shows the rules that apply, by product and path', async () => {
    const visit = await open()
    const { page } = visit
    const rules = page.getByRole('region', { name: 'Rules that apply' })
    await rules.getByRole('link', { name: 'TEAP-01' }).waitFor()
    expect(await rules.innerText()).toContain('CCI-000774 (IA-2 (8)) → narrower One-time Password')
    expect(await rules.innerText()).toContain(HOSTILE)
    const techniques = page.getByRole('region', { name: 'Techniques that lead to rules' })
    expect(await techniques.innerText()).toContain('accesses Password ← use-limits')
    await expectSound(visit)
  })

  it('shows the text of ATT&CK, with its licence line and the page at MITRE', async () => {
    const { page } = await open()
    await page.getByText('Lock after ten.').waitFor()
    const text = await page.locator('main').innerText()
    for (const part of ['Enterprise', 'Linux, Windows', 'Count the failures.', 'They tried tea.', HOSTILE])
      expect(text).toContain(part)
    expect(text).toContain('reproduced and distributed with the permission of The MITRE Corporation')
    expect(text).not.toContain('Citation')
    const link = page.getByRole('link', { name: 'T1110.001 at MITRE' })
    expect(await link.getAttribute('href')).toBe('https://attack.mitre.org/techniques/T1110/001/')
  })

  it('says how to load ATT&CK if it is not loaded', async () => {
    const visit = await open(bare())
    await visit.page.getByText('npm run import -- enterprise-attack.json').waitFor()
    await visit.page.getByText('No rule of a stored STIG cites a CCI').waitFor()
    expect(visit.troubles).toEqual([])
  })

  it('says in one sentence that there is no such attack, and leads to the nearest ones and to the search', async () => {
    const { page } = await (await surf(bare().service.baseUrl)).open('/offensive-technique/attack/T11100/')
    await page.getByText('There is no attack "T11100" in release').waitFor()
    await page.getByRole('link', { name: 'T1110 Brute Force', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Search for “T11100”' }).click()
    await page.getByRole('heading', { name: /T11100/, level: 1 }).waitFor()
  })

  it('says that no technique counters an attack', async () => {
    const visit = await (await surf(bare().service.baseUrl)).open('/offensive-technique/attack/T1583/')
    await visit.page.getByText('No technique of this release counters it').waitFor()
    await visit.page.getByText('No rule applies: no technique of release').waitFor()
    await expectNoTroubles(visit)
  })
})

describe('The paths of a rule', () => {
  it('use its own CCIs only, each once', () => {
    const link = { cci: 'CCI-000015', cci_control: 'AC-2 (1)', relation: 'broader' }
    const ccis = [link, { ...link }, { ...link, cci: 'CCI-000016' }]
    const counteringTechnique = { id: 'd3f:AccountLocking', label: 'Account Locking', ccis }
    expect(pathsOfRule([counteringTechnique], ['CCI-000015', 'CCI-000366'])).toEqual([
      { text: 'CCI-000015 (AC-2 (1)) → broader', technique: 'd3f:AccountLocking', label: 'Account Locking' },
    ])
  })

  it('are in words', () => {
    const path = ['d3f:T1', 'accesses', 'd3f:Password', 'rdfs:subClassOf+', 'd3f:Credential', '^deletes', 'd3f:X']
    expect(wordsOfPath(path)).toBe('accesses Password → a kind of Credential ← deletes')
  })
})

describe('Text with links to MITRE', () => {
  it.each([
    ['T1110', 'https://attack.mitre.org/techniques/T1110/'],
    ['T1110.001', 'https://attack.mitre.org/techniques/T1110/001/'],
    ['AML.T0001', null],
    ['T1110/../x', null],
  ])('of %s is %s', (id, address) => {
    expect(pageAtMitre(id)).toBe(address)
  })

  it('has no names of sources, which are listed', () => {
    expect(withoutCitations('Guess. (Citation: A B) Again.')).toBe('Guess. Again.')
    expect(citationsIn('Guess.(Citation: A B)(Citation: C) Again. (Citation: A B)')).toEqual(['A B', 'C'])
  })
})
