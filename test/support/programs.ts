import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { CORPUS, hasW3cSuites, W3C_SUITES } from './corpus.ts'

/** A program that some tests run. They are skipped if it is not installed. */
export interface Program {
  readonly name: string
  /** Debian's package of it. */
  readonly debianPackage: string
  readonly isInstalled: boolean
}

/** Debian's Python, because Debian's packages are installed for it. */
export const PYTHON = '/usr/bin/python3'
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

/** The headless shell comes first because it tests the same pages in three quarters of the time. */
export const CHROMIUM =
  process.env['PARAPET_CHROMIUM'] ??
  [HEADLESS_SHELL, '/usr/bin/chromium'].find((path) => existsSync(path)) ??
  HEADLESS_SHELL

/** The Firefox of Debian, a version with long support. */
export const FIREFOX = process.env['PARAPET_FIREFOX'] ?? '/usr/bin/firefox-esr'
export const NGINX = '/usr/sbin/nginx'
export const OSCAP = '/usr/bin/oscap'
export const OPENSSL = '/usr/bin/openssl'
export const SLAPD = '/usr/sbin/slapd'

export const bash = program('bash', 'bash', isOnPath('bash'))
export const chromium = program('Chromium', 'chromium-headless-shell', isFile(CHROMIUM))
export const curl = program('curl', 'curl', isOnPath('curl'))
export const firefox = program('Firefox', 'firefox-esr', isFile(FIREFOX))
export const nginx = program('nginx', 'nginx-light', isFile(NGINX))
export const openssl = program('OpenSSL', 'openssl', isFile(OPENSSL))
export const oscap = program('oscap', 'openscap-scanner', isFile(OSCAP))
export const promtool = program('promtool', 'prometheus', isOnPath('promtool'))
export const rapper = program('rapper', 'raptor2-utils', isOnPath('rapper'))
export const rdflib = program('rdflib', 'python3-rdflib', canImport('rdflib'))
export const ruby = program('Ruby', 'ruby', isOnPath('ruby'))
export const slapd = program('slapd', 'slapd', isFile(SLAPD))
export const sparqlWrapper = program('SPARQLWrapper', 'python3-sparqlwrapper', canImport('SPARQLWrapper'))
export const virtuoso = program('Virtuoso', 'virtuoso-opensource-7-bin', isOnPath('virtuoso-t'))

const SYSTEM = [bash, curl, nginx, openssl, oscap, promtool, rapper, rdflib, ruby, slapd, sparqlWrapper, virtuoso]
const ALL = [chromium, firefox, ...SYSTEM]

/** Debian's packages of the programs that are not installed. */
export function missingPackages(): readonly string[] {
  return ALL.filter(({ isInstalled }) => !isInstalled).map(({ debianPackage }) => debianPackage)
}

/** Lists the reasons why tests are skipped, one per line. */
export function skippedTests(): readonly string[] {
  const missing = ALL.filter(({ isInstalled }) => !isInstalled)
  const names = missing.map(({ name }) => name).join(', ')
  const install = `apt-get install ${missingPackages().join(' ')}`
  const hasServer = process.env['PARAPET_TEST_POSTGRES'] !== undefined
  return [
    missing.length === 0 ? null : `Skipped without ${names}: some tests (${install}).`,
    hasServer ? null : 'Skipped without PARAPET_TEST_POSTGRES: the tests on PostgreSQL.',
    existsSync(CORPUS) ? null : `Skipped without ${CORPUS} (PARAPET_CORPUS): tests of real data.`,
    hasW3cSuites ? null : `Skipped without ${W3C_SUITES} (PARAPET_W3C): the suites of W3C.`,
  ].filter((line) => line !== null)
}

function program(name: string, debianPackage: string, isInstalled: boolean): Program {
  return { name, debianPackage, isInstalled }
}

function isFile(path: string): boolean {
  return existsSync(path)
}

function isOnPath(command: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.some((folder) => existsSync(join(folder, command)))
}

function canImport(module: string): boolean {
  const find = `import importlib.util, sys; sys.exit(importlib.util.find_spec('${module}') is None)`
  return spawnSync(PYTHON, ['-c', find]).status === 0
}
