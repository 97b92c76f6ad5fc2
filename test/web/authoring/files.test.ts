// @module-tag long

import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { openAs } from '../../support/author-window.ts'
import { makeComponent } from '../../support/authoring.ts'
import { browserFound, chromiumBrowser } from '../../support/browser.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { guidanceService, type Person, type SessionClient } from '../../support/guidance.ts'
import { zipOf } from '../../support/zip.ts'

const guidance = guidanceService({ SERVICE_RATE_LIMIT_ENABLED: 'false' })

describe.runIf(browserFound)('A file that cannot be accepted', () => {
  const surf = chromiumBrowser()
  const places = { component: '', project: '' }
  let root: Person
  let owner: SessionClient

  beforeAll(async () => {
    root = await guidance().person('Root', { admin: true })
    owner = await guidance().signIn(root.email)
    const projectId = await guidance().project(owner, { name: 'Penguins' })
    const made = await makeComponent(guidance(), root, { projectId })
    places.project = `/projects/${projectId}`
    places.component = `/components/${made.id}`
  })

  async function open(path: string): Promise<{ page: Page; sent: string[] }> {
    const page = await openAs(await surf(guidance().service.baseUrl), root.email, path)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(new URL(request.url()).pathname)
    })
    return { page, sent }
  }

  async function exported(path: string): Promise<Buffer> {
    const headers = { Accept: '*/*' }
    return (await owner.call('GET', path, { headers })).bytes
  }

  it('because it is too large is never sent', async () => {
    const folder = await temporaryFolder()
    const inputs: readonly (readonly [string, string, string, number])[] = [
      ['/projects/new?from=archive', '#archive-file', 'large.zip', 100],
      [`${places.project}/settings`, '#archive-file', 'large.zip', 100],
      [`${places.project}/components/new?from=spreadsheet`, '#sheet', 'large.xlsx', 50],
      [`${places.component}/spreadsheet`, '#sheet', 'large.csv', 50],
      ['/catalogue/upload', '#files', 'large.xml', 50],
      ['/catalogue/upload', '#files', 'large.zip', 500],
    ]
    for (const [path, input, name, limit] of inputs) {
      const file = join(folder, name)
      await writeFile(file, '')
      await truncate(file, limit * 1_000_000 + 1)
      const { page, sent } = await open(path)
      await page.locator(input).setInputFiles(file)
      const says = `${name} has ${limit}.1 MB, more than the limit of ${limit} MB. It was not sent.`
      await page.getByText(says).waitFor()
      expect([path, sent]).toEqual([path, []])
    }
  })

  it('is refused with the reason, and another archive can be chosen; a typed name stays', async () => {
    const good = await exported(`${places.project}/export/json_archive`)
    const faults: readonly (readonly [Buffer, string])[] = [
      [await zipOf({ 'manifest.json': Buffer.alloc(2_000_000) }), 'exceeds the limit of 200 times'],
      [good.subarray(0, good.length / 2), 'its end is missing. It was cut off, or is no zip.'],
      [Buffer.alloc(0), 'The file is empty.'],
      [await zipOf({ 'read.me': 'x' }), 'The zip is not an archive'],
      [encrypted(good), 'is encrypted.'],
    ]
    const { page } = await open('/projects/new?from=archive')
    const choose = (buffer: Buffer) =>
      page.getByLabel('Archive (.zip)').setInputFiles({ name: 'a.zip', mimeType: 'application/zip', buffer })
    await choose(good)
    await page.getByLabel('Name', { exact: true }).fill('Mine')
    for (const [buffer, words] of faults) {
      await choose(buffer)
      await page.getByRole('alert').getByText(words).waitFor()
    }
    await choose(good)
    await page.getByRole('button', { name: 'Create the project' }).waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Mine')
    await page.getByRole('button', { name: 'Create the project' }).press('Enter')
    await page.getByRole('heading', { name: 'Mine', level: 1 }).waitFor()
  })

  it('is refused with the reason, and another spreadsheet can be chosen; other fields stay', async () => {
    const { page } = await open(`${places.project}/components/new?from=spreadsheet`)
    const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
    const choose = (buffer: Buffer) =>
      page
        .getByLabel('Spreadsheet (.xlsx or .csv)')
        .setInputFiles({ name: 'sheet.xlsx', mimeType: 'application/zip', buffer })
    await choose(picture)
    await page.getByText('The file is a PNG image, not .xlsx or CSV.').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Mine')
    await page.getByLabel('Title').fill('My Guide')
    await choose(encrypted(await exported(`${places.component}/export/excel`)))
    await page.getByText('is encrypted.').waitFor()
    await choose(await exported(`${places.component}/export/excel`))
    await page.getByText('Its requirements are of').waitFor()
    await page.getByLabel('Title').press('Enter')
    await page.getByRole('heading', { name: 'Mine V1R1', level: 1 }).waitFor()
  })

  it('because it changed after it was chosen can be chosen again', async () => {
    const file = join(await temporaryFolder(), 'rules.csv')
    const sheet = String(await exported(`${places.component}/export/csv`))
    await writeFile(file, sheet.replaceAll('Not Yet Determined', 'Applicable - Configurable'))
    const { page } = await open(`${places.component}/spreadsheet`)
    await page.locator('#sheet').setInputFiles(file)
    const change = page.getByRole('button', { name: 'Change 3 rules' })
    await change.waitFor()
    await writeFile(file, sheet.replaceAll('Not Yet Determined', 'Not Applicable'))
    await change.click()
    await page.getByText('rules.csv cannot be read: it is a folder, or was changed').waitFor()
    await page.locator('#sheet').setInputFiles(file)
    await page.getByRole('button', { name: 'Change 3 rules' }).click()
    await page.getByText('Successfully updated 3 rules').waitFor()
  })
})

/** Marks all members of a zip as encrypted. */
function encrypted(zip: Buffer): Buffer {
  const copy = Buffer.from(zip)
  const flags: readonly (readonly [string, number])[] = [
    ['PK\u0003\u0004', 6],
    ['PK\u0001\u0002', 8],
  ]
  for (const [mark, offset] of flags)
    for (let position = copy.indexOf(mark); position >= 0; position = copy.indexOf(mark, position + 1))
      copy.writeUInt16LE(copy.readUInt16LE(position + offset) | 1, position + offset)
  return copy
}
