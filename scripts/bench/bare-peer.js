// The smallest possible Node server: it sends the same compressed answer to every request.
// node bare-peer.js PORT FILE HEADERS, where HEADERS is JSON.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [port, file = '', headers = '{}'] = process.argv.slice(2)
const body = readFileSync(file)
const head = JSON.parse(headers)

createServer((_request, response) => {
  response.writeHead(200, head)
  response.end(body)
}).listen(Number(port), '127.0.0.1')
