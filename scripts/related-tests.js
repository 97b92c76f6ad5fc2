// Finds the tests of sources: those in the folder of each, and those that import or name it without starting the
// whole service. Most of the others start it.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Files that compose the services. */
const WHOLE = ['app', 'main', 'guidance/index', 'ontology/index'].map((name) => `src/${name}.ts`)
const IS_CODE = /^(?:src|test)\/.*\.ts$/
const IS_TEST = /\.test\.ts$/

const files = git('ls-files', '--cached', '--others', '--exclude-standard').filter(existsSync)
const usersOf = findUsers()
/** Files that use the whole service, so every source affects them. */
const wholes = usersOfAll(WHOLE, () => true)

/** Paths of all test files for these files of `src/` or `test/`. */
export function relatedTests(changed) {
  return [...new Set(changed.flatMap((file) => [...testsBeside(file), ...testsReaching(file)]))]
}

/** Paths of the files that differ from a commit, including untracked ones. */
export function changedSince(commit) {
  return [...git('diff', '--name-only', commit), ...git('ls-files', '--others', '--exclude-standard')]
}

/** Paths of the files in these folders, or the files themselves. */
export function filesIn(folders) {
  return files.filter((file) => folders.some((folder) => file === folder || file.startsWith(`${folder}/`)))
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)
}

/** The users of each file: files that import it, or have its path as a text. */
function findUsers() {
  const knownFiles = new Set(files)
  const users = new Map()
  for (const file of files.filter((name) => IS_CODE.test(name)))
    for (const [, text] of namesIn(readFileSync(file, 'utf8'))) {
      const used = text.startsWith('.') ? join(dirname(file), text) : text
      if (knownFiles.has(used)) users.set(used, [...(users.get(used) ?? []), file])
    }
  return users
}

/** Finds imports by their quoted paths; imports of types do nothing at run time. */
function namesIn(text) {
  return text.replaceAll(/^import type .*?from .*?$/gms, '').matchAll(/['"`]([\w./-]+)['"`]/g)
}

/** Tests in the folder of a source, or else in the nearest parent folder that has some. */
function testsBeside(file) {
  if (!file.startsWith('src/')) return []
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
    const twin = folder.replace(/^src/, 'test')
    const tests = files.filter((name) => IS_TEST.test(name) && dirname(name) === twin)
    if (tests.length > 0) return tests
  }
  return []
}

/** Tests that use a file directly or through others; the file itself, if it is a test. */
function testsReaching(file) {
  const users = usersOfAll([file], (user) => user === file || !wholes.has(user))
  return [...users].filter((name) => IS_TEST.test(name) && existsSync(name))
}

/** Adds the users of these files, transitively. */
function usersOfAll(first, leadsOn) {
  const users = new Set(first)
  for (const name of users) if (leadsOn(name)) for (const user of usersOf.get(name) ?? []) users.add(user)
  return users
}
