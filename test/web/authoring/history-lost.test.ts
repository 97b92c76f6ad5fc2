// @module-tag long

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { openAs } from '../../support/author-window.ts'
import { makeComponent, type MadeComponent } from '../../support/authoring.ts'
import { browserFound, chromiumBrowser } from '../../support/browser.ts'
import { guidanceService, type SessionClient } from '../../support/guidance.ts'

const guidance = guidanceService()
const ADA = 'ada@example.org'
const PATIENCE = { timeout: 20_000 }

describe.runIf(browserFound)('A history that is opened while the connection is lost', () => {
  const surf = chromiumBrowser()
  let session: SessionClient
  let projectId = 0
  let made: MadeComponent

  beforeAll(async () => {
    const ada = await guidance().person('Ada')
    session = await guidance().signIn(ADA)
    projectId = await guidance().project(session, { name: 'Kitchen' })
    made = await makeComponent(guidance(), ada, { projectId, rules: 3 })
  })

  async function open(path: string): Promise<Page> {
    return openAs(await surf(guidance().service.baseUrl), ADA, path)
  }

  async function changeStatus(rule: number): Promise<void> {
    const body = { rule: { status: 'Applicable - Does Not Meet' } }
    expect((await session.call('PUT', `/rules/${rule}`, { body })).status).toBe(200)
  }

  it('has changes made before its first answer: of a rule', async () => {
    const page = await open(`/components/${made.id}?rule=TEAP-00-000001`)
    const status = page.getByRole('combobox', { name: 'Status' })
    await status.waitFor()
    let arrive = (): void => undefined
    const arrived = new Promise<void>((resolve) => (arrive = resolve))
    let isAsked = false
    await page.route('**/rules/*?histories=folded', async (route) => {
      if (isAsked) return route.continue()
      isAsked = true
      const response = await route.fetch()
      await arrived
      return route.fulfill({ response })
    })
    const panels = page.getByRole('navigation', { name: 'Panels' })
    await panels.getByRole('link', { name: 'History' }).click()
    await expect.poll(() => isAsked).toBe(true)
    await changeStatus(made.rules[0] ?? 0)
    await expect.poll(() => status.inputValue(), PATIENCE).toBe('Applicable - Does Not Meet')
    arrive()
    await page.locator('#panel li', { hasText: 'Does Not Meet' }).waitFor()
  })

  it('has changes made until the connection is restored: of a rule', async () => {
    const page = await open(`/components/${made.id}?rule=TEAP-00-000002`)
    const panels = page.getByRole('navigation', { name: 'Panels' })
    await panels.getByRole('link', { name: 'History' }).click()
    await page.locator('#panel ol').waitFor()
    await panels.getByRole('link', { name: 'SRG', exact: true }).click()
    await page.context().setOffline(true)
    await panels.getByRole('link', { name: 'History' }).click()
    await changeStatus(made.rules[1] ?? 0)
    await page.context().setOffline(false)
    await page.locator('#panel li', { hasText: 'Does Not Meet' }).waitFor()
  })

  it('has changes made until the connection is restored: of a project', async () => {
    const page = await open(`/projects/${projectId}/history`)
    const rows = page.locator('main').getByRole('row')
    await rows.nth(1).waitFor()
    const before = await rows.count()
    await page.context().setOffline(true)
    const body = { project: { description: 'With a samovar' } }
    expect((await session.call('PUT', `/projects/${projectId}`, { body })).status).toBe(200)
    await page.context().setOffline(false)
    await expect.poll(() => rows.count(), PATIENCE).toBe(before + 1)
  })
})
