// @module-tag long

import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { auditParameters } from '../../../src/web/application/administration/audits/filters.ts'
import { comparedReleases, toastOf } from '../../../src/web/application/administration/releases/changes.ts'
import { matchingUsers } from '../../../src/web/application/administration/users/matching.ts'
import { signedInPageOpener } from '../../support/author-window.ts'
import { browserFound } from '../../support/browser.ts'
import { alter } from '../../support/guidance-records.ts'
import { guidanceService, type Person } from '../../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../../support/page-check.ts'
import { cciList } from '../../support/reference-data.ts'
import { enrolCodes } from '../../support/second-factor.ts'
import { ingestInto } from '../../support/service.ts'

const guidance = guidanceService()
const TEN = 'test/fixtures/ontology/ten.ttl'
const OTHER_PASSWORD = 'Another-Horse-43-!Nail'

describe('The filters of the audit log', () => {
  it('are those of the address; invalid values count as none', () => {
    expect(auditParameters({ type: 'Rule', record: '7', action: 'odd', actor: '-1', page: 'x' })).toEqual({
      auditable_type: 'Rule',
      auditable_id: 7,
      page: 1,
      per_page: 50,
    })
    expect(auditParameters({ from: '2026-01-31', until: '2026-01-31' })).toMatchObject({
      since: '2026-01-31T00:00:00.000Z',
      until: '2026-02-01T00:00:00.000Z',
    })
    expect(auditParameters({ from: "' or 1=1", project: '3' })).toEqual({ project_id: 3, page: 1, per_page: 50 })
    expect(auditParameters({ action: 'toString' })).toEqual({ page: 1, per_page: 50 })
    expect(auditParameters({ action: 'destroy' })).toMatchObject({ action: 'destroy' })
  })
})

describe('The list of users', () => {
  const user = {
    id: 1,
    name: 'Ada Lovelace',
    email: 'ada@example.org',
    admin: true,
    provider: null,
    locked_at: null,
    confirmed_at: '2026-01-01',
    second_factors: 1,
  }

  it('is narrowed by words and by state', () => {
    const found = (text: string, state = ''): number => matchingUsers([user], { text, state }).length
    expect([found('LOVE ada'), found('ada bob'), found('', 'admin')]).toEqual([1, 0, 1])
    expect([found('', 'locked'), found('', 'unconfirmed'), found('', 'odd')]).toEqual([0, 0, 1])
    expect(found('', 'one-factor')).toBe(0)
    expect(matchingUsers([{ ...user, second_factors: 0 }], { text: '', state: 'one-factor' })).toHaveLength(1)
  })
})

describe('Releases', () => {
  it('are compared with the previous and with the active one', () => {
    const releases = ['3', '2', '1'].map((version) => ({ version }))
    const from = (active: string | null) =>
      comparedReleases(releases, active).map(({ comparisons }) => comparisons.map((comparison) => comparison.from))
    expect(from('3')).toEqual([['2'], ['1', '3'], ['3']])
    expect(from('2')).toEqual([['2'], ['1'], ['2']])
    expect(from(null)).toEqual([['2'], ['1'], []])
    const shownToast = toastOf({ active: '2', previous: '3', served: false }).toast
    expect([shownToast.title, shownToast.message]).toEqual([
      'Release 2 is active instead of 3.',
      'It is served once it is open.',
    ])
  })
})

