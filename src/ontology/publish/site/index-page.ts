import { instant } from '../../../graph/json-ld.ts'
import { SYNTAXES } from '../../../graph/syntax/syntaxes.ts'
import { ONTOLOGY_NAME } from '../../../graph/vocabulary.ts'
import { escapeMarkup } from '../../../platform/markup.ts'
import { ALL_VIEWS, DOCUMENTS, extensionOf, folderOf } from '../../endpoints/list.ts'
import type { Manifest } from '../../release/manifest.ts'
import type { View } from '../../views/view.ts'
import type { AnswerFile } from '../tree/tree.ts'
import type { Site } from './content.ts'

/** An endpoint and its files in the tree. */
interface PublishedEndpoint {
  readonly path: string
  readonly summary: string
  readonly media_type: string
  readonly files: number
  /** Addresses below the site: of the document, or of one record. */
  readonly example: string
}

/** Reports on releases, for a tree that has several. */
const REPORTS = {
  list: '/api/releases.json',
  feed: '/api/releases.atom',
  datasets: '/.well-known/void',
} as const

/** The index for programs, which describes the tree and its content. */
export function indexJson(site: Site): string {
  const content = {
    ...identityOf(site),
    manifest: '/manifest.json',
    sitemap: '/sitemap.xml',
    endpoints: familiesOf(site.own),
    ...(site.releases.length > 0 && { ...REPORTS, releases: site.releases.map(pinnedOf) }),
  }
  return `${JSON.stringify(content, null, 1)}\n`
}

/** The index for people. Its links are relative, so that the tree may lie below a path. */
export function indexPage(site: Site): string {
  const { version, release_date: date, ontology_hash_sha256: digest } = identityOf(site)
  const title = `Release ${escapeMarkup(version)}`
  const rows = familiesOf(site.own).map(row).join('\n')
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <link rel="icon" href="data:,">
    <link rel="sitemap" type="application/xml" href="sitemap.xml">
    <title>${title}</title>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      <p>Released ${escapeMarkup(date.slice(0, 10))}. SHA-256 of the ontology: <code>${digest}</code>.</p>
      <p>Every file, with its length and digest, is in <a href="manifest.json">manifest.json</a>.
        <a href="index.json">index.json</a> is this page for programs.</p>
      <table>
        <thead>
          <tr><th scope="col">What</th><th scope="col">Files</th><th scope="col">For example</th></tr>
        </thead>
        <tbody>
${rows}
        </tbody>
      </table>${releasesTable(site)}
    </main>
  </body>
</html>
`
}

function releasesTable({ releases }: Site): string {
  if (releases.length === 0) return ''
  const rows = releases.map((release) => {
    const { version, api, files, hashes } = pinnedOf(release)
    const links = [`${api}version.json`, files, hashes].map(anchor).join('</td><td>')
    return `          <tr><td>${escapeMarkup(version)}</td><td>${links}</td></tr>`
  })
  return `
      <h2>Releases</h2>
      <p>Each is also available below its version; ${Object.values(REPORTS).map(anchor).join(', ')}.</p>
      <table>
        <thead>
          <tr><th scope="col">Version</th><th scope="col">What it is</th><th scope="col">Whole</th><th scope="col">Hashes</th></tr>
        </thead>
        <tbody>
${rows.join('\n')}
        </tbody>
      </table>`
}

/** The path of a release under its version. */
function pinnedOf({ version, releaseDate, sha256 }: Manifest) {
  const name = encodeURIComponent(version)
  return {
    version,
    release_date: instant(releaseDate),
    ontology_hash_sha256: sha256,
    api: `/releases/${name}/api/`,
    files: `/ontologies/${ONTOLOGY_NAME}/${name}/${ONTOLOGY_NAME}.${SYNTAXES.turtle.extension}`,
    hashes: `/api/releases/${name}/hashes.json`,
  }
}

function anchor(address: string): string {
  const escaped = escapeMarkup(address)
  return `<a href="${escaped.slice(1)}">${escaped}</a>`
}

function row({ summary, files, example }: PublishedEndpoint): string {
  return `          <tr><td>${escapeMarkup(summary)}</td><td>${files}</td><td>${anchor(example)}</td></tr>`
}

function identityOf({ release }: Site) {
  return {
    version: release.version,
    release_date: instant(release.releaseDate),
    ontology_hash_sha256: release.sha256,
  }
}

function familiesOf(tree: readonly AnswerFile[]): readonly PublishedEndpoint[] {
  return ALL_VIEWS.flatMap((view) => {
    const files = tree.filter((file) => belongsToView(view, file))
    const example = exampleOf(view, files)
    if (example === undefined) return []
    const { path, summary, format } = view
    return [{ path, summary, media_type: format.mediaType, files: files.length, example }]
  })
}

function belongsToView(view: View, { folder, path }: AnswerFile): boolean {
  if (view.kind === 'document') return path === view.path
  return folder === folderOf(view) && path.endsWith(extensionOf(view)) && !DOCUMENTS.has(path)
}

function exampleOf(view: View, files: readonly AnswerFile[]): string | undefined {
  const wished = view.kind === 'record' ? view.parameter.example + extensionOf(view) : ''
  return (files.find(({ path, folder }) => path === folder + wished) ?? files[0])?.url
}
