// For scripts/test-mutants.js.
export default {
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  // Tests import the built sources, which hides from vitest what they use.
  vitest: { related: false },
  coverageAnalysis: 'perTest',
  // Each runner has all cores for the threads of the tests.
  concurrency: 1,
  // Tests that sign people up take more than the usual five minutes on a busy machine.
  dryRunTimeoutMinutes: 30,
  ignorePatterns: ['/dist', '/var', '/coverage'],
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { allowColor: false, logTests: false },
  allowConsoleColors: false,
  tempDirName: 'var/mutants',
}
