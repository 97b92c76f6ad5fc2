import { createRouter, createWebHistory, type RouteRecordRaw, type Router } from 'vue-router'
import { PATHS } from '../paths/paths.ts'
import { PAGES } from './pages.ts'
import MissingPage from './shell/MissingPage.vue'

/** The pages at their paths. What the server does not send the application for is left to the browser. */
export function createPageRouter(): Router {
  const router = createRouter({
    history: createWebHistory(),
    routes: [...Object.keys(PATHS).filter(isPageName).map(shapeRoute), MISSING],
    scrollBehavior: (to, from, saved) => {
      if (saved !== null) return saved
      if (to.hash !== '') return { el: to.hash }
      return to.path === from.path ? false : { top: 0 }
    },
  })
  // After an update of the service, the parts of the page before it are gone.
  router.onError((_error, to) => {
    if (sessionStorage.getItem(RELOADED) === to.fullPath) return
    sessionStorage.setItem(RELOADED, to.fullPath)
    location.assign(to.fullPath)
  })
  router.afterEach(() => {
    sessionStorage.removeItem(RELOADED)
  })
  return router
}

const RELOADED = 'parapet.reloaded'

const MISSING: RouteRecordRaw = { path: '/:path(.*)*', name: 'missing', component: MissingPage }

function isPageName(name: string): name is keyof typeof PATHS {
  return name in PATHS
}

function shapeRoute(name: keyof typeof PATHS): RouteRecordRaw {
  return { path: PATHS[name], name, component: PAGES[name], props: true }
}
