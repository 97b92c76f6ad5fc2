import type { AskInProcess } from '../http/server/in-process.ts'
import type { Log } from '../platform/log.ts'

/** Path at which the protocol is served. */
export const MCP_PATH = '/mcp'

export interface McpParts {
  /** Sends requests to the whole service. */
  readonly ask: AskInProcess
  readonly baseUrl: string
  readonly version: string
  readonly log: Log
}
