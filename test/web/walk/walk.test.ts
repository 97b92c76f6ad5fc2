// @module-tag long

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { browserFound, chromiumBrowser } from '../../support/browser.ts'
import { sendGood } from '../../support/catalogue.ts'
import { CORPUS } from '../../support/corpus.ts'
import { guidanceService } from '../../support/guidance.ts'
import { xccdfDocument } from '../../support/xccdf-document.ts'
import { expectAccepted } from './accepted.ts'
import { enter, type Player } from './cast.ts'
import { keyboard, pointer, type CreateInputDevice } from './input-device.ts'
import { beginComponent, beginProject, goHome, uploadSrg, type Story } from './steps/begin.ts'
import { comment, decide, openComments, readAnswer } from './steps/discuss.ts'
import { finish, release, takeOut } from './steps/finish.ts'
import { approve, askForReview, writeInSpreadsheet, writeRules } from './steps/write.ts'

const GPOS = join(CORPUS, 'xccdf', 'disa-os-srg-v3r2.xml')
const SAMPLE = { id: 'Teapot_SRG', kind: 'srg', title: 'Teapot SRG', rules: 12 } as const
const isDeep = process.env['PARAPET_TEST_DEEP'] !== undefined

const guidance = guidanceService()

/** Requests for the ontology, which this service does not have. */
const WITHOUT_ONTOLOGY = /^503 GET \/api\/(?:matrix|version|offensive-technique\/tactics)\.json$/

/** Roles of the people in the project. */
const ROLES = { Ann: 'author', Rob: 'reviewer', Vic: 'viewer', Cora: 'viewer' } as const

const STORIES: readonly (readonly [string, CreateInputDevice, Story])[] = [
  ['by the keyboard alone', keyboard, storyOf('Penguin OS', 'PNGN-01')],
  ...(isDeep ? [['by pointer', pointer, storyOf('Puffin OS', 'PUFN-01')] as const] : []),
]

function storyOf(project: string, prefix: string): Story {
  const source = existsSync(GPOS) ? readFileSync(GPOS) : Buffer.from(xccdfDocument(SAMPLE))
  const rules = (source.toString('utf8').match(/<Rule /g) ?? []).length
  return { project, component: `${project} 1`, prefix, roles: ROLES, source, rules }
}

describe.runIf(browserFound)('From the SRG to a released STIG with the pages alone', () => {
  const surf = chromiumBrowser()

  beforeAll(async () => {
    await guidance().person('Root', { admin: true })
    for (const name of ['Ada', ...Object.keys(ROLES)]) await guidance().person(name)
  })

  // A second try would fail because of the data that the first one has written.
  it.each(STORIES)('%s', { timeout: 900_000, retry: 0 }, async (_way, createInputDevice, story) => {
    const players: Player[] = []
    const come = async (name: string): Promise<Player> => {
      const player = await enter(await surf(guidance().service.baseUrl), name, createInputDevice)
      players.push(player)
      return player
    }
    if (isDeep) await uploadSrg(await come('Root'), story)
    else await sendSrg(story)
    const ada = await come('Ada')
    await beginProject(ada, story)
    await beginComponent(ada, story)
    await goHome(ada)
    const ann = await come('Ann')
    await writeRules(ann, story)
    await writeInSpreadsheet(ann, story)
    await askForReview(ann, story)
    const rob = await come('Rob')
    await approve(rob, story)
    await goHome(rob)
    await openComments(ann)
    const vic = await come('Vic')
    await comment(vic, story, { about: 'The rule in general', text: 'Which file is it?' })
    await goHome(vic)
    const cora = await come('Cora')
    await comment(cora, story, { about: 'Check', text: 'Which grep?' })
    await goHome(cora)
    await decide(ann, story)
    await readAnswer(vic, story)
    await finish(ada, story)
    await release(ada, story)
    await expectAccepted(await takeOut(ann), story)
    for (const { name, troubles, pointed } of players) {
      const refused = troubles.filter((trouble) => !WITHOUT_ONTOLOGY.test(trouble))
      expect([name, refused]).toEqual([name, []])
      if (createInputDevice === keyboard) expect([name, await pointed()]).toEqual([name, 0])
    }
  })
})

/** For a daily run, past the pages: the browser has tests of its own for that. */
async function sendSrg({ source }: Story): Promise<void> {
  await sendGood(await guidance().signIn('root@example.org'), source, { path: '/srgs' })
}
