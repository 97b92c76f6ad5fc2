import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ReleaseFolder } from '../../src/ontology/index.ts'
import { startArguments } from '../support/build.ts'
import { canMakeCertificates, makeCertificate } from '../support/certificate.ts'
import { temporaryFolder } from '../support/folder.ts'
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.ts'
import { cciList, oscalCatalog } from '../support/reference-data.ts'
import { xccdfDocument } from '../support/xccdf-document.ts'
import { zipOf } from '../support/zip.ts'
import { libraryServer } from '../sync/library-server.ts'
import { tunnelProxy } from '../sync/tunnel-proxy.ts'

const SMALL = 'test/fixtures/ontology/small.ttl'
const failure = z.looseObject({ code: z.number(), stdout: z.string(), stderr: z.string() })

async function sync(
  { dataDir, url }: FreshDatabase,
  settings: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<z.output<typeof failure>> {
  const env = {
    PATH: process.env['PATH'],
    SERVICE_DATA_DIR: dataDir,
    ...(url !== null && { SERVICE_DATABASE_URL: url }),
    ...settings,
  }
  const program = startArguments('src/commands/sync.ts')
  try {
    const said = await promisify(execFile)(process.execPath, [...program, ...args], { env })
    return { ...said, code: 0 }
  } catch (error) {
    return failure.parse(error)
  }
}

describe('npm run sync', () => {
  it('imports new files, ingests without activating, and transfers nothing twice', async () => {
    const fresh = await freshDatabase()
    const server = await libraryServer({
      '/library.zip': await zipOf({ 'a.xml': xccdfDocument({ rules: 2 }) }),
      '/broken.xml': '<Benchmark',
      '/small.ttl': await readFile(SMALL, 'utf8'),
    })
    const settings = {
      SERVICE_LIBRARY_URLS: `${server.url}/library.zip ${server.url}/broken.xml`,
      SERVICE_ONTOLOGY_URL: `${server.url}/small.ttl`,
      SERVICE_SYNC_ALLOW_PRIVATE: 'true',
    }
    const first = await sync(fresh, settings)
    expect(first.stdout).toMatch(/^imported +\S+ V\dR\d+ +http\S+\/library.zip$/m)
    expect(first.stdout).toMatch(/^refused .*\[xml_not_well_formed\] +http\S+\/broken.xml$/m)
    expect(first.stdout).toMatch(/^imported +ontology 0\.0\.1, not served yet +http/m)
    expect(first.code).toBe(1)
    const folder = new ReleaseFolder(fresh.dataDir)
    expect(await folder.versions()).toEqual(['0.0.1'])
    expect(await folder.active()).toBeNull()
    server.sent.length = 0
    const second = await sync(fresh, settings)
    expect(second.stdout.match(/^unchanged /gm)).toHaveLength(3)
    expect(second.code).toBe(0)
    expect(server.sent).toEqual([])
  })

  it('imports reference data under its own name, and refuses benchmarks there', async () => {
    const fresh = await freshDatabase()
    const server = await libraryServer({
      '/U_CCI_List.xml': cciList(),
      '/catalog.json': oscalCatalog(),
      '/pot.xml': xccdfDocument(),
    })
    const urls = ['/U_CCI_List.xml', '/catalog.json', '/pot.xml'].map((path) => server.url + path)
    const settings = { SERVICE_REFERENCE_URLS: urls.join(' '), SERVICE_SYNC_ALLOW_PRIVATE: 'true' }
    const { stdout, code } = await sync(fresh, settings)
    expect(stdout).toMatch(/^imported +CCI list 2026-01-05 +http\S+\/U_CCI_List.xml$/m)
    expect(stdout).toMatch(/^imported +NIST SP 800-53 5\.1\.1 +http/m)
    expect(stdout).toMatch(/^refused .*\[not_reference_data\] +http\S+\/pot.xml$/m)
    expect(code).toBe(1)
    const database = await fresh.open()
    const sources = await database.read.selectFrom('reference_sources').select('file_name').orderBy('id').execute()
    expect(sources).toEqual([{ file_name: 'U_CCI_List.xml' }, { file_name: 'catalog.json' }])
    server.sent.length = 0
    expect((await sync(fresh, settings)).stdout.match(/^unchanged /gm)).toHaveLength(3)
    expect(server.sent).toEqual([])
  })

  it('says which setting is missing', async () => {
    const { code, stderr } = await sync(await freshDatabase(), {})
    expect(stderr).toMatch(/^Set SERVICE_LIBRARY_URLS, SERVICE_REFERENCE_URLS or SERVICE_ONTOLOGY_URL/)
    expect(code).toBe(1)
  })
})

describe.runIf(canMakeCertificates())('npm run sync through a tunnel', () => {
  /** A library over https that only the proxy finds, whose certificate only one file knows. */
  async function hiddenLibrary() {
    const host = 'library.invalid'
    const { certificate, key } = await makeCertificate(await temporaryFolder(), host)
    const [cert, secret] = await Promise.all([certificate, key].map((file) => readFile(file, 'utf8')))
    if (cert === undefined || secret === undefined) throw new Error('There is no certificate')
    const files = { '/library.zip': await zipOf({ 'a.xml': xccdfDocument({ rules: 2 }) }) }
    const server = await libraryServer(files, { cert, key: secret })
    const { url, asked } = await tunnelProxy(server.url)
    const settings = {
      SERVICE_LIBRARY_URLS: `https://${host}/library.zip`,
      SERVICE_SYNC_PROXY: url.replace('://', '://ada:s%20ecret@'),
    }
    return { server, asked, settings, trusting: { NODE_EXTRA_CA_CERTS: certificate } }
  }
  const TUNNEL = `library.invalid:443 Basic ${Buffer.from('ada:s ecret').toString('base64')}`

  it('imports over https, and transfers nothing twice', async () => {
    const fresh = await freshDatabase()
    const { server, asked, settings, trusting } = await hiddenLibrary()
    const first = await sync(fresh, { ...settings, ...trusting })
    expect(first.stdout).toMatch(/^imported +\S+ V\dR\d+ /m)
    const second = await sync(fresh, { ...settings, ...trusting })
    expect(second.stdout).toMatch(/^unchanged /m)
    expect([first.code, second.code]).toEqual([0, 0])
    expect(server.sent).toEqual(['/library.zip'])
    expect(asked).toEqual([TUNNEL, TUNNEL])
  })

  it('refuses a server without a valid certificate', async () => {
    const { server, asked, settings } = await hiddenLibrary()
    const { code, stdout } = await sync(await freshDatabase(), settings)
    expect(stdout).toMatch(/^refused +.*self-signed certificate.* \[source_unreachable\] /m)
    expect({ code, sent: server.sent, asked }).toEqual({ code: 1, sent: [], asked: [TUNNEL] })
  })

  it('never requests an internal address through the proxy, even if the library links to one', async () => {
    const { server, asked, settings, trusting } = await hiddenLibrary()
    server.moved.set('/library.zip', 'https://127.0.0.1/secrets')
    const inside = { ...settings, ...trusting }
    const { code, stdout } = await sync(await freshDatabase(), {
      ...inside,
      SERVICE_LIBRARY_URLS: `${settings.SERVICE_LIBRARY_URLS} https://10.0.0.1/a.zip`,
    })
    expect(stdout).toMatch(/^refused +127\.0\.0\.1 is not public .*library\.zip$/m)
    expect(stdout).toMatch(/^refused +10\.0\.0\.1 is not public /m)
    expect({ code, asked }).toEqual({ code: 1, asked: [TUNNEL] })
  })
})
