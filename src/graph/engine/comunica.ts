import { createRequire } from 'node:module'
import { hasCode, Refusal } from '../../platform/errors.ts'

/** An optional peer in package.json: it brings 580 packages, and only instances with another engine need it. */
export const COMUNICA = '@comunica/query-sparql'

/** Without `--save-prod`, npm takes it for a development dependency, and leaves it out. */
export const INSTALL_COMUNICA = `npm install --no-save --save-prod --omit=dev --ignore-scripts ${COMUNICA}@5.4.1`

/** Refuses an engine in the settings if the library that queries it is not installed. Does not load it. */
export function requireComunica(resolve: (name: string) => string = createRequire(import.meta.url).resolve): void {
  try {
    resolve(COMUNICA)
  } catch (error) {
    if (!hasCode(error, 'MODULE_NOT_FOUND')) throw error
    const detail = `SERVICE_SPARQL_URL: needs the library ${COMUNICA}, which is not installed.`
    throw new Refusal('setting_invalid', `${detail} Install it with "${INSTALL_COMUNICA}", or unset the variable.`)
  }
}
