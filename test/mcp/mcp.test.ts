import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { TOOLS } from '../../src/mcp/server.ts'
import { MAX_CHARACTERS, shorten } from '../../src/mcp/shape-answer.ts'
import { makeComponent } from '../support/authoring.ts'
import { startArguments } from '../support/build.ts'
import { store } from '../support/catalogue.ts'
import { parapet } from '../support/command-line.ts'
import { makeToken, setRows } from '../support/guidance-records.ts'
import { guidanceService } from '../support/guidance.ts'
import { STARTER } from '../support/service.ts'

const under = guidanceService({ SERVICE_MCP_ENABLED: 'true' }, undefined, STARTER)
const closed = guidanceService({})
const proxied = guidanceService({ SERVICE_MCP_ENABLED: 'true', SERVICE_TRUSTED_PROXIES: '127.0.0.1' })

const LOCKING = { id: 'SV-720001r1_rule', title: 'Accounts must lock', cci: ['CCI-000044'] }

beforeAll(async () => {
  await store(under(), { id: 'Toaster_9_STIG', title: 'Toaster 9 STIG', rules: [LOCKING] })
  await store(under(), { id: 'Toaster_9_STIG', title: 'Toaster 9 STIG', release: '2', rules: [LOCKING] })
})

async function connected(token: string | null = null): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = token === null ? {} : { headers: { Authorization: `Token ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${under().service.baseUrl}/mcp`), { requestInit }))
  return client
}

const shown = z.looseObject({
  address: z.string(),
  release: z.object({ version: z.string(), digest: z.string() }).nullable(),
  answer: z.unknown().optional(),
  problem: z.looseObject({ code: z.string() }).optional(),
})

async function callTool(client: Client, name: string, given: Record<string, unknown>): Promise<z.output<typeof shown>> {
  const { content } = z
    .object({ content: z.array(z.object({ text: z.string() })) })
    .parse(await client.callTool({ name, arguments: given }))
  return shown.parse(JSON.parse(content[0]?.text ?? ''))
}

async function overHttp(path: string): Promise<unknown> {
  const { body } = await under().nobody.call('GET', path)
  return body
}

/** Takes an answer of the service out of its address, which the test does not listen at. */
function pathOf(address: string): string {
  const { pathname, search } = new URL(address)
  return `${pathname}${search}`
}

