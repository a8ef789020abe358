import { createServer, request } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A web server before the real one, from which releases of the app are deployed: the same build, with a number in its
 * page and in its worker, which is all that a browser needs to take it for another one. The server behind it can be
 * changed too.
 */
export interface Releases {
  readonly address: string
  deploy(release: number): void
  /** From now on another server answers. */
  leadTo(serverPort: number): void
  close(): Promise<void>
}

export async function startReleases(serverPort: number): Promise<Releases> {
  let release = 1
  let port = serverPort
  const listener = createServer((asked, answer) => {
    const { method, url = '/', headers } = asked
    const isPage = (headers.accept ?? '').includes('text/html') || url.startsWith('/index.html')
    const changed = url === '/sw.js' ? worker : isPage && !url.startsWith('/api') ? page : null
    const sent = {
      ...headers,
      ...(changed === null ? {} : { 'accept-encoding': 'identity', 'if-none-match': '', 'if-modified-since': '' }),
    }
    const behind = request({ host: '127.0.0.1', port, method, path: url, headers: sent }, (got) => {
      if (changed === null) {
        answer.writeHead(got.statusCode ?? 502, got.headers)
        got.pipe(answer)
      } else void rewritten(got, answer, (text) => changed(text, release))
    })
    // The server may be restarted, and tabs may go: whoever waits is told.
    behind.on('error', () => answer.destroy())
    answer.on('close', () => behind.destroy())
    asked.pipe(behind)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    deploy: (next) => {
      release = next
    },
    leadTo: (next) => {
      port = next
    },
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve())
        listener.closeAllConnections()
      }),
  }
}

/** The worker's list says that the page has changed. */
function worker(text: string, release: number): string {
  return text.replace(/("revision":")[0-9a-f]+(","url":"index\.html")/, `$1release${release}$2`)
}

function page(text: string, release: number): string {
  return text.replace('<html', `<html data-release="${release}"`)
}

async function rewritten(
  got: IncomingMessage,
  answer: ServerResponse,
  change: (text: string) => string,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of got) chunks.push(chunk as Buffer)
  const text = change(Buffer.concat(chunks).toString('utf8'))
  const { 'content-length': _length, etag: _etag, 'last-modified': _modified, ...headers } = got.headers
  answer.writeHead(got.statusCode ?? 502, headers)
  answer.end(text)
}
