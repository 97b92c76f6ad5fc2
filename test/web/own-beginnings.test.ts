// @module-tag long

import { describe, expect, it } from 'vitest'
import { SESSION_MARK } from '../../src/web/paths/session-mark.ts'
import { openSignedIn } from '../support/author-window.ts'
import { browserFound, chromiumBrowser } from '../support/browser.ts'
import { guidanceService, PASSWORD } from '../support/guidance.ts'
import { STARTER } from '../support/service.ts'
import { teapotScene } from '../support/teapot-scene.ts'

const guidance = guidanceService({}, undefined, STARTER)
const scene = teapotScene(guidance)
const PRELOADED = /<link rel="preload" as="fetch"[^>]* href="([^"]+)">/g

async function preloaded(path: string, cookie = ''): Promise<readonly string[]> {
  const headers = { Accept: 'text/html', ...(cookie !== '' && { Cookie: cookie }) }
  const { body } = await guidance().service.get(path, { headers })
  return Array.from(body.toString().matchAll(PRELOADED), ([, href = '']) => href)
}

describe('The document of a page of one’s own', () => {
  it('names its first requests only if there may be a session', async () => {
    const { cookie } = await guidance().signIn(scene().people.author.email)
    expect(await preloaded('/home', cookie)).toEqual(['/api/auth/me', '/api/releases.json', '/api/home'])
    expect(await preloaded('/home')).toEqual([])
    expect(await preloaded('/home', 'another=parapet')).toEqual([])
    const editor = `/components/${scene().component}`
    expect(await preloaded(editor, cookie)).toContain(`${editor}/rules_picker`)
    expect(await preloaded(`${editor}?rule=A-1`, cookie)).toContain(`${editor}/rules/named/A-1?histories=false`)
    // Pages with content are the same for everybody.
    expect(await preloaded('/matrix', cookie)).toEqual(await preloaded('/matrix'))
  })

  it('marks the session once in another cookie', async () => {
    const { cookie } = await guidance().signIn(scene().people.author.email)
    const marks = async (path: string, sent: string) => {
      const { headers } = await guidance().service.get(path, { headers: { Accept: 'text/html', Cookie: sent } })
      return [headers['set-cookie'] ?? []].flat().filter((header) => header.startsWith(SESSION_MARK))
    }
    for (const path of ['/home', '/', '/matrix', '/account'])
      expect(await marks(path, cookie), path).toEqual([`${SESSION_MARK}=yes; Path=/; SameSite=Lax`])
    expect(await marks('/home', `${cookie}; ${SESSION_MARK}=no`)).toEqual([])
    expect(await marks('/home', 'another=cookie')).toEqual([])
  })
})

describe.runIf(browserFound)('A page of one’s own', () => {
  const surf = chromiumBrowser()

  it('says how much waits, also where the list of it is not shown', async () => {
    const surfer = await surf(guidance().service.baseUrl)
    const { page } = await openSignedIn(surfer, scene().people.author.email, '/projects')
    const pages = page.getByRole('navigation', { name: 'Pages', exact: true })
    await pages.getByRole('link', { name: 'My work 1 waiting for you' }).click()
    const component = page.getByRole('row', { name: /^Penguin OS 1/ })
    await component.getByText('by you', { exact: true }).waitFor()
  })

  it.each([
    ['/home', 'Penguin OS 1'],
    ['/projects', 'Penguin'],
    ['/components/:component/overview', 'Penguin OS 1'],
    ['/components/:component/readiness', 'Penguin OS 1'],
    ['/components/:component?rule=PNGN-01-000003', 'PNGN-01-000003'],
  ])('requests what its document names, written in the same way: %s', async (pattern, shows) => {
    const path = pattern.replace(':component', String(scene().component))
    const { cookie, email } = { ...(await guidance().signIn(scene().people.author.email)), ...scene().people.author }
    const named = await preloaded(path, cookie)
    expect(named).not.toEqual([])
    const { page } = await openSignedIn(await surf(guidance().service.baseUrl), email, '/docs/api/errors')
    const asked: string[] = []
    const warnings: string[] = []
    page.on('request', (request) => asked.push(request.url().slice(guidance().service.baseUrl.length)))
    page.on('console', (message) => {
      if (/preload/i.test(message.text())) warnings.push(message.text())
    })
    await page.goto(guidance().service.baseUrl + path)
    await page.locator('main').getByText(shows).first().waitFor()
    await page.locator('#application:not([aria-busy])').waitFor()
    for (const answer of named) {
      // An editor asks again where its stream of events opens late.
      const alike = asked.filter((address) => address.split('?', 1)[0] === answer.split('?', 1)[0])
      expect(alike.length).toBeGreaterThan(answer === path ? 1 : 0)
      expect(new Set(alike)).toEqual(new Set([answer]))
    }
    expect(warnings).toEqual([])
  })

  it('knows the signed-in person after the browser has lost its storage', async () => {
    const { author } = scene().people
    const surfer = await surf(guidance().service.baseUrl)
    const login = { data: { email: author.email, password: PASSWORD } }
    expect((await surfer.context.request.post(`${surfer.baseUrl}/api/auth/login`, login)).ok()).toBe(true)
    const { page } = await surfer.open('/')
    await page.getByRole('button', { name: 'Account: Arthur' }).waitFor()
    // The session ends elsewhere: it is asked for once more, and then no more.
    await surfer.context.clearCookies({ name: 'parapet' })
    await page.reload()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    expect(await page.evaluate('document.cookie')).toContain(`${SESSION_MARK}=no`)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.reload()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    expect(asked).not.toContain('/api/auth/me')
  })
})
