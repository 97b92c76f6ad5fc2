import type { SubcommandName } from './subcommands.ts'

/** Loads the module of a command, which runs it: only what a command needs is loaded. */
export const LOADERS: Readonly<Record<SubcommandName, () => Promise<unknown>>> = {
  diff: () => import('./diff/diff.ts'),
  check: () => import('./check/check.ts'),
  convert: () => import('./convert/convert.ts'),
  coverage: () => import('./coverage/coverage.ts'),
  rule: () => import('./look-up/rule.ts'),
  search: () => import('./look-up/search.ts'),
  techniques: () => import('./look-up/techniques.ts'),
  completion: () => import('./completion.ts'),
  serve: () => import('../main.ts'),
  mcp: () => import('../commands/mcp.ts'),
  ingest: () => import('../commands/ingest.ts'),
  releases: () => import('../commands/releases.ts'),
  'check-release': () => import('../commands/check-release.ts'),
  publish: () => import('../commands/publish.ts'),
  import: () => import('../commands/import.ts'),
  sync: () => import('../commands/sync.ts'),
  reindex: () => import('../commands/reindex.ts'),
  admin: () => import('../commands/admin.ts'),
  backup: () => import('../commands/backup.ts'),
  restore: () => import('../commands/restore.ts'),
}
