import svgCaptcha from 'svg-captcha'
import { isId, newId } from '#core/ids.ts'
import { sha256 } from '#server/database/seal.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Services } from '#server/services.ts'

/** Pictures of five characters (CONTRACT-FACTS §3): 30 minutes, one try, upper and lower case alike. */

const LENGTH = 5
const LIFE_MS = 30 * 60_000
const WIDTH = 130
const HEIGHT = 48

/** Makes a captcha. Only a hash of the answer is kept. */
export async function makeCaptcha(services: Services): Promise<{ readonly key: string; readonly image: string }> {
  const { text, data } = svgCaptcha.create({ size: LENGTH, width: WIDTH, height: HEIGHT, noise: 2, ignoreChars: '0oO1iIlL' })
  const key = newId()
  const now = services.now()
  const expires = new Date(Date.parse(now) + LIFE_MS).toISOString()
  await withConnection(services.pool, async (connection) => {
    await connection.query('DELETE FROM captcha WHERE expires_at < $1', [now])
    await connection.query('INSERT INTO captcha (key, answer_hash, expires_at) VALUES ($1, $2, $3)', [key, answerHash(key, text), expires])
  })
  return { key, image: `data:image/svg+xml;base64,${Buffer.from(data).toString('base64')}` }
}

/** Whether the answer is right. The captcha is gone afterwards either way. */
export async function takeCaptcha(
  services: Services,
  given: { readonly key: string; readonly code: string } | null,
): Promise<boolean> {
  if (given === null || !isId(given.key)) return false
  return withConnection(services.pool, async (connection) => {
    const { rows } = await connection.query<{ answer_hash: string }>(
      'DELETE FROM captcha WHERE key = $1 RETURNING CASE WHEN expires_at > $2 THEN answer_hash ELSE NULL END AS answer_hash',
      [given.key, services.now()],
    )
    return rows[0]?.answer_hash === answerHash(given.key, given.code)
  })
}

/** Hash that a captcha's answer is kept as. */
export function answerHash(key: string, answer: string): string {
  return sha256(`captcha|${key}|${answer.trim().toLowerCase()}`)
}
