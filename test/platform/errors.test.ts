// @module-tag node

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { problemOf } from '../../src/http/answer/problem.ts'
import { Refusal, REFUSALS } from '../../src/platform/errors.ts'

const CODES = [...Object.keys(REFUSALS), 'internal_error'].sort()

describe('The refusals', () => {
  it('are exactly the sections of docs/errors.md', () => {
    const text = readFileSync('docs/errors.md', 'utf8')
    const explained = [...text.matchAll(/^## (.+)$/gm)].map(([, code]) => code)
    expect(explained.sort()).toEqual(CODES)
  })

  it('state in docs/errors.md the status that they have', () => {
    const text = readFileSync('docs/errors.md', 'utf8')
    for (const [code, { status }] of Object.entries(REFUSALS)) {
      const section = text.split(new RegExp(`^## ${code}$`, 'm'))[1]?.split(/^## /m)[0]
      expect(section, code).toContain(String(status))
    }
  })

  it('are all thrown somewhere in the source', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    const sources = files
      .filter((file) => file.endsWith('.ts') && !file.endsWith('platform/errors.ts'))
      .map((file) => readFileSync(join('src', file), 'utf8'))
      .join('\n')
    const unused = Object.keys(REFUSALS).filter((code) => !sources.includes(`'${code}'`))
    expect(unused).toEqual([])
  })
})

describe('A problem', () => {
  it('carries code, status, detail and further members of a refusal', () => {
    const refusal = new Refusal('subject_not_found', 'There is no x.', { did_you_mean: ['y'] })
    expect(problemOf(refusal)).toEqual({
      type: '/docs/api/errors#subject_not_found',
      title: REFUSALS.subject_not_found.title,
      status: 404,
      detail: 'There is no x.',
      code: 'subject_not_found',
      did_you_mean: ['y'],
    })
  })

  it('hides the details of a bug', () => {
    const problem = problemOf(new Error('password=hunter2 at /home/x'))
    expect(problem.status).toBe(500)
    expect(JSON.stringify(problem)).not.toContain('hunter2')
  })
})
