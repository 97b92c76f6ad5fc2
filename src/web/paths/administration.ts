/** Pages of site administrators. */
export const ADMINISTRATION_PATHS = {
  administration: '/administration',
  administrationRequests: '/administration/requests',
  administrationAudits: '/administration/audits',
  administrationSettings: '/administration/settings',
} as const