describe('The Model Context Protocol', () => {
  it('offers tools that only read, resources and prompts', async () => {
    const client = await connected()
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name))
    for (const { annotations } of tools) expect(annotations).toMatchObject({ readOnlyHint: true })
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(['parapet://benchmarks', 'parapet://releases'])
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(3)
    expect((await client.listPrompts()).prompts).toHaveLength(3)
    await client.close()
  })

  it.each([
    ['search', { q: 'account locking' }],
    ['describe', { ids: ['D3-AL', 'T1110', 'nothing'] }],
    ['rule', { id: LOCKING.id, benchmark: 'Toaster_9_STIG', version: 'V1R2' }],
    ['rule', { id: LOCKING.id }],
    ['related', { id: 'D3-AL' }],
    ['coverage', { stig: ['Toaster_9_STIG'] }],
    ['changes', { benchmark: 'Toaster_9_STIG', from: 'V1R1', to: 'V1R2' }],
    ['changes', {}],
  ])('answers %s with %j as HTTP does', async (name, given) => {
    const client = await connected()
    const { address, answer } = await callTool(client, name, given)
    expect(answer).toEqual(shorten(await overHttp(pathOf(address)), MAX_CHARACTERS).value)
    await client.close()
  })

  it('names the benchmark and the version of a rule, and the release of the ontology', async () => {
    const client = await connected()
    const rule = await callTool(client, 'rule', { id: LOCKING.id })
    expect(rule.address).toContain('/api/catalogue/benchmarks/Toaster_9_STIG/V1R2/rules/')
    const { ontology } = z.object({ ontology: z.unknown() }).parse(await overHttp('/api/batch?ids=D3-AL'))
    expect((await callTool(client, 'describe', { ids: ['D3-AL'] })).release).toEqual(ontology)
    await client.close()
  })

  it('measures an own list, advises on a draft, and answers SPARQL', async () => {
    const client = await connected()
    const { answer } = await callTool(client, 'coverage', { techniques: ['D3-AL'] })
    const { body } = await under().nobody.call('POST', '/api/coverage', { body: { techniques: ['D3-AL'] } })
    expect(answer).toEqual(body)
    const draft = { title: 'The toaster should lock accounts.' }
    const advice = await callTool(client, 'advice', draft)
    expect(advice.answer).toEqual((await under().nobody.call('POST', '/api/advice', { body: draft })).body)
    expect(JSON.stringify(advice.answer)).toContain('title_should')
    const query = 'SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }'
    expect(await callTool(client, 'sparql', { query })).toMatchObject({ answer: { head: { vars: ['n'] } } })
    await client.close()
  })

  it('answers resources and prompts', async () => {
    const client = await connected()
    const rule = await client.readResource({ uri: `parapet://benchmarks/Toaster_9_STIG/V1R2/rules/${LOCKING.id}` })
    const [content] = z.array(z.object({ text: z.string() })).parse(rule.contents)
    expect(JSON.parse(content?.text ?? '')).toEqual(
      await overHttp(`/api/catalogue/benchmarks/Toaster_9_STIG/V1R2/rules/${LOCKING.id}.json`),
    )
    const record = await client.readResource({ uri: 'parapet://records/d3f%3AAccountLocking' })
    expect(JSON.stringify(record.contents)).toContain('/api/batch?ids=d3f%3AAccountLocking&view=whole')
    await expect(client.readResource({ uri: 'parapet://benchmarks/None_STIG/V1R1' })).rejects.toThrow()
    const prompt = await client.getPrompt({ name: 'defend-against', arguments: { attack: 'T1110' } })
    expect(JSON.stringify(prompt.messages)).toContain('T1110')
    await client.close()
  })

  it('answers a refusal of the API as an error with its code', async () => {
    const client = await connected()
    const result = await client.callTool({ name: 'related', arguments: { id: 'T9999' } })
    expect(result.isError).toBe(true)
    expect(JSON.stringify(result.content)).toContain('subject_not_found')
    await client.close()
  })

  it('shows a component that is not released only with a token of a member', async () => {
    const guidance = under()
    const session = await guidance.signUp('Ada')
    const project = await guidance.project(session, { name: 'Hidden', visibility: 'hidden' })
    const rules = [{ ...LOCKING, version: 'SRG-OS-000021-GPOS-00005' }]
    const { id } = await makeComponent(guidance, session, {
      projectId: project,
      name: 'Grill',
      prefix: 'GRIL-00',
      rules,
    })
    await setRows(guidance, 'rules', { status: 'Applicable - Configurable' }, { component_id: id })
    const { raw } = await makeToken(guidance, session, { scopes: ['read'] })
    const member = await connected(raw)
    for (const given of [{ component: [id] }, { component: [id], techniques: ['D3-AL'] }])
      expect((await callTool(member, 'coverage', given)).answer).toBeDefined()
    const nobody = await connected()
    for (const given of [{ component: [id] }, { component: [id], techniques: ['D3-AL'] }])
      expect((await callTool(nobody, 'coverage', given)).problem).toMatchObject({ code: 'parameter_invalid' })
    const wrong = await connected('svc_wrong')
    expect((await callTool(wrong, 'coverage', { component: [id] })).problem).toMatchObject({ code: 'invalid_token' })
    for (const client of [member, nobody, wrong]) await client.close()
  })
})

