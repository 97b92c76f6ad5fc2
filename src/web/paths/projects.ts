/** Pages of projects, for signed-in users. The API answers programs at some of these paths. */
export const PROJECT_PATHS = {
  home: '/home',
  projects: '/projects',
  newProject: '/projects/new',
  project: '/projects/:project',
  projectMembers: '/projects/:project/members',
  projectHistory: '/projects/:project/history',
  projectWebhooks: '/projects/:project/webhooks',
  projectSettings: '/projects/:project/settings',
  newComponent: '/projects/:project/components/new',
} as const
