import { Control, getExistingDescribeFromControl, processXCCDF } from '@mitre/inspec-objects'
import readExcel from 'read-excel-file/node'
import { expect } from 'vitest'
import { z } from 'zod'
import { faultsOf, hasOscap } from '../../guidance/interchange/exports/oscap.ts'
import { unzip } from '../../guidance/interchange/exports/unzip.ts'
import { readCkl, readCklb } from '../../support/checklist-readers.ts'
import { csvRows } from '../../support/csv.ts'
import type { Story } from './steps/begin.ts'

/** Every export is what the programs read that it is for. */
export async function expectAccepted(files: ReadonlyMap<string, Buffer>, { rules }: Story): Promise<void> {
  const named = (end: string): Buffer => {
    const name = [...files.keys()].find((fileName) => fileName.endsWith(`V1R1${end}`))
    return files.get(name ?? '') ?? expect.fail(`No ${end} in ${[...files.keys()].join()}`)
  }
  await expectBenchmark(named('-xccdf.xml'), 1)
  await expectBenchmark(named('-xccdf-1.2.xml'), 1)
  await expectBenchmark(named('-xccdf-working-copy.xml'), rules)
  expectChecklist(readCkl(String(named('.ckl'))))
  expectChecklist(readCklb(String(named('.cklb'))))
  expect(csvRows(String(named('.csv')))).toHaveLength(rules + 1)
  expect(csvRows(String(named('-disposition.csv')))).toHaveLength(3)
  expect(await rowsOf(named('.xlsx'))).toBe(rules + 1)
  expect(await rowsOf(named('-disa.xlsx'))).toBeGreaterThan(rules)
  await expectProfile(named('-inspec.zip'), rules)
  await expectProfile(named('-inspec-published-stig.zip'), 1)
  const archive = await unzip(named('-archive.zip'))
  expect([...archive.keys()].join()).toContain('manifest.json')
}

async function expectBenchmark(document: Buffer, rules: number): Promise<void> {
  const text = String(document)
  if (hasOscap) expect(await faultsOf(text)).toBe('')
  expect(processXCCDF(text, false, 'version').controls).toHaveLength(rules)
}

const checklists = z.object({ checklists: z.array(z.object({ reviews: z.array(z.unknown()) })) })

function expectChecklist(read: unknown): void {
  expect(checklists.parse(read).checklists.map(({ reviews }) => reviews.length)).toEqual([1])
}

async function rowsOf(workbook: Buffer): Promise<number> {
  const [sheet] = await readExcel(workbook)
  return sheet?.data.length ?? 0
}

/** A control for each rule; that which was written has its code. */
async function expectProfile(zip: Buffer, rules: number): Promise<void> {
  const controls = [...(await unzip(zip))].filter(([path]) => path.endsWith('.rb'))
  expect(controls).toHaveLength(rules)
  const code = controls[0]?.[1] ?? ''
  const control = new Control({ id: 'x', code })
  expect(getExistingDescribeFromControl(control)).toContain("describe file('/etc/penguin') do")
}
