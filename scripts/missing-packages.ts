// Prints the Debian packages of the programs that tests need and that are not installed, a line each.
import { missingPackages } from '../test/support/programs.ts'

for (const name of missingPackages()) process.stdout.write(`${name}\n`)
