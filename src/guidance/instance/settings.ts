import { z } from 'zod'
import type { GuidanceSettings } from '../../platform/settings/guidance-settings.ts'
import { MAX_FILE_BYTES as MAX_ATTACHMENT_BYTES } from '../authoring/attachments/types.ts'
import { MAX_UPLOAD_BYTES, MAX_XML_BYTES } from '../catalogue/files/limits.ts'
import { MAX_ARCHIVE_BYTES } from '../interchange/archives/format/limits.ts'
import { MAX_FILE_BYTES } from '../interchange/spreadsheets/reading/limits.ts'

const toggle = z.object({ enabled: z.boolean() })
const provider = z.object({ enabled: z.boolean(), title: z.string().nullable() })

export const publicSettings = z.object({
  banner: z.object({
    enabled: z.boolean(),
    text: z.string(),
    background_color: z.string(),
    text_color: z.string(),
  }),
  consent: z.object({
    enabled: z.boolean(),
    version: z.int(),
    title: z.string(),
    content: z.string(),
    ttl: z.int().meta({ description: 'Seconds; 0 is the whole session' }),
  }),
  local_login: toggle,
  user_registration: toggle,
  ldap: provider,
  oidc: provider,
  smtp: toggle,
  password: z.object({
    min_length: z.int(),
    min_uppercase: z.int(),
    min_lowercase: z.int(),
    min_number: z.int(),
    min_special: z.int(),
  }),
  lockout: z.object({
    enabled: z.boolean(),
    maximum_attempts: z.int(),
    last_attempt_warning: z.boolean(),
  }),
  uploads: z
    .object({
      catalogue_bytes: z.int(),
      xml_bytes: z.int(),
      archive_bytes: z.int(),
      spreadsheet_bytes: z.int(),
      attachment_bytes: z.int(),
    })
    .meta({ description: 'Maximum size of a file; larger ones are refused after the upload' }),
})

const uploads = {
  catalogue_bytes: MAX_UPLOAD_BYTES,
  xml_bytes: MAX_XML_BYTES,
  archive_bytes: MAX_ARCHIVE_BYTES,
  spreadsheet_bytes: MAX_FILE_BYTES,
  attachment_bytes: MAX_ATTACHMENT_BYTES,
}

export function shapeSettings(settings: GuidanceSettings): z.infer<typeof publicSettings> {
  const { banner, consent, password, lockout, ldap, oidc } = settings
  return {
    banner: {
      enabled: banner.enabled,
      text: banner.text,
      background_color: banner.backgroundColor,
      text_color: banner.textColor,
    },
    consent,
    local_login: { enabled: settings.localLogin },
    user_registration: { enabled: settings.registration && settings.localLogin },
    ldap: { enabled: ldap !== null, title: ldap?.title ?? null },
    oidc: { enabled: oidc !== null, title: oidc?.title ?? null },
    smtp: { enabled: settings.smtp !== null },
    password: {
      min_length: password.minLength,
      min_uppercase: password.minUppercase,
      min_lowercase: password.minLowercase,
      min_number: password.minNumber,
      min_special: password.minSpecial,
    },
    lockout: {
      enabled: lockout.enabled,
      maximum_attempts: lockout.maximumAttempts,
      last_attempt_warning: lockout.lastAttemptWarning,
    },
    uploads,
  }
}
