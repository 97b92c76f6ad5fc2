import { describe, expect, it } from 'vitest'
import { synchronise } from '../../src/sync/sync.ts'
import { libraryServer } from './library-server.ts'
import { proxyTo } from './plain-proxy.ts'
import { collector, optionsFor, run } from './run.ts'

/** Only the proxy knows where this is, so that a first address is allowed although everything here is private. */
const LIBRARY = 'http://library.invalid'

describe('The address of a fetched file', () => {
  it('is not in the private network, neither by address nor by name', async () => {
    const server = await libraryServer({ '/a.zip': 'a' })
    const { port } = new URL(server.url)
    const { given, targets } = collector()
    const options = await optionsFor(server, ['/a.zip'], { allowPrivate: false })
    const libraries = [...options.libraries, `http://localhost:${port}/a.zip`]
    const lines = await synchronise({ ...options, libraries }, targets)
    expect(lines.map(({ subject }) => subject)).toEqual([
      `127.0.0.1:${port} is not public (SERVICE_SYNC_ALLOW_PRIVATE). [source_unreachable]`,
      'The host has an address that is not public. [source_unreachable]',
    ])
    expect([...given, ...server.sent]).toEqual([])
  })

  it.each(['127.0.0.1', '10.0.0.1:8080', '169.254.169.254', '[::1]', '[::ffff:10.0.0.1]', '2130706433'])(
    'is not %s, to which a redirect leads',
    async (host) => {
      const server = await libraryServer({ '/inside.zip': 'secret', '/c.zip': 'c' })
      server.moved.set('/a.zip', `http://${host}/inside.zip`)
      // The second redirect is looked at as the first is.
      server.moved.set('/b.zip', '/a.zip')
      const { url: proxy, asked } = await proxyTo(server)
      const libraries = ['/a.zip', '/b.zip', '/c.zip'].map((path) => LIBRARY + path)
      const options = await optionsFor(server, [], { proxy, libraries, allowPrivate: false })
      const { given, targets } = collector()
      const lines = await synchronise(options, targets)
      expect(lines.map(({ subject }) => subject)).toEqual([
        expect.stringMatching(/ is not public \(SERVICE_SYNC_ALLOW_PRIVATE\)/),
        expect.stringMatching(/ is not public \(SERVICE_SYNC_ALLOW_PRIVATE\)/),
        'c',
      ])
      expect(given).toEqual(['c'])
      expect(asked.filter((url) => !url.startsWith(LIBRARY))).toEqual([])
    },
  )

  it('is not in the private network for a dry run or the ontology either', async () => {
    const server = await libraryServer({ '/inside.zip': 'secret' })
    server.moved.set('/a.ttl', 'http://10.0.0.1/inside.zip')
    const { url: proxy, asked } = await proxyTo(server)
    const options = await optionsFor(server, [], { proxy, ontology: `${LIBRARY}/a.ttl`, allowPrivate: false })
    expect(await run(options, collector().targets)).toEqual(['refused /a.ttl'])
    expect(await run({ ...options, isDry: true }, collector().targets)).toEqual(['refused /a.ttl'])
    expect(asked.filter((url) => !url.startsWith(LIBRARY))).toEqual([])
  })

  it('may be in the private network if that is allowed', async () => {
    const server = await libraryServer({ '/b.zip': 'b' })
    server.moved.set('/a.zip', `${server.url}/b.zip`)
    const options = await optionsFor(server, ['/a.zip'])
    expect(await run(options, collector().targets)).toEqual(['imported /a.zip'])
  })

  it('has no port of another protocol, even through a redirect or a list', async () => {
    const server = await libraryServer({ '/list': JSON.stringify(['http://127.0.0.1:22/b.zip']) })
    server.moved.set('/a.zip', 'http://127.0.0.1:6667/a.zip')
    const options = await optionsFor(server, ['/a.zip', '/list'])
    const libraries = [...options.libraries, 'http://127.0.0.1:25/c.zip']
    const lines = await synchronise({ ...options, libraries }, collector().targets)
    expect(lines.map(({ subject }) => subject)).toEqual(
      [6667, 22, 25].map((port) => `port ${port} of 127.0.0.1 is not for HTTP. [source_unreachable]`),
    )
  })

  it.each(['file:///etc/passwd', 'ftp://127.0.0.1/a.zip', 'http://'])(
    'is not %s, to which a redirect leads',
    async (target) => {
      const server = await libraryServer({})
      server.moved.set('/a.zip', target)
      const [line] = await synchronise(await optionsFor(server, ['/a.zip']), collector().targets)
      expect(line?.outcome).toBe('refused')
      expect(line?.subject).toContain('which is not an http or https address')
    },
  )

  it('may be reached through a few redirects, but not in a circle', async () => {
    const server = await libraryServer({ '/b.zip': 'b' })
    server.moved.set('/a.zip', '/b.zip')
    server.moved.set('/round.zip', '/round.zip')
    const options = await optionsFor(server, ['/a.zip', '/round.zip'])
    expect(await run(options, collector().targets)).toEqual(['imported /a.zip', 'refused /round.zip'])
  })
})
