import { createHash, randomInt } from 'node:crypto'
import { isId, newId } from '#core/ids.ts'
import { hasZeroBits, WORK_BITS, workText } from '#core/access/captchaWork.ts'
import { drawCaptcha } from '#server/areas/auth/captchaPicture.ts'
import { sha256 } from '#server/database/auditDigest.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Services } from '#server/services.ts'

/**
 * Pictures of five characters: valid for 30 minutes and one try, upper and lower case alike. For a person who cannot
 * read one, the device computes a sum instead, which takes it some time.
 */

const LENGTH = 5
const LIFE_MS = 30 * 60_000
/** Without characters that look like others. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyz23456789ABDEFGHJKLMNQRT'

export type CaptchaWay = 'picture' | 'work'

/** Makes a captcha. Only a hash of the answer is kept. */
export async function makeCaptcha(
  services: Services,
  way: CaptchaWay,
): Promise<{ readonly key: string; readonly image: string; readonly workBits?: number }> {
  const text = Array.from({ length: LENGTH }, () => SIGNS[randomInt(SIGNS.length)] ?? '').join('')
  const key = newId()
  const now = services.now()
  const expires = new Date(Date.parse(now) + LIFE_MS).toISOString()
  const [answer, bits] = way === 'picture' ? [answerHash(key, text), null] : [null, WORK_BITS]
  await withConnection(services.pool, async (connection) => {
    await connection.query('DELETE FROM captcha WHERE expires_at < $1', [now])
    await connection.query('INSERT INTO captcha (key, answer_hash, work_bits, expires_at) VALUES ($1, $2, $3, $4)', [
      key,
      answer,
      bits,
      expires,
    ])
  })
  return bits === null
    ? { key, image: `data:image/png;base64,${drawCaptcha(text).toString('base64')}` }
    : { key, image: '', workBits: bits }
}

/** Whether the answer is right. The captcha is removed afterwards in both cases. */
export async function takeCaptcha(
  services: Services,
  given: { readonly key: string; readonly code: string } | null,
): Promise<boolean> {
  if (given === null || !isId(given.key)) return false
  return withConnection(services.pool, async (connection) => {
    const { rows } = await connection.query<{ answer_hash: string | null; work_bits: number | null; over: boolean }>(
      'DELETE FROM captcha WHERE key = $1 RETURNING answer_hash, work_bits, expires_at <= $2 AS over',
      [given.key, services.now()],
    )
    const [row] = rows
    if (row === undefined || row.over) return false
    if (row.work_bits === null) return row.answer_hash === answerHash(given.key, given.code)
    return hasZeroBits(createHash('sha256').update(workText(given.key, given.code)).digest(), row.work_bits)
  })
}

/** The hash under which a captcha's answer is kept. */
export function answerHash(key: string, answer: string): string {
  return sha256(`captcha|${key}|${answer.trim().toLowerCase()}`)
}
