import { constants, createDecipheriv, createPrivateKey, privateDecrypt } from 'node:crypto'
import * as z from 'zod/mini'
import { id, instant, json } from '#core/wire/shapes.ts'
import { entryTarget, journalStep } from '#core/sync/entryChange.ts'
import { lostPlace } from '#core/sync/protocol/lostPlace.ts'
import type { ServerSecrets } from '#server/services.ts'

/**
 * The file that a device writes of its unsent work (offline/vault/keys.ts, src/data/writes/rescue.ts), sealed to the
 * server's rescue key.
 */

const envelope = z.object({
  format: z.literal('zhenglu-rescue'),
  version: z.literal(1),
  key: z.base64(),
  iv: z.base64(),
  data: z.base64(),
})

/** Typing that was in no operation yet, as it was journalled. */
const draft = z.object({
  id,
  author: id,
  projectId: id,
  patientId: id,
  entryId: id,
  versionId: id,
  target: entryTarget,
  steps: z.array(journalStep),
  /** Answers to warnings, as evidence; files of older apps do not have this part. */
  answers: z._default(z.array(json), []),
})
export type RescuedDraft = z.infer<typeof draft>

const content = z.object({
  /** Version 1 had neither a version nor drafts. */
  version: z._default(z.union([z.literal(1), z.literal(2)]), 1),
  deviceId: id,
  exportedBy: id,
  exportedAt: instant,
  /**
   * `former`: the lost place of the operation, before the server was restored from a backup. Files of older apps do
   * not have it.
   */
  operations: z.array(z.object({ state: z.string(), operation: json, former: z.optional(lostPlace) })),
  drafts: z._default(z.array(draft), []),
})
export type RescueContent = z.infer<typeof content>

const TAG_BYTES = 16

/** The content of the file; null for a text that is no such file, is damaged, or was sealed to another server's key. */
export function openRescueFile(secrets: Pick<ServerSecrets, 'rescuePrivateKey'>, file: string): RescueContent | null {
  const sealed = envelope.safeParse(parseJson(file))
  if (!sealed.success) return null
  const text = decryptRescue(secrets, sealed.data)
  if (text === null) return null
  const opened = content.safeParse(parseJson(text))
  return opened.success ? opened.data : null
}

function decryptRescue(
  { rescuePrivateKey }: Pick<ServerSecrets, 'rescuePrivateKey'>,
  sealed: z.infer<typeof envelope>,
): string | null {
  const privateKey = createPrivateKey({ key: Buffer.from(rescuePrivateKey, 'base64'), format: 'der', type: 'pkcs8' })
  const data = Buffer.from(sealed.data, 'base64')
  if (data.length < TAG_BYTES) return null
  try {
    const key = privateDecrypt(
      { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
      Buffer.from(sealed.key, 'base64'),
    )
    const cipher = createDecipheriv('aes-256-gcm', key, Buffer.from(sealed.iv, 'base64'), { authTagLength: TAG_BYTES })
    cipher.setAuthTag(data.subarray(-TAG_BYTES))
    return Buffer.concat([cipher.update(data.subarray(0, -TAG_BYTES)), cipher.final()]).toString('utf8')
  } catch {
    // Every failure here comes from bytes of outside that were not sealed to this key.
    return null
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
