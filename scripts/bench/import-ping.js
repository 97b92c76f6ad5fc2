// A thread that asks one thing over one connection, every few milliseconds, until it is told to stop.
// A request starts when the one before it has been answered, however long that took.
import { Agent, get } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const LIMIT_MS = 60_000

const { url, everyMs } = workerData
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const times = []
let failed = 0
let stopped = false

parentPort.once('message', () => {
  stopped = true
})
// The first one opens the connection.
await ask()
parentPort.postMessage('ready')
while (!stopped) {
  const begin = performance.now()
  const status = await ask()
  const ms = performance.now() - begin
  times.push(ms)
  if (status !== 200) failed += 1
  if (ms < everyMs) await sleep(everyMs - ms)
}
agent.destroy()
parentPort.postMessage({ times, failed })

/** The status; 0 without an answer. */
function ask() {
  return new Promise((resolve) => {
    const request = get(url, { agent, timeout: LIMIT_MS }, (response) => {
      response.resume()
      response.once('close', () => {
        resolve(response.complete ? response.statusCode : 0)
      })
    })
    request.once('timeout', () => request.destroy())
    request.once('error', () => {
      resolve(0)
    })
  })
}
