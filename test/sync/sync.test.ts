import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { synchronise } from '../../src/sync/sync.ts'
import { refusalOf } from '../support/refusal.ts'
import { libraryServer } from './library-server.ts'
import { proxyTo } from './plain-proxy.ts'
import { collector, optionsFor, run } from './run.ts'

describe('A file that the sync fetches', () => {
  it('is fetched once, and again after a change', async () => {
    const server = await libraryServer({ '/a.zip': 'first', '/o.ttl': '<a> <b> <c> .' })
    const { given, targets } = collector()
    const options = await optionsFor(server, ['/a.zip'], { ontology: `${server.url}/o.ttl` })
    expect(await run(options, targets)).toEqual(['imported /a.zip', 'imported /o.ttl'])
    expect(await run(options, targets)).toEqual(['unchanged /a.zip', 'unchanged /o.ttl'])
    expect(server.sent).toEqual(['/a.zip', '/o.ttl'])
    server.files.set('/a.zip', 'second')
    expect(await run(options, targets)).toEqual(['imported /a.zip', 'unchanged /o.ttl'])
    expect(given).toEqual(['first', 'ontology <a> <b> <c> .', 'second'])
    expect(await readdir(options.folder)).toEqual(['state.json'])
  })

  it('may be JSON of reference data, which is not a list', async () => {
    const server = await libraryServer({ '/catalog.json': '{"catalog": "a.zip"}' })
    const { given, targets } = collector()
    const options = await optionsFor(server, [], { references: [`${server.url}/catalog.json`] })
    expect(await run(options, targets)).toEqual(['imported /catalog.json'])
    expect(await run(options, targets)).toEqual(['unchanged /catalog.json'])
    expect(given).toEqual(['catalog.json {"catalog": "a.zip"}'])
  })

  it('may be named anywhere in a list', async () => {
    const list = [{ file: '/b.zip' }, { deep: { link: 'sub/c-xccdf.xml?v=1' } }, '/readme.pdf', 7]
    const server = await libraryServer({ '/list': JSON.stringify(list), '/b.zip': 'b', '/sub/c-xccdf.xml?v=1': 'c' })
    const { given, targets } = collector()
    const options = await optionsFor(server, ['/list'])
    expect(await run(options, targets)).toEqual(['imported /b.zip', 'imported /sub/c-xccdf.xml'])
    // The list itself has not changed, but what it names has.
    server.files.set('/b.zip', 'B')
    expect(await run(options, targets)).toEqual(['imported /b.zip', 'unchanged /sub/c-xccdf.xml'])
    expect(given).toEqual(['b', 'c', 'B'])
    expect(server.sent).toEqual(['/list', '/b.zip', '/sub/c-xccdf.xml?v=1', '/b.zip'])
  })

  it('is fetched once if several lists name it', async () => {
    const server = await libraryServer({
      '/list': '["/b.zip"]',
      '/other': '["/b.zip", "/c.zip"]',
      '/b.zip': 'b',
      '/c.zip': 'c',
    })
    const options = await optionsFor(server, ['/list', '/other'])
    expect(await run(options, collector().targets)).toEqual(['imported /b.zip', 'imported /c.zip'])
  })

  it('is not fetched again if its content was refused', async () => {
    const server = await libraryServer({ '/odd.zip': 'odd', '/a.zip': 'a' })
    const { targets } = collector()
    const options = await optionsFor(server, ['/odd.zip', '/gone.zip', '/a.zip'])
    const first = await synchronise(options, targets)
    expect(first.map(({ outcome, subject }) => `${outcome} ${subject}`)).toEqual([
      'refused It is none. [not_a_benchmark]',
      'refused the server answered 404. [source_unreachable]',
      'imported a',
    ])
    expect(await run(options, targets)).toEqual(['unchanged /odd.zip', 'refused /gone.zip', 'unchanged /a.zip'])
  })

  it('is fetched again if the run was interrupted', async () => {
    const server = await libraryServer({ '/a.zip': 'a', '/b.zip': 'b' })
    const { given, targets } = collector()
    const options = await optionsFor(server, ['/a.zip', '/b.zip'])
    const broken = { ...targets, library: () => Promise.reject(new Error('no database')) }
    await expect(synchronise(options, broken)).rejects.toThrow('no database')
    expect(await run(options, targets)).toEqual(['imported /a.zip', 'imported /b.zip'])
    expect(given).toEqual(['a', 'b'])
  })

  it('is only listed in a dry run', async () => {
    const server = await libraryServer({ '/a.zip': 'a', '/list': '["/b.zip"]', '/b.zip': 'b' })
    const { given, targets } = collector()
    const options = await optionsFor(server, ['/a.zip', '/list'], { isDry: true })
    const would = ['would be fetched /a.zip', 'would be fetched /b.zip']
    expect(await run(options, targets)).toEqual(would)
    expect(await run(options, targets)).toEqual(would)
    expect(given).toEqual([])
    expect(await run({ ...options, isDry: false }, targets)).toEqual(['imported /a.zip', 'imported /b.zip'])
    expect(await run(options, targets)).toEqual(['unchanged /a.zip', 'unchanged /b.zip'])
  })

  it('is not fetched by two processes at a time', async () => {
    const server = await libraryServer({ '/a.zip': 'a' })
    const options = await optionsFor(server, ['/a.zip'])
    await mkdir(options.folder)
    await writeFile(join(options.folder, '.lock'), `1 elsewhere`)
    const { message } = await refusalOf(() => synchronise(options, collector().targets))
    expect(message).toMatch(/^Another process is fetching new content/)
  })

  it('has a maximum size', async () => {
    const server = await libraryServer({ '/a.zip': 'a'.repeat(1001) })
    const options = await optionsFor(server, ['/a.zip'])
    const [line] = await synchronise(options, collector().targets)
    expect(line?.subject).toBe('it has more than 1000 bytes. [source_too_large]')
    expect(await readdir(options.folder)).toEqual(['state.json'])
  })
})

