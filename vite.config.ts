import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import vue from '@vitejs/plugin-vue'
import { defineConfig, type BuildEnvironmentOptions, type Plugin, type Rolldown } from 'vite'
import { firstLook } from './scripts/first-look.ts'
import { pageFiles } from './scripts/page-files.ts'

/** Smaller files are as large packed as they are. */
const WORTH_PACKING = 500

/** Beside each text file its packed forms, which the server sends as they are. */
const packed: Plugin = {
  name: 'packed',
  apply: 'build',
  writeBundle({ dir = '' }, files) {
    for (const name of Object.keys(files).filter((file) => /\.(?:js|css|svg)$/.test(file))) {
      const file = join(dir, name)
      const bytes = readFileSync(file)
      if (bytes.length < WORTH_PACKING) continue
      const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
      writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
    }
  },
}

/**
 * Modules that many pages need come together: a file for each would be a request for each, and browsers ask few at a time.
 * They are grouped by subject, so that a page gets little that it does not use. A module that fits several groups is in the first one.
 */
const GROUPS: Rolldown.CodeSplittingGroup[] = [
  { name: 'libraries', test: /\/node_modules\//, tags: ['$initial'] },
  { name: 'first', test: /\/src\//, tags: ['$initial'] },
  { name: 'parts', test: /\/web\/application\/(?:client|parts\/(?!compare|list|head))/, minShareCount: 5 },
  { name: 'forms', test: /\/web\/application\/account\/forms\//, minShareCount: 5 },
  { name: 'records', test: /\/web\/application\/(?:ontology|catalogue)\//, minShareCount: 5 },
  { name: 'lists', test: /\/web\/application\/parts\/list\// },
  { name: 'work', test: /\/web\/application\/(?!administration|account|comments)/, minShareCount: 5 },
  // What two of these pages share is small, and a file for each part of it would be asked for in turn.
  {
    name: 'home',
    test: /\/application\/(?:home|projects\/history|parts\/(?:head|words|PersonMark))/,
    minShareCount: 2,
  },
  { name: 'drafts', test: /\/application\/editor\/saving\/|\/vue-query\//, minShareCount: 2 },
]

const FOR_BROWSERS: BuildEnvironmentOptions = {
  outDir: fileURLToPath(new URL('dist/web/built/', import.meta.url)),
  emptyOutDir: true,
  assetsDir: 'assets/app',
  // All styles take 15 kB with Brotli. Each further file would be a request, and browsers send few of them at a time.
  cssCodeSplit: false,
  // What people have had for three years.
  target: ['chrome118', 'firefox115', 'safari17'],
  // The Content-Security-Policy lets nothing in that is part of an address.
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  reportCompressedSize: false,
  chunkSizeWarningLimit: 400,
  rolldownOptions: {
    checks: { bundlerTimings: false },
    output: { codeSplitting: { groups: GROUPS } },
  },
}

/** For `vite build --ssr rendering/render-page.ts`: the same pages as a module that renders them without a browser, with all its libraries. */
const RENDERING: BuildEnvironmentOptions = {
  outDir: fileURLToPath(new URL('dist/web/rendered/', import.meta.url)),
  emptyOutDir: true,
  target: 'node20',
  minify: true,
  rolldownOptions: { checks: { bundlerTimings: false } },
}

/** Node would get others of them: one that compiles templates as well, and the renderer another one beside it. */
const ONE_VUE = [
  { find: /^vue$/, replacement: 'vue/dist/vue.runtime.esm-bundler.js' },
  { find: 'vue/server-renderer', replacement: '@vue/server-renderer/dist/server-renderer.esm-bundler.js' },
]

/** The pages for people, as files that `src/web/server/` sends. */
export default defineConfig(({ command, isSsrBuild = false }) => ({
  root: fileURLToPath(new URL('src/web/application/', import.meta.url)),
  // Files find each other wherever they are; the server says in the document where that is.
  base: './',
  plugins: isSsrBuild ? [vue()] : [vue(), pageFiles(), firstLook(), packed],
  ssr: { noExternal: true },
  resolve: { alias: isSsrBuild ? ONE_VUE : [] },
  define: {
    // Components are written in one way only.
    __VUE_OPTIONS_API__: false,
    __VUE_PROD_DEVTOOLS__: false,
    // Of builds for Node, Vite leaves that to when they run.
    ...(isSsrBuild && { 'process.env.NODE_ENV': JSON.stringify('production') }),
    // Whatever NODE_ENV is, a build has no page for developers.
    'import.meta.env.DEV': JSON.stringify(command === 'serve'),
  },
  logLevel: 'warn',
  build: isSsrBuild ? RENDERING : FOR_BROWSERS,
}))
