import { QueryClient, VueQueryPlugin } from '@tanstack/vue-query'
import { createSSRApp } from 'vue'
import { createMemoryHistory, type RouterHistory } from 'vue-router'
import { renderToString } from 'vue/server-renderer'
import { CATALOGUE_PAGES } from '../catalogue/pages.ts'
import { site } from '../client/site.ts'
import { COVERAGE_PAGES } from '../coverage/pages.ts'
import { ONTOLOGY_PAGES } from '../ontology/pages.ts'
import { pageTitle } from '../parts/head/page-title.ts'
import { createPageRouter } from '../router.ts'
import { SEARCH_PAGES } from '../search/pages.ts'
import AppShell from '../shell/AppShell.vue'
import { PreparedAnswers } from './prepared-answers.ts'
import type { RenderedPage, RenderRequest } from './rendered-page.ts'
import { place } from './stand-ins.ts'

/** Limit of the passes: each shows the answers that the previous one requested, and may request more. */
const MAX_PASSES = 10

/** The bundle contains only these pages. */
const RENDERED = {
  start: () => import('../start/StartPage.vue'),
  ...ONTOLOGY_PAGES,
  ...CATALOGUE_PAGES,
  ...COVERAGE_PAGES,
  ...SEARCH_PAGES,
  api: () => import('../data/api/ApiPage.vue'),
}

/**
 * Renders the content of a page as a browser shows it when all answers are loaded. Only one page may be rendered at a
 * time, because the modules of the pages share their state.
 */
export async function render({ path, baseUrl, answers }: RenderRequest): Promise<RenderedPage> {
  const preparedAnswers = new PreparedAnswers(answers)
  place.origin = new URL(baseUrl).origin
  // Links and requests of a copy are relative to the root of its tree.
  place.href = site.isCopy ? `${place.origin}/` : baseUrl + path
  globalThis.fetch = (request) => preparedAnswers.fetch(new Request(request))
  const client = new QueryClient({
    defaultOptions: {
      queries: { staleTime: Infinity, networkMode: 'always', shallow: true, retry: false, retryOnMount: false },
    },
  })
  try {
    return await renderUntilSettled(path, client, preparedAnswers)
  } finally {
    client.clear()
  }
}

async function renderUntilSettled(
  path: string,
  client: QueryClient,
  preparedAnswers: PreparedAnswers,
): Promise<RenderedPage> {
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const before = preparedAnswers.answered
    const html = await renderOnce(path, client)
    await waitForQueries(client)
    if (preparedAnswers.answered === before) return missingOr(html, preparedAnswers)
  }
  throw new Error(`${path} asks ever more`)
}

function missingOr(html: string, { missing }: PreparedAnswers): RenderedPage {
  return { html: missing.size === 0 ? markForReaders(html) : null, title: pageTitle.value, missing: [...missing] }
}

async function renderOnce(path: string, queryClient: QueryClient): Promise<string> {
  pageTitle.value = null
  const app = createSSRApp(AppShell)
  app.config.throwUnhandledErrorInProduction = true
  const router = createPageRouter(RENDERED, site.isCopy ? copyHistory() : createMemoryHistory())
  app.use(VueQueryPlugin, { queryClient })
  app.use(router)
  await router.push(path)
  await router.isReady()
  return renderToString(app)
}

/** Each page of a copy is a folder; its address is relative to the root of the tree. */
function copyHistory(): RouterHistory {
  const history = createMemoryHistory()
  history.createHref = (location) => {
    const [, path = '', rest = ''] = /^\/?([^?#]*?)\/?([?#].*)?$/.exec(location) ?? []
    return `${path === '' ? './' : `${path}/`}${rest}`
  }
  return history
}

async function waitForQueries(client: QueryClient): Promise<void> {
  while (client.isFetching() > 0)
    await new Promise((resolve) => {
      setTimeout(resolve)
    })
}

/**
 * Adapts the markup for browsers without scripts: it has no inline styles, which the Content-Security-Policy forbids;
 * chosen options are marked; buttons and fields, except the search form, are disabled until the application runs. Texts
 * are not affected, because their quotation marks and angle brackets are escaped.
 */
function markForReaders(html: string): string {
  return html
    .replaceAll(/<!--[[\]]?-->/g, '')
    .replaceAll(/ style="([^"]*)"/g, (_whole, style: string) => (style === 'display:none;' ? ' hidden' : ''))
    .replaceAll(/<select[^>]* value="([^"]*)"[^>]*>.*?<\/select>/gs, withSelected)
    .replaceAll(/<(?:button|select|textarea|input)(?=[ >])(?![^>]* (?:disabled[ =>]|name="q"))/g, '$& disabled')
}

function withSelected(select: string, value: string): string {
  return select.replace(` value="${value}"`, '').replace(`<option value="${value}"`, (option) => `${option} selected`)
}
