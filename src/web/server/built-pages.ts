import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Coding } from '../../http/answer/negotiation.ts'
import { escapeMarkup } from '../../platform/markup.ts'
import type { BannerSettings } from '../../platform/settings/guidance-settings.ts'
import { BANNER_STYLE } from './html-pages.ts'
import { SEARCH_LINK } from './site-files.ts'

/** Beside what was compiled; where the sources run themselves, where the build puts it. */
const PLACES = ['../', '../../../dist/web/']

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
  /** The document that every page begins as. The addresses in it are relative to where the files are. */
  readonly document: string
  readonly assets: readonly Asset[]
  /** By the name of a page, the paths of the files that it needs beside those of the document. */
  readonly files: Readonly<Record<string, readonly string[]>>
}

const filesOfPages = z.record(z.string(), z.array(z.string()))

/** The address of a file that the build of the pages has made. */
export function builtFile(folder: 'built' | 'rendered', name: string): URL {
  const file = PLACES.map((place) => new URL(`${place}${folder}/${name}`, import.meta.url)).find((one) =>
    existsSync(one),
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

/** The document as it is sent at any path. */
export function fromRoot(document: string): string {
  return document.replaceAll(`"./${ASSETS}/`, `"/${ASSETS}/`)
}

/** The document with the way to search here, which a copy in files has not. */
export function withSearch(document: string): string {
  return document.replace('</head>', (end) => SEARCH_LINK + end)
}

/** The document with the banner of this installation, which is there whether scripts run or not. */
export function withBanner(document: string, { enabled, text }: BannerSettings): string {
  const banner = `<aside class="banner" aria-label="Banner">${escapeMarkup(text)}</aside>`
  const style = `<link rel="stylesheet" href="${BANNER_STYLE}" />`
  return document
    .replace('</head>', (end) => (enabled ? style : '') + end)
    .replace('<!--banner-->', () => (enabled ? banner : ''))
}

/** The resources that a page preloads: paths of API answers, and paths of files. */
export interface Beginning {
  readonly answers: readonly string[]
  readonly files: readonly string[]
}

/**
 * The document with all that a page begins with, so that browsers ask for it at once, and not for one after the other has
 * said so. Answers go last: a long one would keep back the scripts that are to show it.
 */
export function withBeginning(document: string, { answers, files }: Beginning): string {
  const loaded = files.map((file) =>
    file.endsWith('.css')
      ? `<link rel="stylesheet" crossorigin href="/${file}">`
      : `<link rel="modulepreload" crossorigin href="/${file}">`,
  )
  const asked = answers.map((address) => `<link rel="preload" as="fetch" crossorigin href="${escapeMarkup(address)}">`)
  return document.replace('</head>', (end) => [...loaded, ...asked, end].join(''))
}
