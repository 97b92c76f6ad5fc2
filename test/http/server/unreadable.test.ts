import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { explainUnreadable } from '../../../src/http/server/unreadable.ts'

it('Bytes that are no request close the connection without an answer inside another one', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Length': 100 }).write('half of the answer')
  })
  explainUnreadable(server, pino({ enabled: false }))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = z.custom<AddressInfo>().parse(server.address())
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  socket.once('data', () => socket.write('no request\r\n\r\n'))
  const received = (await buffer(socket)).toString()
  expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*half of the answer$/)
})
