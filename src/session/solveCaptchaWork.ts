import { hasZeroBits, workText } from '#core/access/captchaWork.ts'

const AT_ONCE = 512

/** Finds the number that solves a captcha. Other work gets its turn in between; it takes a tablet some seconds. */
export async function solveCaptchaWork(key: string, bits: number): Promise<string> {
  const encoder = new TextEncoder()
  for (let from = 0; ; from += AT_ONCE) {
    const answers = Array.from({ length: AT_ONCE }, (_, at) => String(from + at))
    const hashes = await Promise.all(
      answers.map((answer) => crypto.subtle.digest('SHA-256', encoder.encode(workText(key, answer)))),
    )
    const found = answers.find((_, at) => hasZeroBits(new Uint8Array(hashes[at] ?? new ArrayBuffer(0)), bits))
    if (found !== undefined) return found
  }
}
