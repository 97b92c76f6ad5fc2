import { expect, it } from 'vitest'
import { pageInTree } from '../../../src/platform/files/page-in-tree.ts'

it.each(['../../', '/a/', '/$&/', "/$'$`$$/"])('A page in a tree has the base %s', (base) => {
  const content = { hasReleases: true, hasCatalogue: true }
  const page = pageInTree('<html lang="en"><head><title>A</title></head></html>', base, content)
  const written = /<base href="([^"]*)">/.exec(page)?.[1] ?? ''
  expect(written.replaceAll('&amp;', '&').replaceAll('&#39;', "'")).toBe(base)
  expect(page).toContain('<html data-copy="releases" data-catalogue lang="en">')
  expect(page.match(/<head>/g)).toHaveLength(1)
})
