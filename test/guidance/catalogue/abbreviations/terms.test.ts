import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { termsOf } from '../../../../src/guidance/catalogue/abbreviations/terms.ts'

const RHEL = 'Red Hat Enterprise Linux'

describe('The terms of a search', () => {
  it.each<readonly [string, readonly string[]]>([
    ['teapot', ['teapot']],
    ['  teapot  ', ['teapot']],
    ['RHEL 9', ['RHEL 9', RHEL]],
    ['rhel 9', ['rhel 9', RHEL]],
    ['RHEL-9', ['RHEL-9', 'RHEL 9', RHEL]],
    ['RHEL9', ['RHEL9', 'RHEL 9', RHEL]],
    ['RedHat', ['RedHat', 'Red Hat']],
    ['web_server', ['web_server', 'web server']],
    ['a--b__c', ['a--b__c', 'a b c']],
    ['GPOS', ['GPOS', 'General Purpose Operating System']],
    ['V-258217', ['V-258217', 'V 258217']],
    ['web.server', ['web.server']],
    ['K8s', ['K8s', 'Kubernetes', 'K 8 s']],
    ['k8s', ['k8s', 'Kubernetes', 'k 8 s']],
    ['K8S', ['K8S', 'Kubernetes', 'K 8 S']],
    ['winsrv', ['winsrv', 'Windows Server']],
    ['fedramp', ['fedramp', 'Federal Risk and Authorization Management Program']],
    ['ssh tls', ['ssh tls', 'Secure Shell', 'Transport Layer Security']],
    ['foo.conf', ['foo.conf', 'foo conf']],
    ['FOO.YAML', ['FOO.YAML', 'FOO YAML']],
    ['foo.exe', ['foo.exe']],
    ['see foo.conf', ['see foo.conf']],
    ['CCI-000366', ['CCI-000366']],
    ['cci-000366', ['cci-000366']],
    ['CCI-366', ['CCI-366', 'CCI 366', 'Control Correlation Identifier']],
    ['T1003.001', ['T1003.001']],
    ['T1003', ['T1003']],
    ['TA0005', ['TA0005']],
    ['M1050', ['M1050']],
    ['7:9.2', ['7:9.2']],
    ['"quoted phrase" word', ['quoted phrase', 'word']],
    ["'quoted phrase' word", ['quoted phrase', 'word']],
    ['"RHEL-9"', ['RHEL-9']],
    ['"RHEL" GPOS', ['RHEL', 'GPOS']],
    ['"one" "two"', ['one', 'two']],
    ['"same" same', ['same']],
    ['""', ['""']],
    ['" "', ['" "']],
    ['"half', ['"half']],
    ["don't", ["don't"]],
    ['', []],
    ['   ', []],
  ])('%j are %j', (text, terms) => {
    expect([...termsOf(text)].sort()).toEqual([...terms].sort())
  })

  it('are never blank and are listed once each', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const terms = termsOf(text)
        expect(new Set(terms).size).toBe(terms.length)
        expect(terms.every((term) => term.trim() !== '')).toBe(true)
      }),
    )
  })
})
