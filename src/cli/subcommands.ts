/** A command of the program. */
export interface Subcommand {
  readonly name: string
  /** What it does, in one line of the help. */
  readonly summary: string
  /** Whether it works on files alone, without a service and its database. */
  readonly needs: 'files' | 'data' | 'service'
  /** The built module, which processes that the command starts run again. */
  readonly module: string
  /** Loads its module, which runs the command: only what a command needs is loaded. */
  readonly load: () => Promise<unknown>
}

/** All commands, in the order of the help. */
export const SUBCOMMANDS: readonly Subcommand[] = [
  {
    name: 'diff',
    summary: 'compare two releases of a benchmark or of the ontology, word by word',
    needs: 'files',
    module: 'cli.js',
    load: () => import('./diff/diff.ts'),
  },
  {
    name: 'check',
    summary: 'say what is wrong in a file of rules, where, and how its words could be better',
    needs: 'files',
    module: 'cli.js',
    load: () => import('./check/check.ts'),
  },
  {
    name: 'convert',
    summary: 'convert a benchmark, a spreadsheet or an archive to another format',
    needs: 'files',
    module: 'cli.js',
    load: () => import('./convert/convert.ts'),
  },
  {
    name: 'coverage',
    summary: 'say which techniques and attacks the rules of files are linked to',
    needs: 'data',
    module: 'cli.js',
    load: () => import('./coverage/coverage.ts'),
  },
  {
    name: 'rule',
    summary: 'show a rule with its texts, and the techniques that it is linked to',
    needs: 'data',
    module: 'cli.js',
    load: () => import('./look-up/rule.ts'),
  },
  {
    name: 'search',
    summary: 'search techniques, attacks, weaknesses, controls, requirements and rules',
    needs: 'data',
    module: 'cli.js',
    load: () => import('./look-up/search.ts'),
  },
  {
    name: 'techniques',
    summary: 'list the techniques that counter an attack or a weakness, or defend an artifact',
    needs: 'data',
    module: 'cli.js',
    load: () => import('./look-up/techniques.ts'),
  },
  {
    name: 'completion',
    summary: 'print the completion for a shell: bash or zsh',
    needs: 'files',
    module: 'cli.js',
    load: () => import('./completion.ts'),
  },
  {
    name: 'serve',
    summary: 'serve the API and the pages',
    needs: 'service',
    module: 'main.js',
    load: () => import('../main.ts'),
  },
  {
    name: 'ingest',
    summary: 'make a release of the ontology from files or addresses',
    needs: 'service',
    module: 'commands/ingest.js',
    load: () => import('../commands/ingest.ts'),
  },
  {
    name: 'releases',
    summary: 'list, activate, remove, fetch and push releases of the ontology',
    needs: 'service',
    module: 'commands/releases.js',
    load: () => import('../commands/releases.ts'),
  },
  {
    name: 'check-release',
    summary: 'run quality checks on a release of the ontology',
    needs: 'service',
    module: 'commands/check-release.js',
    load: () => import('../commands/check-release.ts'),
  },
  {
    name: 'publish',
    summary: 'write everything that the service answers as files',
    needs: 'service',
    module: 'commands/publish.js',
    load: () => import('../commands/publish.ts'),
  },
  {
    name: 'import',
    summary: 'import SRGs, STIGs and reference data',
    needs: 'service',
    module: 'commands/import.js',
    load: () => import('../commands/import.ts'),
  },
  {
    name: 'sync',
    summary: 'fetch new SRGs, STIGs, reference data and releases',
    needs: 'service',
    module: 'commands/sync.js',
    load: () => import('../commands/sync.ts'),
  },
  {
    name: 'reindex',
    summary: 'rebuild the search index',
    needs: 'service',
    module: 'commands/reindex.js',
    load: () => import('../commands/reindex.ts'),
  },
  {
    name: 'admin',
    summary: 'manage accounts and administrators',
    needs: 'service',
    module: 'commands/admin.js',
    load: () => import('../commands/admin.ts'),
  },
  {
    name: 'backup',
    summary: 'save the database and the releases in one file, or verify one',
    needs: 'service',
    module: 'commands/backup.js',
    load: () => import('../commands/backup.ts'),
  },
  {
    name: 'restore',
    summary: 'restore a backup into an empty data folder',
    needs: 'service',
    module: 'commands/restore.js',
    load: () => import('../commands/restore.ts'),
  },
]
