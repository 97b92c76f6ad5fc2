import { McpServer } from '@modelcontextprotocol/server'
import type { AskApi } from './ask.ts'
import { addPrompts } from './prompts.ts'
import { addResources } from './resources.ts'
import { shapeAnswer } from './shape-answer.ts'
import { coverage, sparql } from './tools/answers.ts'
import { describe, related, search } from './tools/records.ts'
import { advice, changes, rule } from './tools/rules.ts'
import type { Tool } from './tools/tool.ts'

export const TOOLS: readonly Tool[] = [search, describe, rule, related, coverage, changes, advice, sparql]

const INSTRUCTIONS =
  'Exact texts and identifiers of the D3FEND ontology and of security guidance (STIGs and SRGs). Quote rules from the ' +
  'tool "rule", never from memory, and name the benchmark with its version. Every answer has its address and, where it ' +
  'is of the ontology, the release. Lists may be shortened: "shortened" says by how much, and the address has all. Links ' +
  'are derived from stated relations; they do not tell that an attack is prevented. An empty list is a gap in the data.'

interface ServerParts {
  readonly ask: AskApi
  readonly version: string
  /** Called for errors other than answers of the API. */
  readonly onFault: (error: unknown) => void
}

/** The tools, resources and prompts for one caller. All of them only read. */
export function mcpServer(parts: ServerParts): McpServer {
  const { ask, version } = parts
  const server = new McpServer(
    { name: 'parapet', title: 'Parapet', version },
    { instructions: INSTRUCTIONS, capabilities: { tools: {}, resources: {}, prompts: {} } },
  )
  for (const tool of TOOLS) addTool(server, tool, parts)
  addResources(server, ask)
  addPrompts(server)
  return server
}

function addTool(server: McpServer, tool: Tool, { ask, onFault }: ServerParts): void {
  const { name, title, description, input } = tool
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  server.registerTool(name, { title, description, inputSchema: input, annotations }, async (toolArguments) => {
    try {
      return shapeAnswer(await tool.answer(ask, toolArguments))
    } catch (error) {
      onFault(error)
      return { isError: true, content: [{ type: 'text', text: 'The service could not answer. Try again later.' }] }
    }
  })
}
