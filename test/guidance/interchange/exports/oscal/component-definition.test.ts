import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ExportedComponent } from '../../../../../src/guidance/interchange/exports/component/component.ts'
import { componentDefinitionPieces } from '../../../../../src/guidance/interchange/exports/oscal/component-definition.ts'
import { guidanceService } from '../../../../support/guidance.ts'
import { makeTeapot, read } from '../teapot.ts'

const guidance = guidanceService()
const DATE = new Date('2026-01-05T10:00:00.000Z')

// The members and datatypes of NIST's metaschema for component definitions, as far as we write them.
const uuid = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[45][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
const token = z.string().regex(/^[\p{L}_][\p{L}\p{N}.\-_]*$/u)
const line = z.string().regex(/^\S(.*\S)?$/)
const requirement = z.strictObject({
  uuid,
  'control-id': token,
  description: z.string(),
  props: z.array(z.strictObject({ name: token, ns: z.url(), value: line })).min(1),
  links: z.array(z.strictObject({ href: z.string().regex(/^#/), rel: token, text: line })).min(1),
  remarks: z.string().optional(),
})
const definition = z.strictObject({
  'component-definition': z.strictObject({
    uuid,
    metadata: z.strictObject({
      title: line,
      'last-modified': z.iso.datetime({ offset: true }),
      version: line,
      'oscal-version': z.literal('1.2.2'),
      remarks: z.string().optional(),
    }),
    components: z
      .array(
        z.strictObject({
          uuid,
          type: line,
          title: line,
          description: z.string(),
          'control-implementations': z
            .array(
              z.strictObject({
                uuid,
                source: z.url(),
                description: z.string(),
                'implemented-requirements': z.array(requirement).min(1),
              }),
            )
            .min(1)
            .optional(),
        }),
      )
      .min(1),
    'back-matter': z
      .strictObject({
        resources: z.array(z.strictObject({ uuid, title: line, description: z.string().optional() })).min(1),
      })
      .optional(),
  }),
})

let stig: ExportedComponent

beforeAll(async () => {
  const owner = await guidance().signUp('Owner', { admin: true })
  const projectId = await guidance().project(owner)
  stig = await read(guidance(), (await makeTeapot(guidance(), owner, { projectId, name: 'Pots' })).id)
})

function write(exported: ExportedComponent, mode: 'published_stig' | 'working_copy' = 'published_stig'): string {
  return [...componentDefinitionPieces(exported, { mode, date: DATE })].join('')
}

function parse(json: string): z.infer<typeof definition>['component-definition'] {
  return definition.parse(JSON.parse(json))['component-definition']
}

describe('The OSCAL component definition of a STIG', () => {
  it('has each published rule under each control that its CCIs belong to', () => {
    const { metadata, components } = parse(write(stig))
    expect(metadata).toMatchObject({ title: 'Pots Guide', version: 'V1R2', 'last-modified': DATE.toISOString() })
    const requirements = components[0]?.['control-implementations']?.[0]?.['implemented-requirements'] ?? []
    const shown = requirements.map(({ 'control-id': control, props }) => [
      control,
      ...props.filter(({ name }) => name !== 'severity').map(({ value }) => value),
    ])
    expect(shown.toSorted()).toEqual([
      ['ac-2.1', 'SV-TEAP-00-000001', 'TEAP-00-000001', 'CCI-000015'],
      ['cm-6', 'SV-TEAP-00-000001', 'TEAP-00-000001', 'CCI-000366'],
    ])
  })

  it('links each requirement to the check of its rule, and has each id once', () => {
    const { components, 'back-matter': matter } = parse(write(stig, 'working_copy'))
    const requirements = components[0]?.['control-implementations']?.[0]?.['implemented-requirements'] ?? []
    const resources = matter?.resources ?? []
    const hrefs = requirements.flatMap(({ links }) => links.map(({ href }) => href))
    expect(new Set(hrefs)).toEqual(new Set(resources.map((resource) => `#${resource.uuid}`)))
    const ids = [...requirements, ...resources].map((record) => record.uuid)
    expect(new Set(ids).size).toBe(ids.length)
    expect(resources.length).toBe(6)
  })

  it('counts the rules that no control is known of', () => {
    const rules = stig.rules.map((rule) => ({ ...rule, ident: 'CCI-999999' }))
    const { metadata, components } = parse(write({ ...stig, rules }, 'working_copy'))
    expect(metadata.remarks).toMatch(/^6 rules have no CCI/)
    expect(components[0]).not.toHaveProperty('control-implementations')
  })

  it('depends on names alone, not on numbers of the database', () => {
    const renumbered = stig.rules.map((rule) => ({ ...rule, id: rule.id + 1000 }))
    expect(write({ ...stig, rules: renumbered })).toBe(write(stig))
  })
})
