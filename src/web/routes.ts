import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import express, { Router } from 'express'
import { errorsPage } from './errors-page.ts'

const PAGES = fileURLToPath(new URL('./pages/', import.meta.url))
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const SWAGGER_FILES = new Set(['swagger-ui.css', 'swagger-ui-bundle.js'])

/** The browser pages and their assets; all of them are served from here, none from elsewhere. */
export function webRoutes(): Router {
  const router = Router()
  router.get('/', (_request, response) => {
    response.sendFile('index.html', { root: PAGES })
  })
  router.get('/api/docs', (_request, response) => {
    response.sendFile('docs.html', { root: PAGES })
  })
  router.get('/docs/api/errors', (_request, response) => {
    response.type('html').send(errorsPage())
  })
  router.get('/assets/swagger/:file', (request, response, next) => {
    const { file } = request.params
    if (SWAGGER_FILES.has(file)) response.sendFile(file, { root: SWAGGER_UI, maxAge: '1h' })
    else next()
  })
  router.use('/assets', express.static(PAGES, { index: false, redirect: false }))
  return router
}
