import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import express, { Router } from 'express'
import { readOnly } from '../platform/read-only.ts'
import { accountPages } from './account-pages.ts'
import { errorsPage } from './errors-page.ts'

const PAGES = fileURLToPath(new URL('./pages/', import.meta.url))
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const SWAGGER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js']

/** The browser pages and their assets; all of them are served from here, none from elsewhere. */
export function webRoutes(): Router {
  const router = Router()
  readOnly(router, '/', (_request, response) => {
    response.sendFile('index.html', { root: PAGES })
  })
  readOnly(router, '/api/docs', (_request, response) => {
    response.sendFile('docs.html', { root: PAGES })
  })
  readOnly(router, '/docs/api/errors', (_request, response) => {
    response.type('html').send(errorsPage())
  })
  accountPages(router, PAGES)
  for (const file of SWAGGER_FILES) {
    readOnly(router, `/assets/swagger/${file}`, (_request, response) => {
      response.sendFile(file, { root: SWAGGER_UI, maxAge: '1h' })
    })
  }
  router.use('/assets', express.static(PAGES, { index: false, redirect: false }))
  return router
}
