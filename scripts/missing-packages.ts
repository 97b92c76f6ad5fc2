// Prints the Debian packages that tests need and that are not installed, one per line.
import { missingPackages } from '../test/support/programs.ts'

for (const name of missingPackages()) process.stdout.write(`${name}\n`)
