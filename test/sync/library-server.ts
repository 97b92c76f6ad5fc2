import { createHash } from 'node:crypto'
import { startServer, type Identity } from '../support/server.ts'

/** A place that has libraries, with entity tags. */
export interface LibraryServer {
  readonly url: string
  /** Contents by path; tests may change them. */
  readonly files: Map<string, string | Buffer>
  /** Redirects, by path. */
  readonly moved: Map<string, string>
  /** Paths whose answers have no entity tag. */
  readonly untagged: Set<string>
  /** Each request that was answered with content: its path. */
  readonly sent: string[]
}

export async function libraryServer(
  files: Readonly<Record<string, string | Buffer>>,
  identity: Identity | null = null,
): Promise<LibraryServer> {
  const held = new Map(Object.entries(files))
  const moved = new Map<string, string>()
  const untagged = new Set<string>()
  const sent: string[] = []
  const url = await startServer(({ url: path = '/', headers }, response) => {
    const content = held.get(path)
    const elsewhere = moved.get(path)
    if (elsewhere !== undefined) {
      response.writeHead(302, { Location: elsewhere }).end()
    } else if (content === undefined) {
      response.writeHead(404).end()
    } else if (untagged.has(path)) {
      sent.push(path)
      response.end(content)
    } else {
      const etag = `"${createHash('sha256').update(content).digest('hex')}"`
      if (headers['if-none-match'] === etag) {
        response.writeHead(304, { ETag: etag }).end()
        return
      }
      sent.push(path)
      response.writeHead(200, { ETag: etag }).end(content)
    }
  }, identity)
  return { url, files: held, moved, untagged, sent }
}
