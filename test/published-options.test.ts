import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publish, type ReleaseFolder } from '../src/ontology/index.ts'
import { planSite, type Plan } from '../src/ontology/publish/plan.ts'
import { nginxSettings } from '../src/ontology/publish/site/nginx.ts'
import { planPages } from '../src/ontology/publish/site/pages.ts'
import type { TreeFile } from '../src/ontology/publish/tree/tree.ts'
import { WriterThreads } from '../src/ontology/publish/writer-threads.ts'
import { publishedPages } from '../src/web/server/published-pages.ts'
import { hasNginx, startNginx, startNginxOf, type StaticServer } from './support/nginx.ts'
import { manifestIn } from './support/published-tree.ts'
import { isDeep, onlyDeep, spreadOf } from './support/runs.ts'
import { ingestInto, jsonOf, startService, type RawResponse, type TestService } from './support/service.ts'

const TEN = 'test/fixtures/ontology/ten.ttl'
const SMALL = 'test/fixtures/ontology/small.ttl'
const ODD_NAMES = 'test/fixtures/ontology/odd-names.ttl'
const OLDER = '1.0.0-rc'
const ACTIVE = '2.0.0+odd'
const BASE_URL = 'https://x.example'
/** So many addresses of the data are asked for in a tree, and so many of the pages; a deep run asks for all. */
const ADDRESSES = 60
const PAGES = 20

/** The choices that options of the command make; `front` is the release at `/api/`. */
interface Combination {
  readonly names: 'readable' | 'portable'
  readonly allReleases: boolean
  readonly describe: boolean
  readonly compress: boolean
  readonly hasPages: boolean
  readonly front: string
}

const BOTH = [false, true] as const
/** Another release in front has settings of the same kind. */
const FRONTS = [ACTIVE, ...onlyDeep([OLDER])]

const COMBINATIONS: readonly Combination[] = (['readable', 'portable'] as const).flatMap((names) =>
  BOTH.flatMap((allReleases) =>
    BOTH.flatMap((described) =>
      BOTH.flatMap((compress) =>
        BOTH.flatMap((hasPages) =>
          FRONTS.map((front) => {
            return { names, allReleases, describe: described, compress, hasPages, front }
          }),
        ),
      ),
    ),
  ),
)

/** These are written in each run: each option is on in one of them, and off in another. */
const WRITTEN = [
  'readable-all-describe-plain-pages-active',
  'portable-all-brief-plain-data-active',
  'portable-one-brief-packed-pages-active',
]

function nameOf({ names, allReleases, compress, hasPages, front, ...one }: Combination): string {
  return [
    names,
    allReleases ? 'all' : 'one',
    one.describe ? 'describe' : 'brief',
    compress ? 'packed' : 'plain',
    hasPages ? 'pages' : 'data',
    front === ACTIVE ? 'active' : 'older',
  ].join('-')
}

/** Combinations with a tree of their own. A server answers in the same way for another release in front. */
const TREES = COMBINATIONS.filter((combination) =>
  isDeep ? combination.front === ACTIVE : WRITTEN.includes(nameOf(combination)),
)

/** Plans the files that a combination of options would write. */
interface Planned {
  readonly settings: string
  readonly pages: readonly TreeFile[]
}

let dataDir: string
let folder: ReleaseFolder
let service: TestService
const planned = new Map<string, Planned>()
const pages = publishedPages()

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parapet-'))
  await ingestInto(dataDir, [SMALL], { version: OLDER, date: '2026-01-01' })
  await ingestInto(dataDir, [TEN, ODD_NAMES], { version: ACTIVE, date: '2026-01-02' })
  service = await startService(dataDir, { SERVICE_BASE_URL: BASE_URL })
  folder = service.folder
  for (const front of FRONTS) await planAll(front)
})