describe('A proxy', () => {
  const LIBRARY = 'http://library.invalid/a.zip'
  const asAda = (url: string) => url.replace('://', '://ada:s%20ecret@')
  const ADA = `Basic ${Buffer.from('ada:s ecret').toString('base64')}`

  it('receives the requests, with its name and password', async () => {
    const server = await libraryServer({ '/a.zip': 'a' })
    const { url, asked } = await proxyTo(server)
    const { given, targets } = collector()
    const options = await optionsFor(server, [], { proxy: asAda(url), libraries: [LIBRARY] })
    expect(await run(options, targets)).toEqual(['imported /a.zip'])
    expect(await run(options, targets)).toEqual(['unchanged /a.zip'])
    expect(asked).toEqual([`${LIBRARY} ${ADA}`, `${LIBRARY} ${ADA}`])
    expect(given).toEqual(['a'])
  })

  it('comes from the environment without a setting, except for hosts in NO_PROXY', async () => {
    const server = await libraryServer({ '/a.zip': 'a', '/b.zip': 'b' })
    const { url, asked } = await proxyTo(server)
    onTestFinished(() => void vi.unstubAllEnvs())
    for (const name of ['http_proxy', 'HTTP_PROXY']) vi.stubEnv(name, url)
    for (const name of ['no_proxy', 'NO_PROXY']) vi.stubEnv(name, '127.0.0.1')
    const options = await optionsFor(server, ['/b.zip'])
    const libraries = [...options.libraries, LIBRARY]
    expect(await run({ ...options, libraries }, collector().targets)).toEqual(['imported /b.zip', 'imported /a.zip'])
    expect(asked).toEqual([`${LIBRARY} nobody`])
  })

  /** Answers CONNECT in one way, and notes what was asked. */
  async function tunnel(answer: string): Promise<{ url: string; targets: string[] }> {
    const targets: string[] = []
    const proxy = createServer()
    proxy.on('connect', ({ url = '', headers }, socket) => {
      targets.push(`${url} ${headers['proxy-authorization'] ?? 'nobody'}`)
      socket.end(`HTTP/1.1 ${answer}\r\n\r\n`)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void proxy.close())
    const address = proxy.address()
    const port = address === null || typeof address === 'string' ? 0 : address.port
    return { url: `http://127.0.0.1:${port}`, targets }
  }
  async function refusedThrough(proxy: string, library: string): Promise<string | undefined> {
    const server = await libraryServer({})
    const options = await optionsFor(server, [], { proxy, libraries: [library] })
    const { given, targets } = collector()
    const [line] = await synchronise({ ...options, allowPrivate: false }, targets)
    expect({ outcome: line?.outcome, given }).toEqual({ outcome: 'refused', given: [] })
    expect(line?.subject).not.toContain('ecret')
    return line?.subject
  }

  it.each(['403 Forbidden', '407 Proxy Authentication Required', '302 Found\r\nLocation: http://a/'])(
    'opens a tunnel for https, and is named if it refuses with %j',
    async (answer) => {
      const { url, targets } = await tunnel(answer)
      const { host } = new URL(url)
      expect(await refusedThrough(asAda(url), 'https://library.invalid/a.zip')).toBe(
        `through the proxy ${host}: it answers ${answer.slice(0, 3)}. [source_unreachable]`,
      )
      expect(targets).toEqual([`library.invalid:443 ${ADA}`])
    },
  )

  it.each(['http', 'https'])('is named where it is away, of %s', async (scheme) => {
    expect(await refusedThrough('http://ada:secret@127.0.0.1:1', `${scheme}://library.invalid/a.zip`)).toMatch(
      /^through the proxy 127\.0\.0\.1:1: .*ECONNREFUSED/,
    )
  })

  it('gets no requests for internal addresses or ports of other protocols', async () => {
    const { url, targets } = await tunnel('200 OK')
    expect(await refusedThrough(url, 'https://10.0.0.1/a.zip')).toContain('is not public')
    expect(targets).toEqual([])
    expect(await refusedThrough('socks5://ada:secret@127.0.0.1:1080', LIBRARY)).toBe(
      'the proxy of the environment is not an http or https address. [source_unreachable]',
    )
  })
})
