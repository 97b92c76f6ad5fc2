// @module-tag long

import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeComponent } from '../../support/authoring.ts'
import { browserFound, chromiumBrowser, fillInSignIn } from '../../support/browser.ts'
import { guidanceService, PASSWORD, type Person } from '../../support/guidance.ts'
import { isDeep } from '../../support/runs.ts'

const guidance = guidanceService()

/** A reviewer sees what an author sees, and a little more. */
const ROLES = isDeep ? (['viewer', 'author', 'reviewer', 'admin'] as const) : (['viewer', 'author'] as const)

const PROJECT = ['', '/members', '/triage', '/history', '/webhooks', '/settings', '/components/new']
const COMPONENT = [
  '',
  '?rule=TEAP-00-000001',
  '?tool=bulk',
  '?tool=replace',
  '/triage',
  '/triage?view=table&status=all',
  '/triage?view=rules&status=all',
  '/triage?view=split&status=all',
  '/readiness',
  '/release',
  '/spreadsheet',
  '/settings',
  '/questions',
  '/calendar',
  ...['advice', 'review', 'comments', 'history', 'satisfies', 'related', 'defends', 'evidence', 'inspec'].map(
    (panel) => `?rule=TEAP-00-000001&panel=${panel}`,
  ),
]

/** A control on a page, with the operation that it uses. */
interface Offer {
  readonly at: 'project' | 'component'
  readonly path: string
  readonly shown: (page: Page) => Locator
  readonly asks: readonly [method: string, path: string, body?: Readonly<Record<string, unknown>>]
}

const OFFERS: readonly Offer[] = [
  {
    at: 'project',
    path: '/webhooks',
    asks: ['GET', '/webhooks'],
    shown: (page) => page.getByRole('button', { name: 'Add the webhook' }),
  },
  {
    at: 'component',
    path: '/settings',
    shown: (page) => page.getByRole('button', { name: 'Save', exact: true }),
    asks: ['PUT', '', { component: { description: 'Pots.' } }],
  },
  {
    at: 'component',
    path: '/questions',
    shown: (page) => page.getByRole('button', { name: 'Add a question' }),
    asks: ['PUT', '', { component: { additional_questions_attributes: [] } }],
  },
  {
    at: 'component',
    path: '/calendar',
    shown: (page) => page.getByRole('button', { name: 'Lay out' }),
    asks: ['POST', '/milestones/plan', { start_on: '2026-01-05' }],
  },
  {
    at: 'component',
    path: '?rule=TEAP-00-000001&panel=evidence',
    shown: (page) => page.getByLabel('Attach a file'),
    asks: ['PUT', '', { component: { description: 'Pots.' } }],
  },
  {
    at: 'component',
    path: '/release',
    shown: (page) => page.getByRole('button', { name: /^Release / }),
    asks: ['PATCH', '', { component: { released: true } }],
  },
  {
    at: 'component',
    path: '/release',
    asks: ['GET', '/export/disposition_csv'],
    shown: (page) => page.getByLabel('Disposition of comments (CSV)'),
  },
  {
    at: 'component',
    path: '/readiness',
    shown: (page) => page.getByRole('button', { name: 'Lock all that are complete' }),
    asks: ['POST', '/lock', { review: { action: 'lock_control', comment: 'Done.' } }],
  },
]

describe.runIf(browserFound)('The pages of authors', () => {
  const surf = chromiumBrowser()
  const places = { project: '', component: '' }
  const people = new Map<string, Person>()

  beforeAll(async () => {
    const owner = await guidance().signUp('Olga')
    const projectId = await guidance().project(owner)
    for (const role of ROLES) {
      const person = await guidance().person(`${role}y`)
      people.set(role, person)
      await guidance().member(projectId, person, role)
    }
    const { id, rules } = await makeComponent(guidance(), owner, { projectId })
    const author = await guidance().signIn(owner.email)
    const review = { action: 'comment', comment: 'Why?' }
    await author.call('POST', `/rules/${rules[0]}/reviews`, { body: { review } })
    places.project = `/projects/${projectId}`
    places.component = `/components/${id}`
  })

  it.each(ROLES)('request nothing that is refused to role %s, and offer the rest', async (role) => {
    const email = people.get(role)?.email ?? ''
    const surfer = await surf(guidance().service.baseUrl)
    const { page, troubles } = await surfer.open('/users/sign_in?return_to=/home')
    await fillInSignIn(page, email, PASSWORD)
    await page.getByRole('heading', { name: 'My work', level: 1 }).waitFor()
    const before = troubles.length
    const paths = [
      '/home',
      '/projects',
      '/projects/new',
      '/comments',
      '/stigs',
      '/srgs',
      '/account',
      ...PROJECT.map((path) => places.project + path),
      ...COMPONENT.map((path) => places.component + path),
    ]
    for (const path of paths) {
      await go(page, path)
      expect([path, troubles.slice(before)]).toEqual([path, []])
    }
    const client = await guidance().signIn(email)
    for (const { at, path, shown, asks } of OFFERS) {
      await go(page, places[at] + path)
      const [method, below, body] = asks
      const headers = { Accept: '*/*' }
      const { status } = await client.call(method, places[at] + below, { body, headers })
      const offered = async () => [path, below, (await shown(page).count()) > 0]
      await expect.poll(offered).toEqual([path, below, status !== 403])
    }
  })
})

/** Goes there within the application, which is most of the work of a page less. */
async function go(page: Page, path: string): Promise<void> {
  await page.evaluate(`{
    history.pushState({}, '', ${JSON.stringify(path)})
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  }`)
  await page.waitForLoadState('networkidle')
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  expect(await page.locator('h1').count(), path).toBe(1)
}
