import { createMcpHandler } from '@modelcontextprotocol/server'
import express, { Router, type Request, type RequestHandler, type Response } from 'express'
import { checkShape, refuseBody, requireUtf8 } from '../http/input.ts'
import { runHandler } from '../http/routes.ts'
import { answersMethod } from '../http/server/methods.ts'
import { contextOf } from '../http/server/request-context.ts'
import { Refusal } from '../platform/errors.ts'
import { apiOver, type AskApi } from './ask.ts'
import { MCP_PATH, type McpParts } from './parts.ts'
import { mcpServer } from './server.ts'

const BODY_LIMIT = '1mb'
const METHODS = 'POST'

/**
 * The Model Context Protocol over streamable HTTP, without sessions: each request has a server of its own, which asks the API
 * with the caller's token and from the caller's address.
 */
export function mcpRoutes({ ask, baseUrl, version, log }: McpParts): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const readBody = express.json({ limit: BODY_LIMIT, verify: requireUtf8 })
  const handle: RequestHandler = async (request, response) => {
    checkOrigin(request, baseUrl)
    if (answersMethod(request, response, { allow: METHODS, isOpen: false, refusal: 'Send POST to /mcp.' })) return
    if (request.is('application/json') === false)
      throw new Refusal('unsupported_media_type', 'Send the message as application/json.')
    try {
      await runHandler(readBody, request, response)
    } catch (error) {
      throw refuseBody(error, BODY_LIMIT)
    }
    const message: unknown = request.body
    checkShape(message)
    refuseMessage(message)
    const onFault = (error: unknown): void => {
      log.error({ err: error, request_id: contextOf(request).id }, 'A tool has failed')
    }
    const server = () => mcpServer({ ask: askFor(request, { ask, baseUrl }), version, onFault })
    const handler = createMcpHandler(server)
    try {
      await sendAnswer(await handler.fetch(webRequest(request, baseUrl), { parsedBody: message }), response)
    } finally {
      await handler.close()
    }
  }
  router.all(MCP_PATH, handle)
  return router
}

/** Protects against DNS rebinding: a page that reaches this service under another name has another origin. */
function checkOrigin(request: Request, baseUrl: string): void {
  const origin = request.get('Origin')
  if (origin === undefined || origin === new URL(baseUrl).origin) return
  throw new Refusal('origin_not_allowed', 'Requests from pages of other origins are not allowed.')
}

/** Refuses subscriptions and lists of messages, so that no request stays open. */
function refuseMessage(message: unknown): void {
  if (Array.isArray(message)) throw new Refusal('parameter_invalid', 'Send one message, not a list of messages.')
  if (typeof message !== 'object' || message === null)
    throw new Refusal('parameter_invalid', 'The message must be a JSON object.')
  if ('method' in message && message.method === 'subscriptions/listen')
    throw new Refusal('parameter_invalid', 'Subscriptions are not offered. Ask again instead.')
}

/** Sends requests with the caller's token and address, and with the same request id in the log. */
function askFor(request: Request, { ask, baseUrl }: Pick<McpParts, 'ask' | 'baseUrl'>): AskApi {
  const { ip: address = '127.0.0.1' } = request
  const authorization = request.get('Authorization')
  const shared = {
    'X-Request-Id': contextOf(request).id,
    ...(authorization !== undefined && { Authorization: authorization }),
  }
  return apiOver(baseUrl, async ({ method, path, headers, body }) => {
    const answer = await ask(path, { ...headers, ...shared }, { method, body, address })
    return { status: answer.status, mediaType: answer.headers['content-type'] ?? '', text: answer.body.toString() }
  })
}

function webRequest(request: Request, baseUrl: string): globalThis.Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value)
  headers.delete('Content-Length')
  return new Request(`${baseUrl}${MCP_PATH}`, { method: 'POST', headers, body: JSON.stringify(request.body) })
}

async function sendAnswer(answer: globalThis.Response, response: Response): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer())
  for (const [name, value] of answer.headers) response.setHeader(name, value)
  response.status(answer.status).setHeader('Cache-Control', 'no-store')
  response.end(body)
}
