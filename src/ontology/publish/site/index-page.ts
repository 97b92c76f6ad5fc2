import { instant } from '../../../graph/json-ld.ts'
import { escapeMarkup } from '../../../platform/markup.ts'
import { ANSWERED, DOCUMENTS, folderOf } from '../../endpoints/list.ts'
import type { View } from '../../views/view.ts'
import type { TreeFile } from '../tree/tree.ts'
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

/** The index for programs: what the tree is, and what is in it. */
export function indexJson(site: Site): string {
  const content = {
    ...identityOf(site),
    manifest: '/manifest.json',
    sitemap: '/sitemap.xml',
    endpoints: familiesOf(site.tree),
  }
  return `${JSON.stringify(content, null, 1)}\n`
}

/** The same for people. Its links are relative, so that the tree may lie below a path. */
export function indexPage(site: Site): string {
  const { version, release_date: date, ontology_hash_sha256: digest } = identityOf(site)
  const title = `Release ${escapeMarkup(version)}`
  const rows = familiesOf(site.tree).map(row).join('\n')
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
      </table>
    </main>
  </body>
</html>
`
}

function row({ summary, files, example }: PublishedEndpoint): string {
  const address = escapeMarkup(example)
  const link = `<a href="${address.slice(1)}">${address}</a>`
  return `          <tr><td>${escapeMarkup(summary)}</td><td>${files}</td><td>${link}</td></tr>`
}

interface ReleaseIdentity {
  readonly version: string
  readonly release_date: string
  readonly ontology_hash_sha256: string
}

function identityOf({ release }: Site): ReleaseIdentity {
  return {
    version: release.version,
    release_date: instant(release.releaseDate),
    ontology_hash_sha256: release.sha256,
  }
}

function familiesOf(tree: readonly TreeFile[]): readonly PublishedEndpoint[] {
  return ANSWERED.flatMap((view) => {
    const files = tree.filter((file) => isOf(view, file))
    const example = exampleOf(view, files)
    if (example === undefined) return []
    const { path, summary, format } = view
    return [{ path, summary, media_type: format.mediaType, files: files.length, example }]
  })
}

function isOf(view: View, { folder, path }: TreeFile): boolean {
  if (view.kind === 'document') return path === view.path
  return folder === folderOf(view) && !DOCUMENTS.has(path)
}

function exampleOf(view: View, files: readonly TreeFile[]): string | undefined {
  const wished = view.kind === 'record' ? `${view.parameter.example}.json` : ''
  return (files.find(({ path, folder }) => path === folder + wished) ?? files[0])?.url
}
