import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { OPENSSL, openssl } from './programs.ts'

export interface Certificate {
  /** PEM files. */
  readonly certificate: string
  readonly key: string
}

export function canMakeCertificates(): boolean {
  return openssl.isInstalled
}

/** Creates in the folder an untrusted certificate for this machine and other names. */
export async function makeCertificate(folder: string, host = 'localhost'): Promise<Certificate> {
  const key = join(folder, 'key.pem')
  const certificate = join(folder, 'cert.pem')
  const names = ['-subj', '/CN=localhost', '-addext', `subjectAltName=DNS:${host},IP:127.0.0.1`]
  const keyOptions = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate]
  await promisify(execFile)(OPENSSL, ['req', '-x509', '-days', '2', ...names, ...keyOptions])
  return { certificate, key }
}

/**
 * Runs a module and returns what it writes. Node.js takes further certificates only when it starts.
 * The input is `process.argv[1]`, as JSON.
 */
export async function runTrusting(certificate: string, program: string, input: unknown): Promise<string> {
  const started = ['--input-type=module', '-e', program, JSON.stringify(input)]
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificate }
  const { stdout } = await promisify(execFile)(process.execPath, started, { env })
  return stdout.trim()
}
