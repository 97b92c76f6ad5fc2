import { insertFactor } from '../../../src/guidance/identity/second-factor/factors.ts'
import { makeSecret, sealSecret } from '../../../src/guidance/identity/second-factor/one-time-codes.ts'
import { requireUser } from '../../../src/guidance/identity/users/reader.ts'
import { SYSTEM } from '../../../src/http/caller.ts'
import { sessionContent, type SessionContent } from '../../../src/http/session.ts'
import { alter } from '../guidance-records.ts'
import { PASSWORD, type Person } from '../guidance.ts'
import type { Sample, Scene } from '../sample-requests.ts'
import { codeOf, givePassword, SoftPasskey } from '../second-factor.ts'

const CHALLENGE = Buffer.from('a challenge of a test').toString('base64url')

export const SECOND_FACTOR_SAMPLES: Readonly<Record<string, Sample>> = {
  askPasskey: async (scene) => ({ headers: (await pending(scene)).headers }),
  finishSignIn: async (scene) => {
    const { headers, secret } = await pending(scene)
    return { headers, body: { code: codeOf(secret, 0) } }
  },
  listSecondFactors: () => ({}),
  renameSecondFactor: async (scene) => ({ params: { id: (await owned(scene)).id }, body: { name: 'Renamed' } }),
  removeSecondFactor: async (scene) => ({ params: { id: (await owned(scene)).id } }),
  renewRecoveryCodes: async (scene) => {
    await owned(scene)
    return { body: { current_password: PASSWORD } }
  },
  beginOneTimeCodes: async (scene) => {
    await prepare(scene, {})
    return { body: {} }
  },
  confirmOneTimeCodes: async (scene) => {
    const { secret } = makeSecret('anybody')
    const { keys } = scene.guidance.service.guidance
    const sealed = sealSecret(secret, keys.oneTimeCode, scene.caller.id)
    await owned(scene, { newSecret: { sealed, at: Date.now() } })
    return { body: { name: 'Phone', code: codeOf(secret, 0) } }
  },
  beginPasskey: async (scene) => {
    await prepare(scene, {})
    return { body: {} }
  },
  confirmPasskey: async (scene) => {
    await owned(scene, { challenge: { value: CHALLENGE, at: Date.now() } })
    const { origin } = new URL(scene.guidance.service.guidance.baseUrl)
    const credential = new SoftPasskey(origin).create({ challenge: CHALLENGE })
    return { body: { name: 'Key', credential } }
  },
  resetSecondFactor: async ({ guidance, someone }) => {
    const { id } = await someone()
    await addCodes(guidance, id)
    return { params: { id }, body: { user: { current_password: PASSWORD } } }
  },
}

/** A sign-in after a correct password. */
async function pending({ guidance, someone }: Scene) {
  const person = await someone()
  const { secret } = await addCodes(guidance, person.id)
  const { cookie } = await givePassword(guidance, person.email)
  return { headers: { Cookie: cookie }, secret }
}

/** A second factor of the caller, who has just used it. Adding another one ends no tokens or sessions. */
async function owned(scene: Scene, content: SessionContent = {}): Promise<{ readonly id: number }> {
  await prepare(scene, content)
  return addCodes(scene.guidance, scene.caller.id)
}

/** Adds this state of a sign-in in two steps to the session of the caller. */
async function prepare({ guidance, caller }: Scene, content: SessionContent): Promise<void> {
  const { id }: Person = caller
  await alter(guidance, async (writer) => {
    await writer.deleteFrom('second_factors').where('user_id', '=', id).execute()
    const sessions = await writer.selectFrom('sessions').select(['id', 'data']).where('user_id', '=', id).execute()
    for (const session of sessions) {
      const before = sessionContent.parse(JSON.parse(session.data))
      const data = JSON.stringify({ ...before, provenAt: Date.now(), twoStep: true, ...content })
      await writer.updateTable('sessions').set({ data }).where('id', '=', session.id).execute()
    }
  })
}

async function addCodes(
  { service }: Scene['guidance'],
  userId: number,
): Promise<{ readonly id: number; readonly secret: string }> {
  const { database, keys } = service.guidance
  const { secret } = makeSecret('anybody')
  const key = sealSecret(secret, keys.oneTimeCode, userId)
  const codes = { kind: 'totp', name: 'Phone', key, used_up_to: 0 } as const
  const factor = { ...codes, credentialId: null, transports: [] }
  const insertion = { factor, actor: SYSTEM, title: 'A test failed.' }
  const { id } = await database.transact(async (writer) =>
    insertFactor(writer, await requireUser(writer, userId), insertion),
  )
  return { id, secret }
}
