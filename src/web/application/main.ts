import { VueQueryPlugin } from '@tanstack/vue-query'
import { createApp } from 'vue'
import { createWebHistory } from 'vue-router'
import { queryClient } from './client/query-client.ts'
import { site } from './client/site.ts'
import { PAGES } from './pages.ts'
import { showAnswered, takeOver } from './rendering/take-over.ts'
import { createPageRouter } from './router.ts'
import AppShell from './shell/AppShell.vue'
import { isFirstPageShown } from './shell/first-page.ts'
import { applyAppearance } from './shell/menu/appearance.ts'
import './styles/styles.css'

applyAppearance()
const app = createApp(AppShell)
const router = createPageRouter(PAGES, createWebHistory(site.base))
app.use(VueQueryPlugin, { queryClient })
app.use(router)
const application = { app, router, queryClient }
const root = document.querySelector('#application')
if (root !== null) void showPage(root)

async function showPage(element: Element): Promise<void> {
  await (element.hasAttribute('data-served') ? takeOver : showAnswered)(element, application)
  isFirstPageShown.value = true
}
