import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { COMUNICA, INSTALL_COMUNICA } from '../src/graph/engine/comunica.ts'
import { SETTING_NAMES } from '../src/platform/settings/settings.ts'
import { composeFaults, kubernetesFaults } from './support/manifests.ts'

const FOLDER = 'docs/operate'
const UNIT = join(FOLDER, 'parapet.service')
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

/** Licences that let a program under the Apache License 2.0 hold the library. */
const ALLOWED = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
  'MIT OR Apache-2.0',
  '(MIT AND Zlib)',
  '(WTFPL OR MIT)',
  '(MIT OR GPL-3.0-or-later)',
])

const dependencies = z.record(z.string(), z.string()).default({})
const library = z.object({
  version: z.string(),
  license: z.string().optional(),
  dev: z.boolean().optional(),
  dependencies,
  optionalDependencies: dependencies,
  peerDependencies: dependencies,
})
type Libraries = Readonly<Record<string, z.infer<typeof library>>>
/** Old ones name their licence as an object. */
const manifest = z.object({
  license: z.union([z.string(), z.object({ type: z.string() }).transform(({ type }) => type)]).optional(),
})
const lock = z.object({ packages: z.record(z.string(), library) })
const ROOT = ''

/**
 * The libraries of the program, without those of its development: where they are installed, and what the lock says. What
 * is an optional peer belongs to them, since images can be built with it.
 */
function librariesOfProgram(): readonly (readonly [string, z.infer<typeof library>])[] {
  const { packages } = readLock()
  const optional = withDependencies(packages, Object.keys(packages[ROOT]?.peerDependencies ?? {}))
  return Object.entries(packages).filter(([path, { dev = false }]) => path !== ROOT && (!dev || optional.has(path)))
}

function readLock(): { readonly packages: Libraries } {
  return lock.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')))
}

/** Finds the folders of these libraries and of all that they depend on. */
function withDependencies(packages: Libraries, names: readonly string[]): ReadonlySet<string> {
  const paths = new Set(names.map((name) => `node_modules/${name}`))
  for (const path of paths) {
    const { dependencies, optionalDependencies } = packages[path] ?? {}
    for (const name of [dependencies, optionalDependencies].flatMap((list) => Object.keys(list ?? {}))) {
      const installed = installedFor(packages, path, name)
      if (installed !== null) paths.add(installed)
    }
  }
  return paths
}

/** Node looks for a library below the one that needs it, then further up. Null: the lock does not have it. */
function installedFor(packages: Libraries, path: string, name: string): string | null {
  const candidate = path === ROOT ? `node_modules/${name}` : `${path}/node_modules/${name}`
  if (Object.hasOwn(packages, candidate)) return candidate
  if (path === ROOT) return null
  return installedFor(packages, path.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, ROOT), name)
}

function nameOf(path: string): string {
  return path.replace(/^.*node_modules\//, '')
}

describe('The files for operators', () => {
  it.each(readdirSync(FOLDER))('of %s name only existing settings', (name) => {
    const text = readFileSync(join(FOLDER, name), 'utf8')
    const named = [...text.matchAll(/\bSERVICE_[A-Z_]+\b/g)].map(([setting]) => setting)
    expect(named.filter((setting) => !SETTING_NAMES.includes(setting))).toEqual([])
  })

  it.runIf(hasSystemd)('has a unit in which systemd finds nothing wrong', () => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', UNIT], { encoding: 'utf8' })
    // Nothing is installed here that it could start.
    expect(stderr.replaceAll(/^.*is not executable.*\n/gm, '')).toBe('')
    expect(status === 0 || stderr !== '').toBe(true)
  })

  it('has the same options of the allocator and V8 in the image and in the unit', () => {
    const settings = [...readFileSync(UNIT, 'utf8').matchAll(/^Environment=((?:LD_PRELOAD|MALLOC|NODE_OPTIONS).*)$/gm)]
    const image = readFileSync('Dockerfile', 'utf8')
    expect(settings).toHaveLength(6)
    for (const [, setting] of settings) expect(image).toContain(` ${setting} \\\n`)
  })

  it.runIf(hasSystemd)('has a unit with few privileges', () => {
    expect(spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', UNIT]).status).toBe(0)
  })

  it('has manifests that Kubernetes accepts', () => {
    const text = readFileSync(join(FOLDER, 'kubernetes.yaml'), 'utf8')
    expect(kubernetesFaults(text)).toEqual([])
    const odd = text.replace('replicas: 1', "replicas: '1'").replace('failureThreshold:', 'failureTreshold:')
    expect(kubernetesFaults(odd)).toEqual([
      expect.stringContaining("'string' is not assignable to type 'number'"),
      expect.stringContaining('"failureTreshold"'),
    ])
  })

  it.each(['compose.yaml', join(FOLDER, 'compose.yaml')])('has %s as Compose specifies it', (file) => {
    const text = readFileSync(file, 'utf8')
    expect(composeFaults(text)).toEqual([])
    expect(composeFaults(text.replace('read_only: true', 'read_only: []'))).toEqual([
      '/services/parapet/read_only must be boolean',
    ])
    expect(composeFaults(text.replace('cap_drop:', 'capdrop:'))).toHaveLength(1)
  })

  it('installs the optional library in the version of the lock wherever a command is named', () => {
    const { packages } = readLock()
    const version = packages[`node_modules/${COMUNICA}`]?.version ?? ''
    expect(INSTALL_COMUNICA).toMatch(new RegExp(`^npm install .*${COMUNICA}@${version}$`))
    expect(packages[ROOT]?.peerDependencies).toEqual({ [COMUNICA]: version })
    for (const file of ['Dockerfile', 'docs/operating.md'])
      expect(readFileSync(file, 'utf8')).toContain(INSTALL_COMUNICA)
  })

  it('has only libraries under licences that are compatible with its own', () => {
    const odd = librariesOfProgram()
      .filter(([, { license }]) => license !== undefined && !ALLOWED.has(license))
      .map(([path, { license }]) => `${nameOf(path)}: ${license ?? ''}`)
    expect(odd).toEqual([])
  })

  it('names in NOTICE the libraries that declare no licence, and only them', () => {
    const undeclared = librariesOfProgram()
      .filter(([, { license }]) => license === undefined)
      .map(([path, { version }]) => `${nameOf(path)} ${version}`)
    const notice = readFileSync('NOTICE', 'utf8')
    const named = [...notice.matchAll(/^(\S+ \d\S*) \(.*\): .+ License/gm)].map(([, entry]) => entry)
    expect(undeclared.sort()).toEqual(named.sort())
  })

  it('has the licence in the lock that each library says itself', () => {
    const different = librariesOfProgram().flatMap(([path, { license }]) => {
      const file = join(path, 'package.json')
      if (!existsSync(file)) return []
      const said = manifest.parse(JSON.parse(readFileSync(file, 'utf8'))).license
      return said === license ? [] : [`${nameOf(path)}: ${said ?? 'nothing'}, ${license ?? 'nothing'}`]
    })
    expect(different).toEqual([])
  })
})
