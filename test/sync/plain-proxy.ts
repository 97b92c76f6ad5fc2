import { request } from 'node:http'
import { startServer } from '../support/server.ts'
import type { LibraryServer } from './library-server.ts'

/** A proxy that notes the address and the credentials of each request. */
export async function proxyTo(server: LibraryServer): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const url = await startServer(({ url: target = '', headers }, response) => {
    asked.push(`${target} ${headers['proxy-authorization'] ?? 'nobody'}`)
    request(server.url + new URL(target).pathname, { headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    }).end()
  })
  return { url, asked }
}
