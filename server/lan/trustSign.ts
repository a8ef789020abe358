import type { FastifyInstance } from 'fastify'

/**
 * The picture by which the help page checks whether a tablet trusts the site: a browser draws it only over a
 * connection that it trusts.
 */
export const TRUST_SIGN = '/site-trust.svg'

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24"><circle cx="12" cy="12" r="11" fill="#1a7a3c"/></svg>'

/** Serves a picture that pages of other origins may show. It tells everybody only that the server was reached. */
export function registerTrustSign(app: FastifyInstance): void {
  app.get(TRUST_SIGN, async (_request, reply) =>
    reply
      .header('Cross-Origin-Resource-Policy', 'cross-origin')
      .header('Cache-Control', 'no-store')
      .type('image/svg+xml')
      .send(PICTURE),
  )
}
