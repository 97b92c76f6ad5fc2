import vue from 'eslint-plugin-vue'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'
import vueParser from 'vue-eslint-parser'

// Templates of components. Everything else is oxlint's (.oxlintrc.json), which takes a sixth of the time.
export default defineConfig(
  { ignores: ['dist/', 'var/', '/coverage/', '**/*.{js,ts}'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' } },
  ...vue.configs['flat/essential'].map((config) => ({ ...config, files: ['**/*.vue'] })),
  {
    files: ['**/*.vue'],
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
)
