// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { PAGES_OF_API_PATHS } from '../../src/web/paths/account.ts'
import { PATHS } from '../../src/web/paths/paths.ts'
import { makeComponent, type MadeComponent } from '../support/authoring.ts'
import { browserFound, chromiumBrowser, fillInSignIn } from '../support/browser.ts'
import { guidanceService, PASSWORD } from '../support/guidance.ts'
import { spreadOf } from '../support/runs.ts'

const guidance = guidanceService()

/** Paths that everybody may read, or that links in mails lead to. */
const OPEN: readonly string[] = [
  'start',
  'setup',
  'signIn',
  'signUp',
  'forgottenPassword',
  'newPassword',
  'confirmation',
  'unlock',
  'matrix',
  'attacks',
  'tactic',
  'technique',
  'artifact',
  'attack',
  'weakness',
  'subject',
  'changes',
  'guidance',
  'benchmark',
  'benchmarkRule',
  'benchmarkChanges',
  'requirement',
  'stigs',
  'stig',
  'stigComparison',
  'srgs',
  'srg',
  'srgComparison',
  'cci',
  'control',
  'search',
  'coverage',
  'ownList',
  'sparql',
  'api',
]
const CLOSED = spreadOf(
  Object.entries(PATHS).filter(([name]) => !OPEN.includes(name)),
  12,
)

describe.runIf(browserFound)('A person who has not signed in', () => {
  const surf = chromiumBrowser()
  let made: MadeComponent

  beforeAll(async () => {
    const ada = await guidance().signUp('Ada', { admin: true })
    const projectId = await guidance().project(ada)
    made = await makeComponent(guidance(), ada, { projectId })
  })

  it.each(CLOSED)('is sent to the sign-in by the page %s', async (_name, path) => {
    const { page } = await (await surf(guidance().service.baseUrl)).open(path.replaceAll(/:\w+/g, '1'))
    const signInLink = page.locator('main').getByRole('link', { name: 'Sign in', exact: true })
    await signInLink.or(page.getByLabel('E-mail address')).first().waitFor()
  })

  it.each(Object.keys(PAGES_OF_API_PATHS))('is sent to the sign-in by the address %s', async (path) => {
    const { page } = await (await surf(guidance().service.baseUrl)).open(path)
    const signInLink = page.locator('main').getByRole('link', { name: 'Sign in', exact: true })
    await signInLink.or(page.getByLabel('E-mail address')).first().waitFor()
  })

  it('gets to the tokens from their address after signing in', async () => {
    const { page } = await (await surf(guidance().service.baseUrl)).open('/personal_access_tokens')
    await fillInSignIn(page, 'ada@example.org', PASSWORD)
    await page.getByRole('heading', { name: 'Personal access tokens' }).waitFor()
    expect(page.url()).toBe(`${guidance().service.baseUrl}/account#tokens`)
  })

  it('gets to an answer of the API from its address after signing in', async () => {
    const path = `/rules/${made.rules[0]}?view=x`
    const { page } = await (await surf(guidance().service.baseUrl)).open(path)
    expect(page.url()).toContain(`/users/sign_in?return_to=${encodeURIComponent(path)}`)
    await fillInSignIn(page, 'ada@example.org', PASSWORD)
    await page.waitForURL(`**${path}`)
    expect(await page.locator('body').innerText()).toContain('"component_id"')
  })

  it.each([
    ['application/json', {}],
    ['*/*', {}],
    ['text/html', { authorization: 'Token nothing' }],
  ])('is refused as a program that accepts %s', async (accept, others) => {
    const url = `${guidance().service.baseUrl}/rules/1`
    const headers = { accept, ...others }
    const answer = await fetch(url, { headers, redirect: 'manual' })
    await answer.text()
    expect(answer.status).toBe(401)
  })
})
