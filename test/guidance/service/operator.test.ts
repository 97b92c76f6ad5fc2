// @module-tag database

import { expect, it, onTestFinished } from 'vitest'
import { withOperator } from '../../../src/guidance/operator.ts'
import { createLog } from '../../../src/platform/log.ts'
import { readSecrets, readSettings } from '../../../src/platform/settings/settings.ts'
import { freshDatabase } from '../../support/fresh-database.ts'
import { addRow } from '../../support/guidance-records.ts'
import { startGuidance } from '../../support/guidance.ts'
import { startMailServer } from '../../support/mail-server.ts'

it('The owner of an account gets an e-mail when an operator links it or resets its second factor', async () => {
  const mail = await startMailServer()
  onTestFinished(() => mail.close())
  const { dataDir, url } = await freshDatabase()
  const place = url === null ? {} : { SERVICE_DATABASE_URL: url }
  const guidance = await startGuidance(dataDir, place)
  onTestFinished(() => guidance.service.close())
  const { id, email } = await guidance.person('Ada')
  const env = { ...place, SERVICE_DATA_DIR: dataDir, SERVICE_SMTP_URL: mail.url }
  const { guidance: settings, baseUrl } = readSettings(env)
  const options = { settings, secrets: readSecrets(env), dataDir, baseUrl, log: createLog('silent') }
  const asOperator = (work: Parameters<typeof withOperator<unknown>>[1]) => withOperator(options, work)

  const identity = { provider: 'ldap', uid: 'uid=ada' } as const
  await asOperator((operator) => operator.linkIdentity(email, identity))
  const linked = await mail.next()
  expect([linked.recipients, linked.subject]).toEqual([[email], 'A way to sign in to your Parapet account was added'])
  await expect(asOperator((operator) => operator.linkIdentity(email, identity))).rejects.toThrow(
    'uid=ada is already linked with an account.',
  )

  await asOperator((operator) => operator.resetSecondFactor(email))
  const created_at = new Date().toISOString()
  await addRow(guidance, 'second_factors', {
    user_id: id,
    kind: 'totp',
    name: 'Telephone',
    key: 'x',
    credential_id: null,
    transports: '[]',
    used_up_to: 0,
    created_at,
    last_used_at: null,
  })
  await asOperator((operator) => operator.resetSecondFactor(email))
  const reset = await mail.next()
  expect([reset.recipients, reset.subject]).toEqual([[email], 'The second factor of your Parapet account was changed'])
  expect(mail.messages()).toHaveLength(2)
})
