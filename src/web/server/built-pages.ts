import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Coding } from '../../http/answer/negotiation.ts'
import { escapeMarkup } from '../../platform/markup.ts'
import type { BannerSettings } from '../../platform/settings/guidance-settings.ts'
import { BANNER_STYLE } from './html-pages.ts'
import { SEARCH_LINK } from './site-files.ts'

/** Relative to the built program, or to the sources if they run without a build. */
const BUILD_FOLDERS = ['../', '../../../dist/web/']

const ASSETS = 'assets/app'

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** A file of the application; its name changes with its content. */
export interface Asset {
  readonly path: string
  readonly type: string
  readonly bodies: Readonly<Partial<Record<Coding, Buffer>>> & { readonly identity: Buffer }
}

interface BuiltPages {
  /** The empty document of every page. Its addresses are relative to the folder of the files. */
  readonly document: string
  readonly assets: readonly Asset[]
  /** By the name of a page, the paths of the scripts that it needs beside those of the document. */
  readonly files: Readonly<Record<string, readonly string[]>>
}

const filesOfPages = z.record(z.string(), z.array(z.string()))

/** The address of a file of the built pages. */
export function builtFile(folder: 'built' | 'rendered', name: string): URL {
  const file = BUILD_FOLDERS.map((root) => new URL(`${root}${folder}/${name}`, import.meta.url)).find((url) =>
    existsSync(url),
  )
  if (file === undefined) throw new Error('The pages have not been built: npm run build:pages')
  return file
}

export function readBuiltPages(): BuiltPages {
  const folder = fileURLToPath(new URL('.', builtFile('built', 'index.html')))
  const names = readdirSync(join(folder, ASSETS))
  return {
    document: readFileSync(join(folder, 'index.html'), 'utf8'),
    assets: names.filter((name) => extname(name) in TYPES).map((name) => readAsset(join(folder, ASSETS), name)),
    files: filesOfPages.parse(JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8'))),
  }
}

function readAsset(folder: string, name: string): Asset {
  const file = join(folder, name)
  const packed = (ending: string): Buffer | null => (existsSync(file + ending) ? readFileSync(file + ending) : null)
  const [br, gzip] = [packed('.br'), packed('.gz')]
  return {
    path: `/${ASSETS}/${name}`,
    type: TYPES[extname(name)] ?? '',
    bodies: { identity: readFileSync(file), ...(br && { br }), ...(gzip && { gzip }) },
  }
}

/** Makes the addresses of files absolute, so that the document works at any path. */
export function withRootPaths(document: string): string {
  return document.replaceAll(`"./${ASSETS}/`, `"/${ASSETS}/`)
}

/** Adds the link to the OpenSearch description, which a copy in files does not have. */
export function withSearchLink(document: string): string {
  return document.replace('</head>', (end) => SEARCH_LINK + end)
}

/** Adds the banner of this installation to the document, so that it shows without scripts. */
export function withBanner(document: string, { enabled, text }: BannerSettings): string {
  const banner = `<aside class="banner" aria-label="Banner">${escapeMarkup(text)}</aside>`
  const style = `<link rel="stylesheet" href="${BANNER_STYLE}" />`
  return document
    .replace('</head>', (end) => (enabled ? style : '') + end)
    .replace('<!--banner-->', () => (enabled ? banner : ''))
}

const FONT = /<link rel="preload" as="font"[^>]*>/g

/** Has browsers ask for the fonts after all else: nothing can be read on this page before its scripts and answers are there. */
export function withFontsLast(document: string): string {
  const fonts = document.match(FONT) ?? []
  return document.replaceAll(FONT, '').replace('</head>', (end) => [...fonts, end].join(''))
}

/** Has browsers ask for styles and fonts of a page that has its content first: scripts are not needed to read it. */
export function withScriptsLast(document: string): string {
  return document.replaceAll(
    /<(?:script type="module"|link rel="(?:modulepreload|preload" as="fetch)")/g,
    '$& fetchpriority="low"',
  )
}

/** Addresses of API answers and paths of files that a page preloads. */
export interface PreloadedResources {
  readonly answers: readonly string[]
  readonly files: readonly string[]
}

/**
 * Adds preloads to the document, so that browsers request all files and answers at once. Answers come last, because a long
 * one would delay the scripts that show it.
 */
export function withPreloads(document: string, { answers, files }: PreloadedResources): string {
  const loaded = files.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`)
  const preloads = answers.map(
    (address) => `<link rel="preload" as="fetch" crossorigin href="${escapeMarkup(address)}">`,
  )
  return document.replace('</head>', (end) => [...loaded, ...preloads, end].join(''))
}
