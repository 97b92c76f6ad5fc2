/**
 * Projects with an id up to this one belong to imports that are not finished. Only the import itself sees them: lists
 * and access rules leave them out.
 */
export const LAST_STAGING_ID = -1
