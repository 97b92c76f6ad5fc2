// Prints the libraries of production as CycloneDX, from package-lock.json alone. `npm sbom --omit dev` would leave out
// each library that a development dependency also needs, so npm gets a lock file without development dependencies.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const manifest = readJson('package.json')
const lock = readJson('package-lock.json')
delete manifest.devDependencies
delete lock.packages[''].devDependencies
const production = Object.entries(lock.packages).filter(([, { dev }]) => dev !== true)

const temporary = mkdtempSync(join(tmpdir(), 'parapet-'))
try {
  // npm names the program after its folder.
  const folder = join(temporary, manifest.name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ ...lock, packages: Object.fromEntries(production) }),
  )
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  process.exitCode = spawnSync('npm', args, { cwd: folder, stdio: 'inherit' }).status ?? 1
} finally {
  rmSync(temporary, { recursive: true })
}

function readJson(name) {
  return JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))
}
