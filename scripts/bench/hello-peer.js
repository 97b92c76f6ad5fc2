// The smallest possible Express server.
// node hello-peer.js PORT
import express from 'express'

const [port] = process.argv.slice(2)

express()
  .get('/', (_request, response) => {
    response.json({ hello: 'world' })
  })
  .listen(Number(port), '127.0.0.1')
