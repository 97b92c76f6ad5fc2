/** Pages of site administrators. */
export const ADMINISTRATION_PATHS = {
  administration: '/administration',
  administrationRequests: '/administration/requests',
  administrationAudits: '/administration/audits',
  administrationReleases: '/administration/releases',
  administrationReference: '/administration/reference-data',
  administrationSettings: '/administration/settings',
} as const
