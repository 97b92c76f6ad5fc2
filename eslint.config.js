import { fileURLToPath } from 'node:url'
import js from '@eslint/js'
import { defineConfig } from 'eslint/config'
import prettier from 'eslint-config-prettier/flat'
import { createNodeResolver, flatConfigs, importX } from 'eslint-plugin-import-x'
import n from 'eslint-plugin-n'
import tseslint from 'typescript-eslint'

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

const SIBLINGS = ['ontology', 'guidance', 'search', 'coverage', 'sparql']
/** What services hand to each other is declared in contracts. */
const SERVICES = [...SIBLINGS, 'contracts']
const GROUND = ['http', 'graph', 'platform']
const ABOVE = ['web', 'app.ts', 'commands', 'main.ts']

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
        zone('platform', [...SERVICES, 'http', 'graph', ...ABOVE], 'the platform knows nobody'),
        zone('web', [...SERVICES, 'graph', 'app.ts', 'main.ts'], 'pages speak only HTTP'),
      ],
    },
  ],
  'import-x/no-extraneous-dependencies': 'error',
  'import-x/no-default-export': 'error',
}

const types = {
  '@typescript-eslint/consistent-type-imports': ['error', { prefer: 'type-imports' }],
  '@typescript-eslint/no-import-type-side-effects': 'error',
  '@typescript-eslint/explicit-module-boundary-types': 'error',
  '@typescript-eslint/switch-exhaustiveness-check': 'error',
  '@typescript-eslint/strict-boolean-expressions': 'error',
  '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
  '@typescript-eslint/naming-convention': [
    'error',
    { selector: 'typeLike', format: ['PascalCase'] },
    { selector: 'function', format: ['camelCase'] },
  ],
}

/** Each takes seconds for what is known without it. */
const redundant = {
  // The compiler looks for names in modules, and forbids enums (erasableSyntaxOnly).
  'import-x/namespace': 'off',
  '@typescript-eslint/no-unsafe-enum-assignment': 'off',
  '@typescript-eslint/no-unsafe-enum-comparison': 'off',
}

const size = {
  'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
  'max-params': ['error', 3],
  'max-depth': ['error', 3],
  complexity: ['error', 10],
}

const hygiene = {
  eqeqeq: ['error', 'always', { null: 'ignore' }],
  'no-console': 'error',
  'no-warning-comments': 'error',
  'n/prefer-node-protocol': 'error',
  'n/no-process-env': 'error',
  'n/no-unsupported-features/node-builtins': 'error',
  'import-x/order': [
    'error',
    { alphabetize: { order: 'asc', caseInsensitive: true }, 'newlines-between': 'never' },
  ],
}

export default defineConfig(
  { ignores: ['dist/', 'var/', 'coverage/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' } },
  js.configs.recommended,
  flatConfigs.recommended,
  {
    plugins: { n, 'import-x': importX },
    settings: { 'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js'] })] },
    rules: { ...architecture, ...size, ...hygiene },
  },
  {
    files: ['**/*.ts'],
    extends: [
      tseslint.configs.strictTypeChecked,
      tseslint.configs.stylisticTypeChecked,
      flatConfigs.typescript,
    ],
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: fileURLToPath(new URL('.', import.meta.url)),
      },
    },
    rules: { ...types, ...redundant, ...restrictedImports() },
  },
  { files: ['src/**/routes.ts', 'src/app.ts'], rules: restrictedImports('express') },
  { files: ['src/graph/store.ts'], rules: restrictedImports('oxigraph') },
  { files: ['src/guidance/**', 'test/guidance/**'], rules: restrictedImports('kysely') },
  { files: ['src/guidance/**/routes.ts'], rules: restrictedImports('kysely', 'express') },
  { files: ['src/platform/settings/settings.ts'], rules: { 'n/no-process-env': 'off' } },
  {
    files: ['test/**', 'scripts/**', '*.config.*'],
    rules: {
      'max-lines-per-function': 'off',
      'import-x/no-extraneous-dependencies': 'off',
      'n/no-process-env': 'off',
    },
  },
  // Express knows an error handler by its four parameters.
  { files: ['src/app.ts'], rules: { 'max-params': ['error', 4] } },
  // Declarations describe foreign modules as they are.
  { files: ['**/*.d.ts'], rules: { 'import-x/no-default-export': 'off' } },
  {
    files: ['*.config.*'],
    languageOptions: { globals: { process: 'readonly', URL: 'readonly' } },
    rules: { 'import-x/no-default-export': 'off' },
  },
  {
    files: ['src/web/pages/**'],
    languageOptions: { globals: { document: 'readonly', fetch: 'readonly' } },
    rules: { 'n/no-unsupported-features/node-builtins': 'off' },
  },
  {
    // Scripts are commands: the terminal is their interface. Plain JavaScript ones run before a build.
    files: ['scripts/**'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
    rules: { 'no-console': 'off' },
  },
  prettier,
)
