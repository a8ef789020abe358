import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { inUrl } from '#server/lan/addresses.ts'
import { HELP_SCRIPT, HELP_STYLE } from '#server/lan/helpAssets.ts'
import { HELP_PATHS, helpPage } from '#server/lan/helpPage.ts'
import type { HelpLanguage } from '#server/lan/helpTexts.ts'
import type { Authority } from '#server/lan/site.ts'
import { SiteError } from '#server/lan/siteError.ts'

/**
 * The only unencrypted part of this server: how to trust the site's certificate. It has no session and takes no
 * input, and every other address is not found.
 */
export interface HelpServer {
  readonly port: number
  close(): Promise<void>
}

export interface HelpOptions {
  readonly authority: Authority
  /** Address to listen on. */
  readonly host: string
  readonly port: number
  /** Port of the app. */
  readonly appPort: number
  /** Names and addresses that the server's certificate holds now; the first is the one to advise. */
  readonly reached: () => readonly string[]
}

const ICON = join(import.meta.dirname, '../../public/icon.svg')
/** Nobody needs more at once, and the help page must not be a way to exhaust the server. */
const MOST_CONNECTIONS = 100

/** Starts to listen. Throws a SiteError when the port is taken. */
export async function startHelp(options: HelpOptions): Promise<HelpServer> {
  const icon = await readFile(ICON, 'utf8')
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) =>
    answer(request, response, icon, options),
  )
  server.maxConnections = MOST_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new SiteError(
      'help_port_taken',
      `LAN_HELP_PORT: another program listens on port ${options.port}; give the help page another one`,
    )
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answer(request: IncomingMessage, response: ServerResponse, icon: string, options: HelpOptions): void {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const app = `https://${inUrl(usedHost(request, options.reached()))}:${options.appPort}`
  const found =
    request.method === 'GET' || request.method === 'HEAD'
      ? content(path, query, request, app, icon, options.authority)
      : null
  const { type, body } = found ?? { type: 'text/plain; charset=utf-8', body: 'Not found\n' }
  response.writeHead(found === null ? 404 : 200, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'Content-Security-Policy': `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' ${app}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

interface Content {
  readonly type: string
  readonly body: string | Buffer
}

function content(
  path: string,
  query: string,
  request: IncomingMessage,
  app: string,
  icon: string,
  authority: Authority,
): Content | null {
  const { certificate, name, fingerprint } = authority
  switch (path) {
    case HELP_PATHS.page: {
      const facts = { authorityName: name, fingerprint, until: certificate.validToDate.toISOString().slice(0, 10), app }
      return {
        type: 'text/html; charset=utf-8',
        body: helpPage(languageOf(request, query), facts, request.headers['user-agent'] ?? ''),
      }
    }
    case HELP_PATHS.certificate:
      // DER, so that the SHA-256 of the file is the fingerprint.
      return { type: 'application/x-x509-ca-cert', body: certificate.raw }
    case HELP_PATHS.style:
      return { type: 'text/css; charset=utf-8', body: HELP_STYLE }
    case HELP_PATHS.script:
      return { type: 'text/javascript; charset=utf-8', body: HELP_SCRIPT }
    case HELP_PATHS.icon:
      return { type: 'image/svg+xml', body: icon }
    default:
      return null
  }
}

/** The host that the tablet used, where it is one of ours. Text from a stranger never gets into the page. */
function usedHost(request: IncomingMessage, reached: readonly string[]): string {
  const used = (request.headers.host ?? '')
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
  return reached.find((host) => host === used) ?? reached[0] ?? 'localhost'
}

function languageOf(request: IncomingMessage, query: string): HelpLanguage {
  const asked = new URLSearchParams(query).get('lang') ?? request.headers['accept-language'] ?? 'zh'
  return /^en\b/i.test(asked) ? 'en' : 'zh'
}
