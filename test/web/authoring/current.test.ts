// @module-tag long

import { expect, it } from 'vitest'
import { openAs } from '../../support/author-window.ts'
import { makeComponent } from '../../support/authoring.ts'
import { browserFound, chromiumBrowser } from '../../support/browser.ts'
import { guidanceService } from '../../support/guidance.ts'

const guidance = guidanceService()
const surf = chromiumBrowser()

/** Links to the current place: `Projects true` is the part, `Members page` the page itself. */
const CURRENT = `[...document.querySelectorAll(
  ':is(.shell-header, nav[aria-label^="Pages of"], nav[aria-label=Administration]) a[aria-current]',
)].map((a) => a.firstChild.textContent.trim() + ' ' + a.getAttribute('aria-current'))`

/** Links that are said to be the page while they lead to another state of it. */
const ELSEWHERE = `[...document.querySelectorAll('a[aria-current=page]')]
  .filter((a) => a.search !== location.search && a.pathname === location.pathname)
  .map((a) => a.textContent.trim() + ' ' + a.getAttribute('href'))`

it.runIf(browserFound)('The breadcrumb follows the direction of the page with any names of its parts', async () => {
  const owner = await guidance().signUp('Owner')
  const id = await guidance().project(owner, { name: 'مشروع (v2)' })
  const page = await openAs(await surf(guidance().service.baseUrl), owner.email, `/projects/${id}/members`)
  const breadcrumb = page.getByRole('navigation', { name: 'Breadcrumb' })
  await breadcrumb.getByRole('link', { name: 'مشروع (v2)' }).waitFor()
  const runs = (selector: string) =>
    page.evaluate(`[...document.querySelectorAll('.trail ${selector}')].map((one) => getComputedStyle(one).direction)`)
  expect([await runs('li'), await runs('a')]).toEqual([
    ['ltr', 'ltr'],
    ['ltr', 'rtl'],
  ])
  await page.goto(page.url().replace('/members', ''))
  await page.getByRole('heading', { name: 'مشروع (v2)', level: 1 }).waitFor()
  expect(await page.locator('h1:dir(rtl)').count()).toBe(1)
})

it.runIf(browserFound)('A refused page of a component names the people to ask', async () => {
  const owner = await guidance().signUp('Odile')
  const projectId = await guidance().project(owner, { name: 'Known', visibility: 'discoverable' })
  const { id } = await makeComponent(guidance(), owner, { projectId })
  const stranger = await guidance().person('Stranger')
  const surfer = await surf(guidance().service.baseUrl)
  const page = await openAs(surfer, stranger.email, `/components/${id}/readiness`)
  const asked = page.getByRole('alert').getByRole('link', { name: 'Odile' })
  expect(await asked.first().getAttribute('href')).toBe(`mailto:${owner.email}`)
})

it.runIf(browserFound)('Every page marks itself in the navigation', async () => {
  const owner = await guidance().signUp('Root', { admin: true })
  const projectId = await guidance().project(owner)
  const { id } = await makeComponent(guidance(), owner, { projectId })
  const project = `/projects/${projectId}`
  const component = `/components/${id}`
  const places: readonly (readonly [string, ...string[]])[] = [
    ['/matrix', 'Defenses page'],
    ['/technique/d3f:FileIntegrityMonitoring', 'Defenses true'],
    ['/guidance', 'Guidance page'],
    ['/srgs/1', 'Guidance true'],
    ['/coverage', 'Coverage page'],
    ['/home', 'My work page', 'Overview page'],
    ['/projects', 'My work true', 'Projects page'],
    ['/projects/new', 'My work true'],
    [project, 'My work true', 'Components page'],
    [`${project}/components/new`, 'My work true', 'Components true'],
    [`${project}/members`, 'My work true', 'Members page'],
    [component, 'My work true', 'Rules page'],
    [`${component}/triage`, 'My work true', 'Comments page'],
    [`${component}/compare`, 'My work true', 'Compare page'],
    [`${component}/compare/${id}`, 'My work true', 'Compare true'],
    [`${component}/settings`, 'My work true', 'Settings page'],
    ['/comments', 'My work true', 'My comments page'],
    ['/administration', 'Users page'],
    ['/administration/audits', 'Audit log page'],
    ['/catalogue/upload', 'STIG and SRG upload page'],
  ]
  const page = await openAs(await surf(guidance().service.baseUrl), owner.email, '/home')
  for (const [path, ...expected] of places) {
    await page.goto(guidance().service.baseUrl + path)
    await expect.poll(() => page.evaluate(CURRENT), { message: path }).toEqual(expected)
    expect(await page.evaluate(ELSEWHERE), path).toEqual([])
  }
})
