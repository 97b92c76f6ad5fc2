import { readFileSync } from 'node:fs'
import { z } from 'zod'

const packageFile = z.object({ version: z.string() })

export function programVersion(): string {
  const file = new URL('../../../package.json', import.meta.url)
  return packageFile.parse(JSON.parse(readFileSync(file, 'utf8'))).version
}
