import { defineConfig } from 'eslint/config'
import { createNodeResolver, importX } from 'eslint-plugin-import-x'
import n from 'eslint-plugin-n'
import vue from 'eslint-plugin-vue'
import tseslint from 'typescript-eslint'
import vueParser from 'vue-eslint-parser'

// Each restricted library has one home. A home restates the list minus its own name, because
// switching the rule off there would lift the other bans as well.
const RESTRICTED = {
  express: 'Express ends in routes.ts and app.ts.',
  oxigraph: 'Only src/graph/store.ts touches Oxigraph.',
  kysely: 'Only guidance touches SQL.',
}

function restrictedImports(...allowed) {
  const paths = Object.entries(RESTRICTED)
    .filter(([name]) => !allowed.includes(name))
    .map(([name, message]) => ({ name, message, allowTypeImports: true }))
  return { '@typescript-eslint/no-restricted-imports': ['error', { paths }] }
}

function zone(target, from, message) {
  return { target: `./src/${target}`, from: from.map((folder) => `./src/${folder}`), message }
}

const SIBLINGS = ['ontology', 'guidance', 'search', 'coverage', 'sparql', 'metrics', 'sync']
/** What services hand to each other is declared in contracts. */
const SERVICES = [...SIBLINGS, 'contracts']
const GROUND = ['http', 'graph', 'platform']
const ABOVE = [
  'web',
  'app.ts',
  'commands',
  'processes',
  'lead.ts',
  'serve.ts',
  'services.ts',
  'schedules.ts',
  'main.ts',
]

/** From the ground up: each knows only those before it. */
const WINGS = [
  ...['database', 'fields', 'parts', 'activity', 'identity', 'catalogue', 'authoring'],
  ...['interchange', 'search-feed', 'search', 'coverage', 'instance', 'service'],
].map((wing) => `guidance/${wing}`)

function siblingZone(sibling) {
  const others = SIBLINGS.filter((other) => other !== sibling)
  return zone(sibling, [...others, ...ABOVE], 'siblings stay apart: they share src/contracts')
}

function wingZone(wing, floor) {
  const above = [...WINGS.slice(floor + 1), 'guidance/index.ts', 'guidance/operator.ts']
  return zone(wing, above, 'a wing knows those below it')
}

const architecture = {
  'import-x/no-restricted-paths': [
    'error',
    {
      zones: [
        ...SIBLINGS.map(siblingZone),
        ...WINGS.slice(0, -1).map(wingZone),
        zone('contracts', [...SIBLINGS, ...GROUND, ...ABOVE], 'contracts know nobody'),
        zone('http', [...SERVICES, 'graph', ...ABOVE], 'the frame knows no service'),
        zone('graph', [...SERVICES, 'http', ...ABOVE], 'the graph knows no service'),
        zone('wording', [...SERVICES, ...GROUND, ...ABOVE], 'words know nobody'),
        zone('platform', [...SERVICES, 'http', 'graph', ...ABOVE], 'the platform knows nobody'),
        zone('web', [...SERVICES, 'graph', 'app.ts', 'main.ts'], 'pages speak only HTTP'),
        zone('web/application', [...GROUND, 'web/server'], 'what runs in browsers stays by itself'),
        zone('web/server', ['web/application'], 'what runs in browsers stays by itself'),
      ],
    },
  ],
  'import-x/no-extraneous-dependencies': 'error',
}

const names = {
  '@typescript-eslint/naming-convention': [
    'error',
    { selector: 'typeLike', format: ['PascalCase'] },
    { selector: 'function', format: ['camelCase'] },
  ],
}

const hygiene = {
  'n/prefer-node-protocol': 'error',
  'n/no-process-env': 'error',
  // Node 20.19 and 22.13 have both as well, where they count as experimental.
  'n/no-unsupported-features/node-builtins': [
    'error',
    { ignores: ['util.parseEnv', 'async_hooks.executionAsyncResource'] },
  ],
  'import-x/order': [
    'error',
    { alphabetize: { order: 'asc', caseInsensitive: true }, 'newlines-between': 'never' },
  ],
}

// What stands where, and names. What reads types, and every common mistake, is oxlint's (.oxlintrc.json), which
// takes a sixth of the time.
export default defineConfig(
  { ignores: ['dist/', 'var/', 'coverage/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' } },
  {
    plugins: { n, 'import-x': importX },
    settings: { 'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js'] })] },
    rules: { ...architecture, ...hygiene },
  },
  {
    files: ['**/*.ts'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    languageOptions: { parser: tseslint.parser },
    rules: { ...names, ...restrictedImports() },
  },
  {
    // What runs in browsers; vue-tsc looks for names.
    files: ['src/web/application/**'],
    rules: { 'n/no-unsupported-features/node-builtins': 'off' },
  },
  ...vue.configs['flat/essential'].map((config) => ({
    ...config,
    files: ['src/web/application/**/*.vue'],
  })),
  {
    files: ['src/web/application/**/*.vue'],
    languageOptions: { parser: vueParser, parserOptions: { parser: tseslint.parser } },
    rules: {
      'vue/block-lang': ['error', { script: { lang: 'ts' } }],
      'vue/block-order': ['error', { order: ['script', 'template', 'style'] }],
      'vue/component-api-style': ['error', ['script-setup']],
      'vue/no-static-inline-styles': 'error',
      'vue/no-undef-components': 'error',
      'vue/no-v-html': 'error',
    },
  },
  {
    files: ['src/**/*routes.ts', 'src/app.ts'],
    rules: restrictedImports('express'),
  },
  { files: ['src/graph/store.ts'], rules: restrictedImports('oxigraph') },
  { files: ['src/guidance/**', 'test/guidance/**'], rules: restrictedImports('kysely') },
  { files: ['src/guidance/**/routes.ts'], rules: restrictedImports('kysely', 'express') },
  // The routes alone, with a deadline of their own.
  { files: ['test/support/{sparql-service,file-server}.ts'], rules: restrictedImports('express') },
  { files: ['src/platform/settings/settings.ts'], rules: { 'n/no-process-env': 'off' } },
  {
    files: ['test/**', 'scripts/**', '*.config.*'],
    rules: {
      'import-x/no-extraneous-dependencies': 'off',
      'n/no-process-env': 'off',
      // Folders are copied as on later versions.
      'n/no-unsupported-features/node-builtins': ['error', { ignores: ['fs/promises.cp'] }],
    },
  },
  { files: ['src/web/pages/**'], rules: { 'n/no-unsupported-features/node-builtins': 'off' } },
)
