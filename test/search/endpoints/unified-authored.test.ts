import { beforeAll, describe, expect, it } from 'vitest'
import { componentMember, makeComponent } from '../../support/authoring.ts'
import { store } from '../../support/catalogue.ts'
import { setRows } from '../../support/guidance-records.ts'
import { guidanceService, type Client } from '../../support/guidance.ts'
import { STARTER } from '../../support/service.ts'
import { addressOf, idsOf, unifiedRequests } from './unified-requests.ts'

const under = guidanceService({}, undefined, STARTER)

const { ask, find } = unifiedRequests(under)

let stig = 0

beforeAll(async () => {
  const rules = [{ id: 'SV-700001r1_rule', title: 'Samovars must lock accounts' }]
  stig = await store(under(), { id: 'Samovar_9_STIG', title: 'Samovar 9 STIG', rules })
})

describe('An authored rule', () => {
  const SECRET = { title: 'Quokkas must be concealed', fix: 'Conceal the zebrafinch.' }
  const QUERIES = ['quokka', 'quokkas', 'zebrafinch', 'quoka', 'QKKA-00', 'QKKA-00-000001', 'conceal']
  const callers = new Map<string, Client>()
  let before: readonly string[] = []

  beforeAll(async () => {
    const guidance = under()
    const people = ['Ada', 'Sam', 'Vera', 'Carl', 'Root', 'Tess']
    const peopleByName = new Map(
      await Promise.all(
        people.map(async (name) => {
          const person = await guidance.person(name, { admin: name === 'Root' })
          return [name, person] as const
        }),
      ),
    )
    const personNamed = (name: string) => {
      const person = peopleByName.get(name)
      if (person === undefined) throw new Error(`There is no ${name}`)
      return person
    }
    callers.set('nobody', guidance.nobody)
    for (const name of people) callers.set(name, await guidance.signIn(personNamed(name).email))
    callers.set('token', await guidance.token(personNamed('Vera'), ['read']))
    before = await answersOf(['nobody', 'Sam', 'Tess'])
    const projectId = await guidance.project(await guidance.signIn(personNamed('Ada').email), {
      name: 'Hidden',
      visibility: 'hidden',
    })
    const version = 'SRG-OS-000999-GPOS-00001'
    const component = await makeComponent(guidance, personNamed('Ada'), {
      projectId,
      name: 'Quokka house',
      prefix: 'QKKA-00',
      rules: [{ id: 'SV-800001r1_rule', version, title: 'Animals must be kept', cci: [] }],
    })
    await setRows(guidance, 'rules', { title: SECRET.title, fixtext: SECRET.fix }, { component_id: component.id })
    await guidance.member(projectId, personNamed('Vera'), 'viewer')
    await componentMember(guidance, component.id, { person: personNamed('Carl'), role: 'viewer' })
  })

  /** Every byte that these callers can get of it. */
  async function answersOf(names: readonly string[]): Promise<readonly string[]> {
    const answers: string[] = []
    for (const name of names) {
      for (const q of QUERIES) {
        const client = callers.get(name) ?? under().nobody
        const unified = await ask({ q }, client)
        const suggested = await client.call('GET', addressOf({ q }, '/api/search/suggest'))
        answers.push(unified.bytes.toString(), suggested.bytes.toString())
      }
    }
    return answers
  }

  it('does not change the answer for people who may not read it', async () => {
    expect(await answersOf(['nobody', 'Sam', 'Tess'])).toEqual(before)
  })

  it.for(['Ada', 'Vera', 'Carl', 'Root', 'token'])('is found by %s', async (name) => {
    const client = callers.get(name)
    const { results, facets } = await find('quokka concealed', {}, client)
    expect(results[0]).toMatchObject({ kind: 'authored-rule', label: SECRET.title, iri: null })
    expect(facets.kind.map(({ value }) => value)).toContain('authored-rule')
    expect((await find('zebrafinch', {}, client)).results[0]).toMatchObject({
      matched: { by: 'text', field: 'fixtext' },
    })
    expect((await find('Quokka house', {}, client)).results[0]).toMatchObject({ kind: 'component' })
    expect(idsOf(await find('QKKA-00-000001', {}, client))[0]).toBe('QKKA-00-000001')
    const suggested = await client?.call('GET', addressOf({ q: 'quokk' }, '/api/search/suggest'))
    expect(JSON.stringify(suggested?.body)).toContain(SECRET.title)
  })

  it('is left out of a search in a benchmark and part of one in all releases', async () => {
    const client = callers.get('Vera')
    expect((await find('quokka', { benchmark: String(stig) }, client)).results).toEqual([])
    expect((await find('quokka', { releases: 'all' }, client)).results).not.toEqual([])
  })

  it('is not searched with an invalid token, which is refused', async () => {
    const headers = { Authorization: 'Token svc_unknown' }
    const answer = await under().nobody.call('GET', addressOf({ q: 'samovar' }), { headers })
    expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
  })
})
