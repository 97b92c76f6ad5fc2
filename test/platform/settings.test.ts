import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readSettings, SETTING_NAMES, unknownSettings } from '../../src/platform/settings.ts'

describe('The settings', () => {
  it('have defaults for everything', () => {
    expect(readSettings({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      baseUrl: 'http://localhost:3000',
      dataDir: './var',
      logLevel: 'info',
      cacheBytes: 64 * 1024 * 1024,
    })
  })

  it('take an empty variable for one that is not set', () => {
    expect(readSettings({ SERVICE_PORT: '' }).port).toBe(3000)
  })

  it('drop the final slash of the base URL', () => {
    expect(readSettings({ SERVICE_BASE_URL: 'https://x.example/' }).baseUrl).toBe(
      'https://x.example',
    )
  })

  it.each([
    { SERVICE_PORT: '1.5' },
    { SERVICE_PORT: '-1' },
    { SERVICE_CACHE_MB: '0' },
    { SERVICE_LOG_LEVEL: 'loud' },
    { SERVICE_BASE_URL: 'ftp://x.example' },
  ])('refuse %j by its name', (env) => {
    const [name = ''] = Object.keys(env)
    expect(() => readSettings(env)).toThrow(name)
  })

  it('name a variable that only looks like one of them', () => {
    const env = { SERVICE_PORT: '1', SERVICE_PROT: '2', HOME: '/' }
    expect(unknownSettings(env)).toEqual(['SERVICE_PROT'])
  })

  it('are listed one by one in .env.example', () => {
    const example = readFileSync('.env.example', 'utf8')
    const listed = [...example.matchAll(/^#? ?(SERVICE_[A-Z_]+)=/gm)].map(([, name]) => name)
    expect(listed.sort()).toEqual([...SETTING_NAMES].sort())
  })
})
