import compress from '@fastify/compress'
import fastify from 'fastify'
import { registerSecurityHeaders, registerWeb } from '#server/http/web.ts'

/**
 * A process of its own that serves a folder as the real server serves the app: the same headers, compression and
 * caching, from the same code, without any calls. `node bench/web/shellServer.ts <folder> <port>`
 */
const [folder, port] = process.argv.slice(2)
if (folder === undefined || port === undefined) throw new Error('shellServer <folder> <port>')
const app = fastify()
await registerSecurityHeaders(app, false)
await app.register(compress, { encodings: ['gzip', 'identity'], globalDecompression: false })
app.get('/readyz', async () => ({ ready: true }))
await registerWeb(app, [], folder)
await app.listen({ host: '127.0.0.1', port: Number(port) })
