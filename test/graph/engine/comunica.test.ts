import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { COMUNICA, INSTALL_COMUNICA, requireComunica } from '../../../src/graph/engine/comunica.ts'

describe('requireComunica', () => {
  it('accepts an engine when the library is installed', () => {
    expect(() => {
      requireComunica()
    }).not.toThrow()
  })

  it('names the setting, the library and the command when the library is missing', () => {
    const elsewhere = createRequire('/nothing-is-installed-here/file.js').resolve
    let refusal: unknown = null
    try {
      requireComunica(elsewhere)
    } catch (error) {
      refusal = error
    }
    expect(refusal).toMatchObject({
      code: 'setting_invalid',
      message:
        `SERVICE_SPARQL_URL: needs the library ${COMUNICA}, which is not installed. ` +
        `Install it with "${INSTALL_COMUNICA}", or unset the variable.`,
    })
  })

  it('does not hide another failure behind that sentence', () => {
    const failing = (): string => {
      throw new Error('The disk is gone')
    }
    expect(() => {
      requireComunica(failing)
    }).toThrow('The disk is gone')
  })
})
