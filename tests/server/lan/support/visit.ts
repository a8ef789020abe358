import { request } from 'node:https'
import type { TLSSocket } from 'node:tls'

/** What a tablet gets that asks over HTTPS. */
export interface Visit {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  /** SHA-256 of the certificate that was shown. */
  readonly shown: string
}

export interface Visitor {
  readonly port: number
  /** What the visitor trusts, PEM, and nothing else. */
  readonly trusts: string
  /** The host whose name stands in the address. Without it: the address that is called. */
  readonly name?: string
  readonly at?: string
  /** What is posted; nothing only asks. */
  readonly sends?: { readonly headers: Readonly<Record<string, string>>; readonly body: unknown }
}

/** Asks for a path, as a browser that trusts one authority. Rejects when the certificate is not believed. */
export function visit(path: string, { port, trusts, name, at = '127.0.0.1', sends }: Visitor): Promise<Visit> {
  return new Promise((resolve, reject) => {
    const named = name === undefined ? {} : { servername: name }
    const posted =
      sends === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json', ...sends.headers } }
    const call = request({ host: at, port, path, ca: trusts, agent: false, ...named, ...posted }, (answer) => {
      const shown = (answer.socket as TLSSocket).getPeerCertificate().fingerprint256
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: Buffer.concat(chunks).toString('utf8'),
          shown,
        }),
      )
    })
    call.on('error', reject)
    call.end(sends === undefined ? undefined : JSON.stringify(sends.body))
  })
}