afterAll(async () => {
  await service.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** Plans every combination with a release in front, and writes nothing. */
async function planAll(front: string): Promise<void> {
  const release = await service.ontology.manifest(front)
  const crew = await WriterThreads.open(folder, release, { dataDir, threads: 1 })
  const plans = new Map<string, Plan>()
  for (const combination of COMBINATIONS.filter((other) => other.front === front)) {
    const answers = nameOf({ ...combination, compress: false, hasPages: false })
    const plan = plans.get(answers) ?? (await planSite(crew, { folder, release }, { dataDir, ...combination }))
    plans.set(answers, plan)
    planned.set(nameOf(combination), plannedOf(plan, combination))
  }
  await crew.close()
}

function plannedOf(plan: Plan, { names, compress, hasPages }: Combination): Planned {
  const releases = plan.pinned.map(({ manifest }) => manifest)
  const options = { names, compress, basePath: '/', releases: plan.pinned }
  const site = { ...plan, releases, names, compress, baseUrl: BASE_URL }
  const ofPages = hasPages ? planPages(pages, plan.own, options) : null
  return { settings: nginxSettings({ ...site, pages: ofPages }), pages: ofPages?.tree ?? [] }
}

function planOf(combination: Combination): Planned {
  const plan = planned.get(nameOf(combination))
  if (plan === undefined) throw new Error(`${nameOf(combination)} is not planned`)
  return plan
}

async function writeTree(combination: Combination): Promise<string> {
  const out = join(dataDir, 'trees', nameOf(combination))
  const options = { ...combination, out, dataDir, baseUrl: BASE_URL, threads: 1 }
  await publish(folder, { ...options, ...(combination.hasPages && { pages }) })
  return out
}

/** Addresses of the data with their files: some of each folder, and the first of each place that has settings. */
async function addressesIn(tree: string): Promise<readonly (readonly [url: string, file: string])[]> {
  const { files } = await manifestIn(tree)
  const urls = Object.keys(files)
  const firstOf = PLACES.flatMap((start) => urls.find((url) => url.startsWith(start)) ?? [])
  const chosen = new Set([...spreadOf(urls, ADDRESSES), ...firstOf])
  return Array.from(chosen, (url) => [url, join(tree, files[url]?.file ?? decodeURIComponent(url))])
}

const PLACES = ['/api/', '/api/releases', '/ontologies/', '/ontologies/d3fend/', '/releases/', '/.']

/** These tell of the tree itself, so the service answers something else. */
const OF_THE_TREE = /^\/\.well-known\/void$|\/hashes\.json$/

const HEADERS = [
  'content-type',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'x-content-type-options',
  'cache-control',
]

/** The answer of an address, reduced to what is compared. */
function describeAnswer(url: string, { status, headers, body }: RawResponse, content: Buffer) {
  const shown = HEADERS.map((name) => `${name}: ${String(headers[name])}`)
  return { url, status, shown, isContent: body.equals(content) }
}

async function expectLikeTheService(nginx: StaticServer, tree: string): Promise<number> {
  const addresses = await addressesIn(tree)
  for (const [url, file] of addresses) {
    const content = await readFile(file)
    const ours = await service.get(url)
    const theirs = describeAnswer(url, await nginx.get(url), content)
    const isShared = !OF_THE_TREE.test(url)
    expect(theirs).toEqual(describeAnswer(url, ours, isShared ? content : ours.body))
    expect(theirs).toMatchObject({ status: 200, isContent: true })
  }
  return addresses.length
}

async function expectPages(nginx: StaticServer, tree: string, combination: Combination): Promise<void> {
  const odd = planOf(combination).pages.filter(({ url, file }) => `${url.slice(1)}index.html` !== file)
  const chosen = new Set([...spreadOf(planOf(combination).pages, PAGES), ...spreadOf(odd, PAGES)])
  for (const { url, file } of chosen) {
    const answer = await nginx.get(url)
    expect(answer.headers['content-type'], url).toBe('text/html; charset=utf-8')
    const isContent = answer.body.equals(await readFile(join(tree, file)))
    expect({ url, status: answer.status, isContent }).toEqual({ url, status: 200, isContent: true })
  }
  const { status, headers } = await nginx.get('/matrix')
  expect([status, headers.location]).toEqual(combination.hasPages ? [301, '/matrix/'] : [404, undefined])
}

async function expectRefusals(nginx: StaticServer, { hasPages }: Combination): Promise<void> {
  for (const url of ['/api/technique/none.json', '/ontologies/current/none.ttl', '/nginx.conf']) {
    const missing = await nginx.get(url)
    expect([url, missing.status, jsonOf(missing)]).toMatchObject([url, 404, { status: 404 }])
  }
  const elsewhere = await nginx.get('/nothing/here/')
  const type = hasPages ? 'text/html' : 'application/problem+json'
  expect([elsewhere.status, elsewhere.headers['content-type']]).toEqual([404, `${type}; charset=utf-8`])
  expect(await nginx.get('/api/matrix.json', { method: 'POST' })).toMatchObject({ status: 405 })
}

describe.skipIf(!hasNginx)('Trees of all combinations of options behind nginx', () => {
  it('have valid settings of nginx in every combination', async () => {
    const roots = new Map<string, string>()
    for (const [name, { settings }] of planned) {
      const root = join(dataDir, 'settings', name)
      await mkdir(root, { recursive: true })
      await writeFile(join(root, 'nginx.conf'), settings)
      await writeFile(join(root, 'index.html'), name)
      roots.set(name, root)
    }
    expect(roots.size).toBe(32 * FRONTS.length)
    const nginx = await startNginxOf(roots)
    for (const name of roots.keys()) {
      const { body } = await nginx.get('/', { headers: { Host: name } })
      expect(body.toString()).toBe(name)
    }
    expect(await nginx.close()).toBe('')
  })

  it.each(TREES.map((combination) => ({ name: nameOf(combination), combination })))(
    'answer like the service, and with their files: $name',
    async ({ combination }) => {
      const tree = await writeTree(combination)
      expect(await readFile(join(tree, 'nginx.conf'), 'utf8')).toBe(planOf(combination).settings)
      const nginx = await startNginx(tree)
      expect(await expectLikeTheService(nginx, tree)).toBeGreaterThan(40)
      await expectPages(nginx, tree, combination)
      await expectRefusals(nginx, combination)
      await nginx.close()
    },
  )
})
