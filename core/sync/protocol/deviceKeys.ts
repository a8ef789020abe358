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
  /** Key of identifying data; null without `patient_sensitive`. */
  sensitive: z.nullable(key),
})
export type ScopeKeys = z.infer<typeof scopeKeys>

export const deviceKeys = z.object({
  /** Key of the author's proof for (user, device). */
  proof: key,
  scopes: z.array(scopeKeys),
  /**
   * The user's scopes whose keys they do not get on this device. The user sees only some of their patients, and a
   * colleague's rows are sealed here under the same keys. So the user works on these scopes with the network.
   */
  withheld: z.optional(z.array(text(120))),
  /** The server's public key (RSA-OAEP, SPKI, base64), to which a rescue export is encrypted. */
  rescuePublicKey: text(4000),
})
export type DeviceKeys = z.infer<typeof deviceKeys>
