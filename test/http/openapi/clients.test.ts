// @module-tag long

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { guidanceService } from '../../support/guidance.ts'
import { jsonOf } from '../../support/service.ts'

const guidance = guidanceService({ SERVICE_BASE_URL: 'https://parapet.example.org' })
const run = promisify(execFile)

/** `/users/sessions/{id}` and `/users/{id}/lock` are paths of the contract; the service prefers the literal one. */
const SKIPPED = 'no-ambiguous-paths'

describe('The OpenAPI document for programs', () => {
  let folder = ''
  let file = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parapet-'))
    file = join(folder, 'openapi.json')
    const sent = await guidance().service.get('/openapi.json')
    expect(sent.body.equals((await guidance().service.get('/api/openapi.json')).body)).toBe(true)
    await writeFile(file, sent.body)
  })

  afterAll(() => rm(folder, { recursive: true }))

  it('is the same in YAML', async () => {
    const { headers, body } = await guidance().service.get('/openapi.yaml')
    expect(headers['content-type']).toBe('application/yaml; charset=utf-8')
    expect(parse(body.toString('utf8'), { maxAliasCount: 0 })).toEqual(
      jsonOf(await guidance().service.get('/openapi.json')),
    )
  })

  it('passes the recommended rules of Redocly without a warning', async () => {
    const program = resolve('node_modules/@redocly/cli/bin/cli.js')
    const args = [program, 'lint', file, '--extends=recommended', '--format=json', `--skip-rule=${SKIPPED}`]
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const { stdout } = await run(process.execPath, args, { env, cwd: folder, maxBuffer: 16 * 1024 * 1024 })
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] })
  })

  it('becomes types by openapi-typescript without a warning', async () => {
    const program = resolve('node_modules/openapi-typescript/bin/cli.js')
    const { stderr } = await run(process.execPath, [program, file, '-o', join(folder, 'api.d.ts')], { cwd: folder })
    expect(stderr).not.toMatch(/warn|error/i)
  })
})
