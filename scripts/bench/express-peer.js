// Serves a published folder in the usual way of Express.
// node express-peer.js PORT FOLDER
import express from 'express'

const [port, folder = ''] = process.argv.slice(2)

express().use(express.static(folder)).listen(Number(port), '127.0.0.1')
