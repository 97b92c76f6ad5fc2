import {
  createRouter,
  type RouteLocationNormalized,
  type RouteLocationRaw,
  type Router,
  type RouteRecordRaw,
  type RouterHistory,
  START_LOCATION,
} from 'vue-router'
import { ONTOLOGY_PATHS } from '../paths/ontology.ts'
import { type PageName, PATHS } from '../paths/paths.ts'
import { FILTER } from './catalogue/address.ts'
import { site } from './client/site.ts'
import type { LoadPage } from './load-page.ts'
import { headerHeight } from './parts/head/header-height.ts'
import MissingPage from './shell/MissingPage.vue'
import { pageKey } from './shell/page-key.ts'
import { forgetSentHead } from './shell/sent-head.ts'
import { isAnswered, unreached } from './shell/unreached.ts'

/** Pages that a copy without a service has in another form. */
const COPY_PAGES: Readonly<Partial<Record<PageName, LoadPage>>> = {
  search: () => import('./search/copy/CopySearchPage.vue'),
}

/** The pages of this build. The path of any other page shows the missing page. */
type Pages = Readonly<Partial<Record<PageName, LoadPage>>>

/** The pages at their paths. The browser itself opens other addresses of the server. */
export function createPageRouter(pages: Pages, history: RouterHistory): Router {
  const router = createRouter({
    history,
    routes: [
      ...Object.keys(PATHS)
        .filter(isPageName)
        .filter(isHere)
        .map((name) => shapeRoute(name, pages)),
      ...EXAMPLES,
      MISSING_ROUTE,
    ],
    scrollBehavior: (to, from, saved) => {
      if (saved !== null) return saved
      // The offset keeps the target from being hidden by the header.
      if (to.hash !== '') return { el: to.hash, top: headerHeight() }
      // The reader may already have scrolled the rendered content.
      return from === START_LOCATION || pageKey(to) === pageKey(from) ? false : { top: 0 }
    },
  })
  router.beforeEach((to) => withFilter(to))
  router.beforeEach((to) => withRule(to))
  router.onError((_error, to) => {
    if (sessionStorage.getItem(RELOADED_KEY) !== to.fullPath) void loadDocument(router, to.fullPath)
  })
  router.afterEach((to, from) => {
    if (from !== START_LOCATION && to.fullPath !== from.fullPath) forgetSentHead()
    sessionStorage.removeItem(RELOADED_KEY)
    unreached.value = false
  })
  return router
}

/** Older links call the filter of a page `q`, which now is only the query of the search. */
function withFilter({ name, path, query, hash }: RouteLocationNormalized): true | RouteLocationRaw {
  const { q, ...others } = query
  if (q === undefined || name === 'search' || name === 'missing') return true
  return { path, query: { [FILTER]: q, ...others }, hash, replace: true }
}

/** Links may name the rule of a release in the query, as the addresses with numbers do. */
function withRule({ name, path, query, hash }: RouteLocationNormalized): true | RouteLocationRaw {
  const { rule, ...others } = query
  if (name !== 'benchmark' || typeof rule !== 'string' || rule === '') return true
  return { path: `${path.replace(/\/$/, '')}/rules/${encodeURIComponent(rule)}`, query: others, hash, replace: true }
}

const RELOADED_KEY = 'parapet.reloaded'

/**
 * After an update of the service, the old files of the application are gone. If the service does not answer, the
 * browser would replace the page by its own error page.
 */
async function loadDocument(router: Router, path: string): Promise<void> {
  const { href } = router.resolve(path)
  if (!(await isAnswered(href))) {
    unreached.value = true
    return
  }
  sessionStorage.setItem(RELOADED_KEY, path)
  location.assign(href)
}

/** The examples of shared components, for development; a build does not have this page. */
const EXAMPLES: readonly RouteRecordRaw[] = import.meta.env.DEV
  ? [{ path: '/design', name: 'design', component: () => import('./design/DesignPage.vue') }]
  : []

const missingPage: LoadPage = () => Promise.resolve({ default: MissingPage })
const MISSING_ROUTE: RouteRecordRaw = { path: '/:path(.*)*', name: 'missing', component: MissingPage }

function isPageName(name: string): name is PageName {
  return name in PATHS
}

/** The pages of a copy: the ontology, the catalogue pages without a service, and changes if it has other releases. */
function isHere(name: PageName): boolean {
  if (!site.isCopy) return true
  if (name === 'changes') return site.hasReleases
  if (COPIED_CATALOGUE.has(name)) return site.hasCatalogue
  return name === 'start' || name in ONTOLOGY_PATHS || name in COPY_PAGES
}

const COPIED_CATALOGUE: ReadonlySet<string> = new Set([
  'guidance',
  'benchmark',
  'benchmarkRule',
  'benchmarkChanges',
  'requirement',
  'cci',
  'control',
])

/** Lists of one kind redirect to the filtered list of all. */
const KINDS_OF_LISTS: Readonly<Record<string, string>> = { stigs: 'stig', srgs: 'srg' }

function shapeRoute(name: PageName, { [name]: page = missingPage }: Pages): RouteRecordRaw {
  const { [name]: kind } = KINDS_OF_LISTS
  if (kind !== undefined) {
    const redirect = ({ query, hash }: Pick<RouteLocationNormalized, 'query' | 'hash'>) => ({
      name: 'guidance',
      query: { kind, ...query },
      hash,
    })
    return { path: PATHS[name], name, redirect }
  }
  const copied = site.isCopy ? COPY_PAGES[name] : undefined
  const path = PATHS[name].replaceAll(NUMBERED, String.raw`$&(\d+)`)
  return { path, name, component: copied ?? page, props: true }
}

/** Parameters that are numbers. Other values, as in `/components/1e3`, lead to no page. */
const NUMBERED = /:(?:id|other|project|component)\b/g