describe.runIf(browserFound)('The administration', () => {
  const open = signedInPageOpener(guidance, 'root@example.org')
  let bob = 0
  let mona: Person

  beforeAll(async () => {
    await guidance().person('Root', { admin: true })
    bob = (await guidance().person('Bob')).id
    mona = await guidance().person('<b>Mona</b>', { email: 'mona@example.org' })
    const owner = await guidance().signIn('root@example.org')
    const project = await guidance().project(owner, { name: 'Teapots', visibility: 'discoverable' })
    const asking = await guidance().signIn(mona.email)
    await asking.call('POST', `/projects/${project}/project_access_requests`)
  })

  it('finds an account, locks it, and unlocks it', async () => {
    const visit = await open('/administration')
    const { page } = visit
    await page.getByText('3 of 3 users').waitFor()
    await page.getByRole('link', { name: '<b>Mona</b>' }).waitFor()
    await page.getByPlaceholder('Name or address …').fill('bob')
    await page.getByText('1 of 3 users').waitFor()
    await page.getByRole('link', { name: 'Bob', exact: true }).click()
    await page.getByRole('button', { name: 'Lock account' }).click()
    await page.getByRole('button', { name: 'Lock it' }).click()
    await page.getByText('User locked.').waitFor()
    await page.getByRole('button', { name: 'Unlock account' }).click()
    await page.getByText('User unlocked.').waitFor()
    await page.getByRole('button', { name: 'Make a reset link' }).click()
    expect(await page.getByLabel(/^It works once/).inputValue()).toContain('reset_password_token=')
    await expectSound(visit)
  })

  it('does not offer to lock oneself, and confirms the removal of an account', async () => {
    const { page } = await open(`/administration?user=${bob}`)
    await page.getByRole('button', { name: 'Remove account' }).click()
    await page.getByText('This cannot be undone; locking can.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('rowheader').getByRole('link', { name: 'Root', exact: true }).click()
    await page.getByText('You cannot lock your own account.').waitFor()
    await page.getByText('Your own tokens and password are on').waitFor()
    expect(await page.getByText('Set the password').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Lock account' }).isDisabled()).toBe(true)
  })

  it('creates an account next to the list, shows its link once, and closes it again', async () => {
    const visit = await open('/administration?state=admin')
    const { page } = visit
    await page.getByRole('link', { name: 'New user' }).press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('New user')
    await page.locator('#new-name').fill('Nora <i>')
    await page.locator('#new-email').fill('nora@example.org')
    await page.getByRole('button', { name: 'Create the account' }).press('Enter')
    await expect.poll(() => page.getByLabel(/shown only now$/).inputValue()).toContain('reset_password_token=')
    await expectSound(visit)
    // In a narrow window, what is open has the page.
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await page.getByRole('region', { name: 'Users' }).isVisible()).toBe(false)
    await page.getByRole('link', { name: 'Close' }).press('Enter')
    await page.getByRole('region', { name: 'Users' }).waitFor()
    expect(new URL(page.url()).search).toBe('?state=admin')
    await page.goto(`${guidance().service.baseUrl}/administration?filter=nora`)
    await page.getByRole('link', { name: 'Nora <i>' }).click()
    await page.getByRole('button', { name: 'Remove account' }).click()
    await page.getByRole('button', { name: 'Remove it' }).click()
    await page.getByText('No user matches.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('3 of 3 users').waitFor()
  })

  it('requires a second factor of an account, and resets one that is lost', async () => {
    await enrolCodes(await guidance().signIn('bob@example.org'))
    const visit = await open(`/administration?user=${bob}`)
    const { page } = visit
    await page.getByRole('button', { name: 'Require a second factor' }).click()
    await page.getByText('one second factor, and one is required of it').waitFor()
    await page.getByRole('button', { name: 'Reset the second factor' }).click()
    await page.getByRole('button', { name: 'Reset it' }).click()
    await page.getByText('Second factor reset.').waitFor()
    await page.getByRole('row', { name: 'Bob' }).getByText('missing', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Require it no longer' }).click()
    await page.getByText('The account has none.').waitFor()
    await expectSound(visit)
  })

  it('revokes a token with a reason, and sets a password', async () => {
    const robot = await guidance().token(mona, ['read'])
    const visit = await open(`/administration?user=${mona.id}`)
    const { page } = visit
    await page.getByRole('button', { name: 'Revoke Token of a test' }).click()
    await page.getByLabel('Reason, for the audit log').fill('It was <i>published</i>.')
    await expectNoTroubles(visit)
    expect((await robot.call('GET', '/api/auth/me')).status).toBe(200)
    await page.getByRole('button', { name: 'Revoke it' }).click()
    await page.getByText("Admin revoked 'Token of a test' for <b>Mona</b>.").waitFor()
    expect((await robot.call('GET', '/api/auth/me')).status).toBe(401)
    await page.getByText('The account has no valid token.').waitFor()

    await page.getByText('Set the password').click()
    const password = page.getByLabel('The new password, which you hand over')
    await password.fill('short')
    await page.getByRole('button', { name: 'Set it' }).click()
    await page.locator('#set-password-new-error').waitFor()
    await password.fill(OTHER_PASSWORD)
    await page.getByRole('button', { name: 'Set it' }).click()
    await page.getByText('Password set. Give it to the user.').waitFor()
    expect(await password.inputValue()).toBe('')
    await guidance().signIn(mona.email, OTHER_PASSWORD)
    await expectNoTroubles(visit, [`422 POST /users/${mona.id}/set_password`])
  })

  it('unlinks an identity, unless it is the only way to sign in', async () => {
    const { id, email } = await guidance().person('Ida')
    const created_at = new Date().toISOString()
    await alter(guidance(), async (writer) => {
      const identity = { user_id: id, provider: 'oidc', uid: 'ida', email, created_at } as const
      await writer.insertInto('identities').values(identity).execute()
      await writer.updateTable('users').set({ password_hash: null }).where('id', '=', id).execute()
    })
    const visit = await open(`/administration?user=${id}`)
    const { page } = visit
    const unlink = page.getByRole('button', { name: `Unlink OpenID Connect: ${email}` })
    await page.getByText('It is the only way in: a password has to be set first.').waitFor()
    expect(await unlink.isDisabled()).toBe(true)
    await expectNoTroubles(visit)
    await page.getByText('Set the password').click()
    await page.getByLabel('The new password, which you hand over').fill(OTHER_PASSWORD)
    await page.getByRole('button', { name: 'Set it' }).click()
    await page.getByText('The account has a local password').waitFor()
    await unlink.press('Enter')
    await page.getByText('all its sessions end').waitFor()
    await expectNoTroubles(visit)
    await page.getByRole('button', { name: 'Unlink it' }).press('Enter')
    await page.getByText('Identity unlinked.').waitFor()
    await page.getByText('and no identity at a provider.').waitFor()
  })

  it('says beforehand why the last administrator of the site or of a project cannot be removed', async () => {
    const { page } = await open('/administration?user=1')
    await page.getByText('Change name, address or role').click()
    await page.getByText('No other site administrator is left, so this stays.').waitFor()
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    expect([await button('Lock account').isDisabled(), await button('Remove account').isDisabled()]).toEqual([
      true,
      true,
    ])
    await page.getByText('Nobody else administers 1 project').waitFor()
    await page.getByRole('link', { name: 'Teapots' }).click()
    await page.getByRole('heading', { name: 'Teapots', level: 1 }).waitFor()
  })

  it('shows the audit log, and narrows it', async () => {
    const visit = await open('/administration/audits')
    const { page } = visit
    await page.getByRole('region', { name: 'Audit log' }).waitFor()
    await page.getByLabel('About').selectOption('Project')
    await page.getByText('1 entry').waitFor()
    await page.getByRole('table').getByText('Teapots').first().waitFor()
    await page.getByLabel('From (UTC)').fill('2100-01-01')
    await page.getByLabel('From (UTC)').blur()
    await page.getByText('No entry matches.').waitFor()
    await expectSound(visit)
    await page.getByRole('link', { name: 'Clear filters' }).press('Enter')
    await page.getByText(/^1 to 50 of|^\d+ entries/).waitFor()
    // In words of people, not of the API.
    for (const name of ['update', 'custom', 'PersonalAccessToken', 'nothing →'])
      expect(await page.getByText(name, { exact: false }).count(), name).toBe(0)
  })

  it('lists the releases of the ontology, activates one, rolls back, and removes one', async () => {
    const dataDir = join(guidance().service.folder.root, '..')
    for (const version of ['8.0.0', '9.0.0'])
      await ingestInto(dataDir, [TEN], { version, date: `203${version[0]}-01-01` })
    const visit = await open('/administration/releases')
    const { page } = visit
    const line = page.getByRole('row').filter({ hasText: '8.0.0' }).last()
    await line.getByRole('link', { name: 'from the served 9.0.0 to 8.0.0' }).waitFor()
    await page.getByRole('button', { name: 'Activate 8.0.0' }).press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Activate release 8.0.0')
    await expectNoTroubles(visit)
    await page.getByRole('button', { name: 'Cancel' }).press('Enter')
    await page.getByRole('button', { name: 'Activate 8.0.0' }).press('Enter')
    await page.getByRole('button', { name: 'Activate it' }).press('Enter')
    await page.getByText('Release 8.0.0 is active instead of 9.0.0.').waitFor()
    await line.getByText('served', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Roll back to 9.0.0' }).press('Enter')
    await page.getByRole('heading', { name: 'Roll back from 8.0.0 to 9.0.0' }).waitFor()
    await page.getByRole('button', { name: 'Roll back', exact: true }).click()
    await page.getByText('Release 9.0.0 is active instead of 8.0.0.').waitFor()
    await page.getByRole('button', { name: 'Remove 8.0.0' }).click()
    await page.getByLabel('Type the name of the release to remove it').fill('8.0.0')
    await page.getByRole('button', { name: 'Remove the release' }).click()
    await page.getByText('Release 8.0.0 was removed.').waitFor()
    expect((await guidance().nobody.call('GET', '/releases/8.0.0/api/matrix.json')).status).toBe(404)
    await expect.poll(() => line.count()).toBe(0)
    await expectSound(visit)
  })

  it.each([
    ['/administration/requests', 'Requests for access 1'],
    ['/administration/settings', 'Banner and terms of use'],
    ['/administration/reference-data', 'Not loaded'],
  ])('has %s', async (path, heading) => {
    const visit = await open(path)
    await visit.page.getByRole('heading', { name: heading }).waitFor()
    await expectSound(visit)
  })

  it('uploads reference data, and lists loaded versions', async () => {
    const visit = await open('/administration/reference-data')
    const { page } = visit
    await page.getByText('U_CCI_List.xml', { exact: true }).waitFor()
    const buffer = Buffer.from(cciList())
    await page
      .getByLabel('Files as their publishers give them')
      .setInputFiles({ name: 'U_CCI_List.xml', mimeType: 'text/xml', buffer })
    await page.getByText('CCI list 2026-01-05, 3 items').waitFor()
    await page.getByRole('row', { name: 'CCI list' }).filter({ hasText: '2026-01-05' }).first().waitFor()
    await expectSound(visit)
  })

  it.each(['audits', 'releases'])('tells others why not at %s, and asks for nothing', async (path) => {
    const visit = await open(`/administration/${path}`, 'bob@example.org')
    await visit.page.getByText('Only site administrators can use this page').waitFor()
    await visit.page.getByRole('button', { name: /^Account:/ }).click()
    const links = visit.page.getByRole('navigation', { name: 'Account', exact: true })
    await links.getByRole('link', { name: 'My comments' }).waitFor()
    expect(await links.getByRole('link', { name: 'Administration' }).count()).toBe(0)
    await visit.page.keyboard.press('Escape')
    await expectNoTroubles(visit)
  })
})
