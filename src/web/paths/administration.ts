/** Pages of site administrators. */
export const ADMINISTRATION_PATHS = {
  administration: '/administration',
  administrationRequests: '/administration/requests',
  administrationAudits: '/administration/audits',
  administrationReleases: '/administration/releases',
  administrationSettings: '/administration/settings',
} as const
