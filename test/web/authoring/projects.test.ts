// @module-tag long

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { openSignedIn } from '../../support/author-window.ts'
import { makeComponent } from '../../support/authoring.ts'
import { browserFound, chromiumBrowser, fillInSignIn, type Visit } from '../../support/browser.ts'
import { guidanceService, PASSWORD, type Person } from '../../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../../support/page-check.ts'

const HOSTILE = `<img src=x onerror="document.title='taken'">`

const guidance = guidanceService()
const closed = guidanceService({ SERVICE_PROJECT_CREATION_ENABLED: 'false' })

describe.runIf(browserFound)('The pages of projects', () => {
  const surf = chromiumBrowser()
  let projectId = 0
  let ada: Person
  let vera: Person
  let otto: Person

  beforeAll(async () => {
    ada = await guidance().person('Ada')
    vera = await guidance().person('Vera')
    otto = await guidance().person('Otto')
    const owner = await guidance().signIn(ada.email)
    const project = { name: HOSTILE, description: HOSTILE, visibility: 'discoverable' }
    projectId = await guidance().project(owner, project)
    await guidance().member(projectId, vera, 'viewer')
    await makeComponent(guidance(), ada, { projectId, name: HOSTILE })
  })

  /** A browser of somebody who has signed in, at a page. */
  async function openAs({ email }: Person, path: string): Promise<Visit> {
    return openSignedIn(await surf(guidance().service.baseUrl), email, path)
  }

  it('list one’s own, and those to ask for access', async () => {
    const visit = await openAs(otto, '/projects')
    const { page } = visit
    await page.getByRole('link', { name: 'Ask for access 1' }).click()
    await page.getByRole('button', { name: /^Ask for access/ }).press('Enter')
    await page.getByText('Access requested.').waitFor()
    await expectSound(visit)
    await page.getByRole('link', { name: HOSTILE }).click()
    await page.getByText('You are not a member of this project').waitFor()
    await expectNoTroubles(visit, [`403 GET /projects/${projectId}`])
    await page.getByRole('button', { name: /^Withdraw the request/ }).click()
    await page.getByText('Access request cancelled.').waitFor()
  })

  it('create a project, and report errors next to the field', async () => {
    const { page, troubles } = await openAs(otto, '/projects/new')
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('   ')
    await name.press('Enter')
    await page.getByText("Name can't be blank").waitFor()
    expect(await name.getAttribute('aria-invalid')).toBe('true')
    await name.fill('Penguins')
    await page.getByLabel('Description').fill('Of the south,\nall of them')
    await page.getByLabel('Everybody who is signed in').press('Space')
    await expect.poll(() => formsKept(page)).toBe(1)
    await page.reload()
    await expect.poll(() => name.inputValue()).toBe('Penguins')
    expect(await page.getByLabel('Description').inputValue()).toBe('Of the south,\nall of them')
    expect(await page.getByLabel('Everybody who is signed in').isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Create the project' }).click()
    await page.getByRole('heading', { name: 'Penguins', level: 1 }).waitFor()
    await page.getByText('Project created.').waitFor()
    expect(await formsKept(page)).toBe(0)
    expect(troubles).toEqual(['422 POST /projects'])
  })

  it('keep no text for the next person after a sign-out', async () => {
    const { page } = await openAs(otto, '/projects/new')
    await page.getByLabel('Name', { exact: true }).fill('Secret plans')
    await expect.poll(() => formsKept(page)).toBe(1)
    await page.getByRole('button', { name: 'Account: Otto' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Signed out successfully.').waitFor()
    expect(await formsKept(page)).toBe(0)
  })

  it('keep text through the end of a session, and send it after another window has signed in', async () => {
    const { page } = await openAs(otto, '/projects/new')
    await page.getByLabel('Name', { exact: true }).fill('Kept')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Create the project' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Your session has ended' })
    await dialog.getByRole('button', { name: 'Back to the page' }).click()
    await page.getByText('Your session has ended.').waitFor()
    const opens = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'sign in in another window' }).click()
    const other = await opens
    await fillInSignIn(other, otto.email, PASSWORD)
    await other.waitForURL('**/home')
    await page.getByRole('button', { name: 'Create the project' }).click()
    await page.getByRole('heading', { name: 'Kept', level: 1 }).waitFor()
  })

  it('say of an unknown project that it may be for members, and link to none of its pages', async () => {
    const visit = await openAs(otto, '/components/999999')
    await visit.page.getByText('only its members may see it').first().waitFor()
    expect(await visit.page.getByRole('link', { name: 'Readiness' }).count()).toBe(0)
  })

  it('name the people who create projects instead of the form, if not everybody may', async () => {
    await closed().person('Paul')
    const surfer = await surf(closed().service.baseUrl)
    const visit = await surfer.open('/users/sign_in?return_to=/projects/new')
    await fillInSignIn(visit.page, 'paul@example.org', PASSWORD)
    await visit.page.getByText('Only site administrators begin projects here.').waitFor()
    expect(await visit.page.getByLabel('Name', { exact: true }).count()).toBe(0)
    await expectNoTroubles(visit)
  })

  it.each([
    ['', 'Components 1'],
    ['/members', 'Members 2'],
    ['/history', 'History:'],
    ['/settings', 'Export an archive'],
  ])('show a viewer the project at %s, and nothing that is refused', async (path, heading) => {
    const visit = await openAs(vera, `/projects/${projectId}${path}`)
    const { page } = visit
    await page.getByRole('heading', { name: heading }).waitFor()
    for (const name of ['New component', 'Webhooks'])
      expect(await page.getByRole('link', { name }).count(), name).toBe(0)
    for (const name of [/^Remove/, 'Save']) expect(await page.getByRole('button', { name }).count()).toBe(0)
    await expectNoTroubles(visit)
    expect(await page.title()).toContain(HOSTILE)
  })

  it('let an administrator add a member, change the role, and remove the member', async () => {
    const visit = await openAs(ada, `/projects/${projectId}/members`)
    const { page } = visit
    await page.getByText('A project keeps one administrator').waitFor()
    await page.getByLabel('Name or e-mail address').fill('otto')
    await page.getByRole('button', { name: 'Add Otto as author' }).press('Enter')
    await page.getByRole('heading', { name: 'Members 3' }).waitFor()
    await expectSound(visit)
    const role = page.getByLabel('Role of Otto')
    await page.route('**/memberships/*', (route) => route.abort(), { times: 1 })
    await role.selectOption('admin')
    await page.getByText('The service does not answer.').waitFor()
    expect(await role.inputValue()).toBe('author')
    await role.selectOption('reviewer')
    await page.getByText('The role is reviewer now.').waitFor()
    expect(await role.inputValue()).toBe('reviewer')
    page.once('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Remove Otto' }).click()
    await page.getByRole('heading', { name: 'Members 2' }).waitFor()
    expect(visit.troubles).toEqual([])
  })

  it('let an administrator grant and refuse requests', async () => {
    const asker = await guidance().signIn(otto.email)
    await asker.call('POST', `/projects/${projectId}/project_access_requests`)
    const { page, troubles } = await openAs(ada, `/projects/${projectId}/members`)
    page.once('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Refuse Otto' }).click()
    await page.getByText('Access request denied.').waitFor()
    await asker.call('POST', `/projects/${projectId}/project_access_requests`)
    await page.reload()
    await page.getByLabel('Role for Otto').selectOption('author')
    await page.getByRole('button', { name: 'Let in Otto' }).click()
    await page.getByText('The role is author.').waitFor()
    expect(troubles).toEqual([])
  })

  it('add a webhook, show its secret once, and report errors', async () => {
    const visit = await openAs(ada, `/projects/${projectId}/webhooks`)
    const { page } = visit
    await page.getByLabel('Address').fill('http://127.0.0.1/')
    await page.getByRole('button', { name: 'Add the webhook' }).click()
    await page.locator('[aria-invalid]').waitFor()
    await page.getByLabel('Address').fill('https://hooks.example.org/parapet')
    await page.getByLabel('rule.locked').check()
    await page.getByRole('button', { name: 'Add the webhook' }).click()
    await page.getByText('Copy the secret').waitFor()
    await page.getByRole('button', { name: /^Switch off/ }).click()
    await page.getByRole('button', { name: /^Switch on/ }).waitFor()
    await page.getByRole('link', { name: /^Deliveries/ }).click()
    await page.getByText('Nothing was sent there').waitFor()
    await expectSound(visit, [`422 POST /projects/${projectId}/webhooks`])
  })

  it('change a webhook, whose secret is replaced and never shown', async () => {
    const secret = 'A-secret-of-teapots-1'
    const visit = await openAs(ada, `/projects/${projectId}/webhooks`)
    const { page } = visit
    await page
      .getByRole('link', { name: /^Change https/ })
      .first()
      .press('Enter')
    await page.getByLabel('New secret').fill('short')
    await page.getByRole('button', { name: 'Save the webhook' }).click()
    await page.getByText('Secret is too short').waitFor()
    await page.getByLabel('New secret').fill(secret)
    await page.locator('li form').getByLabel('rule.locked').check()
    await expectNoTroubles(visit, [expect.stringMatching(/^422 PATCH \/webhooks\/\d+$/)])
    await page.getByRole('button', { name: 'Save the webhook' }).click()
    await page.getByText('Webhook updated.').waitFor()
    await page.locator('main li').getByText('rule.locked').first().waitFor()
    expect(await page.content()).not.toContain(secret)
  })

  it('keep typed text after an edit conflict, and then save it', async () => {
    const { page } = await openAs(ada, `/projects/${projectId}/settings`)
    await page.getByLabel('Description').fill('Mine')
    const other = await guidance().signIn(ada.email)
    const project = { description: 'Theirs' }
    await other.call('PATCH', `/projects/${projectId}`, { body: { project } })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody else changed it.').waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('Mine')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Project updated.').waitFor()
    const { body } = await other.call('GET', `/projects/${projectId}`)
    expect(body).toMatchObject({ description: 'Mine' })
  })

  it('import an archive after a preview', async () => {
    const owner = await guidance().signIn(ada.email)
    const { bytes } = await owner.call('GET', `/projects/${projectId}/export/json_archive`, {
      headers: { Accept: '*/*' },
    })
    const visit = await openAs(ada, `/projects/${projectId}/settings`)
    const { page } = visit
    const chosen = { name: 'archive.zip', mimeType: 'application/zip', buffer: bytes }
    await page.getByLabel('Archive (.zip)').setInputFiles(chosen)
    await page.getByText('The project has one of this name already.').waitFor()
    await expectSound(visit)
    // Changing an option checks the file again.
    const again = page.waitForResponse(/import_backup$/)
    await page.getByLabel('With comments and reviews').uncheck()
    await again
    const bringIn = page.getByRole('button', { name: 'Import 1 component' })
    await bringIn.click()
    await page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' })
    await page.getByText('Reading the archive…').waitFor({ state: 'detached' })
    const { body } = await owner.call('GET', `/projects/${projectId}`)
    expect(body).toMatchObject({ components: [{ name: HOSTILE }, { name: `${HOSTILE} (2)` }] })
    // Once more, under a name that is free.
    await page.getByLabel('Archive (.zip)').setInputFiles(chosen)
    await page.getByRole('textbox', { name: `Name of ${HOSTILE} here` }).waitFor()
    const proposed = page.getByRole('textbox', { name: `Name of ${HOSTILE} here` })
    expect(await proposed.inputValue()).toBe(`${HOSTILE} (3)`)
    expect(visit.troubles).toEqual([])
    await page.getByLabel('Archive (.zip)').setInputFiles({ ...chosen, buffer: Buffer.from('x') })
    await page.getByText('The zip is damaged').waitFor()
    expect(await bringIn.count()).toBe(0)
  })

  it('remove a project once its name has been typed', async () => {
    const owner = await guidance().signIn(ada.email)
    const doomed = await guidance().project(owner, { name: 'Doomed' })
    const { page, troubles } = await openAs(ada, `/projects/${doomed}/settings`)
    const button = page.getByRole('button', { name: 'Remove the project' })
    expect(await button.isDisabled()).toBe(true)
    await page.getByLabel('Type the name of the project').fill('Doomed')
    await button.click()
    await page.getByText('Project removed.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/projects')
    expect(troubles).toEqual([])
  })
})

function formsKept(page: Page): Promise<unknown> {
  return page.evaluate("Object.keys(sessionStorage).filter((key) => key.includes('.form.')).length")
}
