import { timingSafeEqual } from 'node:crypto'
import { OWN_CLIENT } from '#core/api/headers.ts'

/**
 * Client programs. Their secrets are printed in public front ends: they tell kinds of clients apart and
 * protect nothing.
 */
const clients = {
  [OWN_CLIENT.id]: OWN_CLIENT.secret,
  saber: 'saber_secret',
  sword: 'sword_secret',
} as const

export type ClientId = keyof typeof clients

/** Reads `Basic base64(clientId:clientSecret)`. Null for anything that is not one of our clients. */
export function readClient(header: string | undefined): ClientId | null {
  const encoded = /^Basic ([A-Za-z0-9+/]{4,400}={0,2})$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return null
  const [id, secret] = splitOnce(Buffer.from(encoded, 'base64').toString('utf8'))
  if (id === null || !isClient(id)) return null
  return sameText(clients[id], secret) ? id : null
}

function isClient(id: string): id is ClientId {
  return Object.hasOwn(clients, id)
}

function splitOnce(text: string): readonly [string | null, string] {
  const at = text.indexOf(':')
  return at < 0 ? [null, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function sameText(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}
