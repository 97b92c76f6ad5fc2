import { gzipSync } from 'node:zlib'
import type { FillPages } from '../../../contracts/pages.ts'
import type { OntologyDocument } from '../../../contracts/sources.ts'
import type { NameForm } from '../../../platform/files/file-names.ts'
import { pageInTree } from '../../../platform/files/page-in-tree.ts'
import { getOrMake } from '../../../platform/get-or-make.ts'
import { DOCUMENTS } from '../../endpoints/list.ts'
import { encodePath } from '../../render/paths.ts'
import type { PublishedRelease } from '../reports.ts'
import { nameFiles } from '../tree/file-names.ts'
import type { AnswerFile, TreeFile } from '../tree/tree.ts'

/** The application for browsers, as it is built, and where its pages are. */
export interface PagesSource {
  readonly document: string
  readonly assets: readonly {
    readonly path: string
    readonly bodies: Readonly<Partial<Record<'br' | 'gzip', Buffer>>> & {
      readonly identity: Buffer
    }
  }[]
  /** Pages without a record, such as `/matrix`. */
  readonly single: readonly string[]
  /** Pages of records: `/technique/:technique`, and `/api/technique/:technique.json`, which they show. */
  readonly records: readonly { readonly page: string; readonly record: string }[]
}

export interface PagesOptions {
  readonly names: NameForm
  readonly compress: boolean
  /** All releases under their versions; empty for a tree of one release. */
  readonly releases: readonly PublishedRelease[]
  /** Whether the pages of the catalogue are beside them. */
  readonly hasCatalogue?: boolean
  /** Path of the tree's address, with a slash at the end. */
  readonly basePath: string
}

export type Contents = ReadonlyMap<string, string | Buffer>

export interface PlannedPages {
  /** By file name. */
  readonly files: Contents
  /** Each page with its address, which ends with a slash. */
  readonly tree: readonly TreeFile[]
}

/** Path of the index for the search in browsers. */
const SEARCH_INDEX = 'search-index.json'
/** Characters of a longer text that are shown and searched. */
const MAX_TEXT_LENGTH = 400

/** The application as files: a document at the address of each page, so that any server of files finds it. */
export function planPages(source: PagesSource, answers: readonly AnswerFile[], options: PagesOptions): PlannedPages {
  const { names, releases, hasCatalogue = false } = options
  const tree = [...singlePages(source), ...recordPages(source, answers, names), ...changesPages(releases)]
  const documentAt = (base: string): string =>
    pageInTree(source.document, base, { hasReleases: releases.length > 0, hasCatalogue })
  // Pages that are equally deep have the same document.
  const byDepth = new Map<string, string>()
  const documentOf = ({ url }: TreeFile): string => {
    const base = '../'.repeat(url.split('/').length - 2) || './'
    return getOrMake(byDepth, base, () => documentAt(base))
  }
  const files = new Map<string, string | Buffer>([
    ...assetFiles(source, options.compress),
    ['index.html', documentAt('./')],
    // Sent for addresses of any depth, so its links cannot be relative.
    ['404.html', documentAt(options.basePath)],
    ...tree.map((page) => [page.file, documentOf(page)] as const),
  ])
  return { files, tree }
}

/** Fills the pages with their content, which is made of the answers in the files of `answers`. */
export async function fillPages(
  { files, tree }: PlannedPages,
  answers: readonly TreeFile[],
  fill: FillPages,
): Promise<PlannedPages> {
  const pages = [{ url: '/', file: 'index.html' }, ...tree].map(({ url, file }) => {
    return { url, file, document: String(files.get(file)) }
  })
  const fileByUrl = new Map(answers.map(({ url, file }) => [url, file]))
  const documents = await fill(pages, (url) => fileByUrl.get(url))
  const filled = pages.map(({ file }, index) => [file, documents[index] ?? ''] as const)
  return { files: new Map([...files, ...filled]), tree }
}

/**
 * The search index for browsers, an array for each record: kind, name, identifier, label, other names, text; of a
 * deprecated record also 1.
 */
export function searchIndex(documents: readonly OntologyDocument[], compress: boolean): Contents {
  const records = documents.map(({ kind, name, id, label, synonyms, text, deprecated }) => {
    const shortText = text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text
    const row = [kind, name, id ?? '', label, synonyms.join('; '), shortText]
    return deprecated ? [...row, 1] : row
  })
  const content = JSON.stringify(records)
  const packed = compress ? [[`${SEARCH_INDEX}.gz`, gzipSync(content)] as const] : []
  return new Map<string, string | Buffer>([[SEARCH_INDEX, content], ...packed])
}

function assetFiles({ assets }: PagesSource, compress: boolean): Contents {
  const packed = compress
    ? ([
        ['br', '.br'],
        ['gzip', '.gz'],
      ] as const)
    : []
  return new Map(
    assets.flatMap(({ path, bodies }) => {
      const file = path.slice(1)
      const siblings = packed.flatMap(([coding, ending]) => {
        const body = bodies[coding]
        return body === undefined ? [] : [[file + ending, body] as const]
      })
      return [[file, bodies.identity] as const, ...siblings]
    }),
  )
}

function singlePages({ single }: PagesSource): readonly TreeFile[] {
  return single.map((path) => ({
    path: `${path}/`,
    url: `${path}/`,
    file: `${path.slice(1)}/index.html`,
  }))
}

function recordPages({ records }: PagesSource, answers: readonly AnswerFile[], form: NameForm): readonly TreeFile[] {
  const paths = records.flatMap(({ page, record }) => {
    const folder = record.slice(0, record.lastIndexOf('/') + 1)
    const home = page.slice(0, page.lastIndexOf('/') + 1)
    return answers
      .filter((answer) => answer.folder === folder && !DOCUMENTS.has(answer.path))
      .map(({ path }) => path.slice(folder.length).replace(/\.json$/, ''))
      .map((name) => ({ folder: home, name: `${name}/index.html`, of: name }))
  })
  const files = nameFiles(paths, form)
  return paths.map((path) => ({
    path: `${path.folder}${path.of}/`,
    url: `${encodePath({ folder: path.folder, name: path.of })}/`,
    file: files.get(path) ?? '',
  }))
}

function changesPages(releases: readonly PublishedRelease[]): readonly TreeFile[] {
  return releases.flatMap((from) =>
    releases
      .filter((to) => to !== from)
      .map((to) => {
        const [a, b] = [from.manifest.version, to.manifest.version]
        return {
          path: `/releases/${a}/changes/${b}/`,
          url: `/releases/${encodeURIComponent(a)}/changes/${encodeURIComponent(b)}/`,
          file: `releases/${from.name}/changes/${to.name}/index.html`,
        }
      }),
  )
}
