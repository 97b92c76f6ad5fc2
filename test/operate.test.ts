import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { SETTING_NAMES } from '../src/platform/settings/settings.ts'
import { composeFaults, kubernetesFaults } from './support/manifests.ts'

const FOLDER = 'docs/operate'
const UNIT = join(FOLDER, 'parapet.service')
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

/** Licences that let a program under the Apache License 2.0 hold the library. */
const ALLOWED = new Set([
  ...['MIT', 'MIT-0', 'MIT/X11', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0'],
  ...['BlueOak-1.0.0', 'Unlicense', 'MIT OR Apache-2.0', '(MIT AND Zlib)', '(WTFPL OR MIT)'],
  ...['(MIT OR GPL-3.0-or-later)', '0BSD'],
])
/** Old manifests that name theirs in another member, read by hand: FreeBSD, MIT, and MIT/X11 in its README. */
const READ_BY_HAND = ['buffers', 'negotiate', 'uritemplate']

const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ license: z.string().optional(), dev: z.boolean().optional() }),
  ),
})

describe('What helps to operate the service', () => {
  it.each(readdirSync(FOLDER))('knows the settings that %s names', (name) => {
    const text = readFileSync(join(FOLDER, name), 'utf8')
    const named = [...text.matchAll(/\bSERVICE_[A-Z_]+\b/g)].map(([one]) => one)
    expect(named.filter((one) => !SETTING_NAMES.includes(one))).toEqual([])
  })

  it.runIf(hasSystemd)('has a unit in which systemd finds nothing wrong', () => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', UNIT], { encoding: 'utf8' })
    // Nothing is installed here that it could start.
    expect(stderr.replaceAll(/^.*is not executable.*\n/gm, '')).toBe('')
    expect(status === 0 || stderr !== '').toBe(true)
  })

  it('tells the allocator and V8 the same in the image as in the unit', () => {
    const settings = [
      ...readFileSync(UNIT, 'utf8').matchAll(
        /^Environment=((?:LD_PRELOAD|MALLOC|NODE_OPTIONS).*)$/gm,
      ),
    ]
    const image = readFileSync('Dockerfile', 'utf8')
    expect(settings).toHaveLength(6)
    for (const [, setting] of settings) expect(image).toContain(` ${setting} \\\n`)
  })

  it.runIf(hasSystemd)('has a unit that may do little', () => {
    const args = ['security', '--offline=true', '--threshold=20', UNIT]
    expect(spawnSync('systemd-analyze', args).status).toBe(0)
  })

  it('has manifests that are what Kubernetes takes', () => {
    const text = readFileSync(join(FOLDER, 'kubernetes.yaml'), 'utf8')
    expect(kubernetesFaults(text)).toEqual([])
    const odd = text
      .replace('replicas: 1', "replicas: '1'")
      .replace('failureThreshold:', 'failureTreshold:')
    expect(kubernetesFaults(odd)).toEqual([
      expect.stringContaining("'string' is not assignable to type 'number'"),
      expect.stringContaining('"failureTreshold"'),
    ])
  })

  it.each(['compose.yaml', join(FOLDER, 'compose.yaml')])(
    'has %s as Compose specifies it',
    (file) => {
      const text = readFileSync(file, 'utf8')
      expect(composeFaults(text)).toEqual([])
      expect(composeFaults(text.replace('read_only: true', 'read_only: []'))).toEqual([
        '/services/parapet/read_only must be boolean',
      ])
      expect(composeFaults(text.replace('cap_drop:', 'capdrop:'))).toHaveLength(1)
    },
  )

  it('has libraries only under licences that go with its own', () => {
    const { packages } = lock.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')))
    const odd = Object.entries(packages)
      .filter(([path, { dev = false }]) => path !== '' && !dev)
      .filter(([, { license = '' }]) => !ALLOWED.has(license))
      .map(([path]) => path.replace(/^.*node_modules\//, ''))
    expect(odd.sort()).toEqual(READ_BY_HAND)
  })
})