describe('The path /mcp', () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }

  it('asks the API from the address of the caller', async () => {
    const session = await proxied().signUp('Ada')
    const { raw } = await makeToken(proxied(), session, { allowed_ips: ['192.0.2.1'], scopes: ['read'] })
    const params = { name: 'rule', arguments: { authored: 4711 } }
    const askFrom = async (address: string): Promise<string> => {
      const answer = await fetch(`${proxied().service.baseUrl}/mcp`, {
        method: 'POST',
        headers: { ...headers, Authorization: `Token ${raw}`, 'X-Forwarded-For': address },
        body: JSON.stringify({ ...message, method: 'tools/call', params }),
      })
      return answer.text()
    }
    expect(await askFrom('192.0.2.1')).toContain('not_found')
    expect(await askFrom('192.0.2.2')).toContain('ip_not_allowed')
  })

  it('lets no cache store an answer', async () => {
    expect((await post(JSON.stringify(message))).headers.get('Cache-Control')).toBe('no-store')
  })

  async function post(body: string | Buffer, extraHeaders: Record<string, string> = {}): Promise<Response> {
    return fetch(`${under().service.baseUrl}/mcp`, { method: 'POST', headers: { ...headers, ...extraHeaders }, body })
  }

  it('exists only if the setting enables it', async () => {
    const { status } = await fetch(`${closed().service.baseUrl}/mcp`, { method: 'POST', headers, body: '{}' })
    expect(status).toBe(404)
  })

  it('refuses pages of other origins', async () => {
    const refused = await post(JSON.stringify(message), { Origin: 'http://evil.example' })
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'origin_not_allowed' }])
    expect((await post(JSON.stringify(message), { Origin: 'null' })).status).toBe(403)
  })

  it('refuses other methods', async () => {
    for (const method of ['GET', 'DELETE', 'PUT'])
      expect((await fetch(`${under().service.baseUrl}/mcp`, { method, headers })).status).toBe(405)
  })

  it.each([
    ['no JSON', '{"jsonrpc":', 400],
    ['a list of messages', JSON.stringify([message, message]), 400],
    ['a number', '7', 400],
    ['a subscription', JSON.stringify({ ...message, method: 'subscriptions/listen' }), 400],
    ['a deep message', `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`, 400],
    ['a large message', JSON.stringify({ ...message, params: { x: 'x'.repeat(1_100_000) } }), 413],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400],
  ])('refuses %s', async (_name, body, status) => {
    const answer = await post(body)
    expect(answer.status).toBe(status)
    expect(await answer.text()).not.toMatch(/ at .*\.[jt]s:\d/)
  })

  it.each([
    ['an unknown tool', { name: 'delete', arguments: {} }],
    ['missing arguments', { name: 'search', arguments: {} }],
    ['arguments of another type', { name: 'describe', arguments: { ids: { length: { x: 1 } } } }],
    ['too many ids', { name: 'describe', arguments: { ids: Array.from({ length: 21 }, () => 'T1110') } }],
    ['a path in place of a benchmark', { name: 'rule', arguments: { id: 'x', benchmark: '../..', version: '..' } }],
  ])('answers %s with an error', async (_name, params) => {
    const answer = await (await post(JSON.stringify({ ...message, method: 'tools/call', params }))).text()
    expect(answer).toMatch(/"error"|"isError":true|"code"/)
    expect(answer).not.toMatch(/ at .*\.[jt]s:\d/)
  })
})

describe('The protocol over standard input and output', () => {
  it('answers as over HTTP, from a running service', async () => {
    const { baseUrl } = under().service
    const client = new Client({ name: 'test', version: '1' })
    const env = { PATH: process.env['PATH'] ?? '', SERVICE_BASE_URL: baseUrl }
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [...startArguments('src/cli.ts'), 'mcp'],
      env,
      stderr: 'ignore',
    })
    await client.connect(transport)
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(TOOLS.length)
    const given = { ids: ['D3-AL'] }
    const http = await connected()
    const [stdioAnswer, httpAnswer] = [
      await callTool(client, 'describe', given),
      await callTool(http, 'describe', given),
    ]
    expect(stdioAnswer.answer).toEqual(httpAnswer.answer)
    await client.close()
    await http.close()
  })

  it('ends with one sentence where no service answers', async () => {
    const { code, stdout, stderr } = await parapet(['mcp'], { SERVICE_BASE_URL: 'http://localhost:1' })
    expect([code, stdout, stderr.trim().split('\n')]).toEqual([
      2,
      '',
      [expect.stringContaining('No Parapet answers at')],
    ])
    expect(stderr).toContain('service_unreachable')
  })
})
