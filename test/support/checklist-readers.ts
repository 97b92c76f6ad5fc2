import { reviewsFromCkl, reviewsFromCklb } from '@nuwcdivnpt/stig-manager-client-modules'

const SETTINGS = {
  fieldSettings: {
    detail: { enabled: 'always', required: 'optional' },
    comment: { enabled: 'always', required: 'optional' },
  },
  allowAccept: false,
  importOptions: {
    autoStatus: 'saved',
    unreviewed: 'always',
    unreviewedCommented: 'notchecked',
    emptyDetail: 'ignore',
    emptyComment: 'ignore',
    allowCustom: true,
  },
  sourceRef: null,
} as const

/** Reads a CKL as STIG Manager does, with all its contents. */
export function readCkl(data: string): unknown {
  return reviewsFromCkl({ ...SETTINGS, data })
}

export function readCklb(data: string): unknown {
  return reviewsFromCklb({ ...SETTINGS, data })
}
