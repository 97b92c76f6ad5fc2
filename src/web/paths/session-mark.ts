/**
 * Name of the cookie that tells the pages that there is a session: `yes`, or `no` once it was found to have ended.
 */
export const SESSION_MARK = 'parapet-signed-in'
