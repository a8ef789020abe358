import * as z from 'zod/mini'
import { id, text } from '#core/wire/shapes.ts'

/** The keys of a user on a device (docs/adr/0005-keys-and-vault.md), as the server hands them out. */

/** 256-bit key, base64url. */
const key = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))

export const scopeKeys = z.object({
  /** `scopeText` of the scope. */
  scope: text(120),
  keyId: id,
  /** Key of ordinary rows. */
  data: key,
  /** Key of what identifies a patient; null without `patient_sensitive`. */
  sensitive: z.nullable(key),
})
export type ScopeKeys = z.infer<typeof scopeKeys>

export const deviceKeys = z.object({
  /** Key of the author's proof for (user, device). */
  proof: key,
  scopes: z.array(scopeKeys),
  /**
   * Scopes that are the user's, and whose keys they do not get on this device: they see only some of its patients, and
   * a colleague's rows lie here under the same keys. They work on it with the network.
   */
  withheld: z.optional(z.array(text(120))),
  /** The server's public key (RSA-OAEP, SPKI, base64) that a rescue export is encrypted to. */
  rescuePublicKey: text(4000),
})
export type DeviceKeys = z.infer<typeof deviceKeys>
