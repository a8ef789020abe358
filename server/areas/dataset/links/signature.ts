import { createHmac, timingSafeEqual } from 'node:crypto'
import { callOf } from '#core/api/table.ts'
import type { ServerSecrets } from '#server/services.ts'

/** What a link's address is signed over: which link it is, and until when it answers. */
interface Signed {
  readonly id: string
  readonly expiresAt: string
}

function signatureOf({ root }: Pick<ServerSecrets, 'root'>, { id, expiresAt }: Signed): Buffer {
  return createHmac('sha256', root)
    .update(`dataset link|${id}|${Date.parse(expiresAt)}`)
    .digest()
}

/** The path of a link below the server's address. */
export function pathOf(secrets: Pick<ServerSecrets, 'root'>, link: Signed): string {
  const signature = signatureOf(secrets, link).toString('base64url')
  return `/api${callOf('dataset.linked').path.replace(':id', link.id).replace(':signature', signature)}`
}

/** Whether an address was signed by this server for this link. */
export function isSigned(secrets: Pick<ServerSecrets, 'root'>, link: Signed, signature: string): boolean {
  const [expected, given] = [signatureOf(secrets, link), Buffer.from(signature, 'base64url')]
  return expected.length === given.length && timingSafeEqual(expected, given)
}
