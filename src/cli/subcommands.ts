/** A command of the program. */
export interface Subcommand {
  readonly name: string
  /** Its line in the help. */
  readonly summary: string
  /** Whether it needs only files, a data folder or a service. */
  readonly needs: 'files' | 'data' | 'service'
  /** The built module, which further processes of the command run as well. */
  readonly module: string
}

/** All commands, in the order of the help. */
export const SUBCOMMANDS = [
  {
    name: 'diff',
    summary: 'compare two releases of a benchmark or of the ontology, word by word',
    needs: 'files',
    module: 'cli.js',
  },
  {
    name: 'check',
    summary: 'say what is wrong in a file of rules, where, and how its words could be better',
    needs: 'files',
    module: 'cli.js',
  },
  {
    name: 'convert',
    summary: 'convert a benchmark, a spreadsheet or an archive to another format',
    needs: 'files',
    module: 'cli.js',
  },
  {
    name: 'coverage',
    summary: 'say which techniques and attacks the rules of files are linked to, or what covers your own list',
    needs: 'data',
    module: 'cli.js',
  },
  {
    name: 'rule',
    summary: 'show a rule with its texts, and the techniques that it is linked to',
    needs: 'data',
    module: 'cli.js',
  },
  {
    name: 'search',
    summary: 'search techniques, attacks, weaknesses, controls, requirements and rules',
    needs: 'data',
    module: 'cli.js',
  },
  {
    name: 'techniques',
    summary: 'list the techniques that counter an attack or a weakness, or defend an artifact',
    needs: 'data',
    module: 'cli.js',
  },
  {
    name: 'completion',
    summary: 'print the completion for a shell: bash or zsh',
    needs: 'files',
    module: 'cli.js',
  },
  {
    name: 'serve',
    summary: 'serve the API and the pages',
    needs: 'service',
    module: 'main.js',
  },
  {
    name: 'mcp',
    summary: 'serve tools of language models over standard input and output',
    needs: 'service',
    module: 'commands/mcp.js',
  },
  {
    name: 'ingest',
    summary: 'make a release of the ontology from files or addresses',
    needs: 'service',
    module: 'commands/ingest.js',
  },
  {
    name: 'releases',
    summary: 'list, activate, remove, fetch and push releases of the ontology',
    needs: 'service',
    module: 'commands/releases.js',
  },
  {
    name: 'check-release',
    summary: 'run quality checks on a release of the ontology',
    needs: 'service',
    module: 'commands/check-release.js',
  },
  {
    name: 'publish',
    summary: 'write everything that the service answers as files',
    needs: 'service',
    module: 'commands/publish.js',
  },
  {
    name: 'import',
    summary: 'import SRGs, STIGs and reference data',
    needs: 'service',
    module: 'commands/import.js',
  },
  {
    name: 'sync',
    summary: 'fetch new SRGs, STIGs, reference data and releases',
    needs: 'service',
    module: 'commands/sync.js',
  },
  {
    name: 'reindex',
    summary: 'rebuild the search index',
    needs: 'service',
    module: 'commands/reindex.js',
  },
  {
    name: 'admin',
    summary: 'manage accounts and administrators',
    needs: 'service',
    module: 'commands/admin.js',
  },
  {
    name: 'backup',
    summary: 'save the database and the releases in one file, or verify one',
    needs: 'service',
    module: 'commands/backup.js',
  },
  {
    name: 'restore',
    summary: 'restore a backup into an empty data folder',
    needs: 'service',
    module: 'commands/restore.js',
  },
] as const satisfies readonly Subcommand[]

export type SubcommandName = (typeof SUBCOMMANDS)[number]['name']
