import type { Page } from 'playwright-core'
import { beforeAll } from 'vitest'
import { makeComponent, type MadeComponent, type SampleComponent } from './authoring.ts'
import { applicationShown, chromiumBrowser, type Surfer, type Visit } from './browser.ts'
import { PASSWORD, type GuidanceUnderTest, type SessionClient } from './guidance.ts'

/**
 * A page of a signed-in person. Other tests check the form for signing in; here the browser gets the session without
 * it, which saves half of the work of a test.
 */
export async function openSignedIn(surfer: Surfer, email: string, path: string): Promise<Visit> {
  const { context, baseUrl } = surfer
  const answer = await context.request.post(`${baseUrl}/api/auth/login`, { data: { email, password: PASSWORD } })
  if (!answer.ok()) throw new Error(`${email} was not signed in: ${await answer.text()}`)
  // Pages read there first whether a person is signed in; this address has none of their scripts.
  const visit = await surfer.open('/healthz')
  await visit.page.evaluate("localStorage.setItem('parapet.signed-in', 'by a test')")
  await visit.page.goto(baseUrl + path)
  await applicationShown(visit.page)
  return visit
}

export async function openAs(surfer: Surfer, email: string, path: string): Promise<Page> {
  const { page } = await openSignedIn(surfer, email, path)
  return page
}

/** Opens pages for people who have signed in, each in a browser of its own. */
export function personsPageOpener(
  guidance: () => GuidanceUnderTest,
): (person: { readonly email: string }, path: string) => Promise<Visit> {
  const surf = chromiumBrowser()
  return async ({ email }, path) => openSignedIn(await surf(guidance().service.baseUrl), email, path)
}

/** Opens pages for somebody who has signed in: the usual person, unless another one is named. */
export function signedInPageOpener(
  guidance: () => GuidanceUnderTest,
  usual: string,
): (path: string, email?: string) => Promise<Visit> {
  const openAs = personsPageOpener(guidance)
  return (path, email = usual) => openAs({ email }, path)
}

interface ProjectOwner {
  readonly client: SessionClient
  readonly projectId: number
  makeComponent(sample: Omit<SampleComponent, 'projectId'>): Promise<MadeComponent>
  /** Opens a path in a signed-in browser. */
  open(path: string): Promise<Visit>
}

/** A person with a project of their own, made before the tests of a file. */
export function projectOwner(guidance: () => GuidanceUnderTest): () => ProjectOwner {
  const surf = chromiumBrowser()
  let owner: ProjectOwner | null = null
  beforeAll(async () => {
    const client = await guidance().signUp('Ada')
    const projectId = await guidance().project(client)
    owner = {
      client,
      projectId,
      makeComponent: (sample) => makeComponent(guidance(), client, { ...sample, projectId }),
      open: async (path) => openSignedIn(await surf(guidance().service.baseUrl), client.email, path),
    }
  })
  return () => {
    if (owner === null) throw new Error('The project has not been made')
    return owner
  }
}
