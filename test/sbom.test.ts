import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const lock = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), dev: z.boolean().optional() })),
})
const bom = z.object({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.object({ component: z.object({ name: z.string() }) }),
  components: z.array(z.object({ name: z.string(), version: z.string() })),
})

describe('The list of libraries', () => {
  it('has each library of production, also those that development needs too, and no others', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/sbom.js'], { maxBuffer: 16 * 1024 * 1024 })
    const { components, metadata } = bom.parse(JSON.parse(stdout))
    const { packages } = lock.parse(JSON.parse(await readFile('package-lock.json', 'utf8')))
    const installed = Object.entries(packages)
      .filter(([path, { dev = false }]) => path !== '' && !dev)
      .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`)
    expect(metadata.component.name).toBe('parapet')
    expect(new Set(components.map(({ name, version }) => `${name}@${version}`))).toEqual(new Set(installed))
  })
})
