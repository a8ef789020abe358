import { createHash } from 'node:crypto'
import { hasZeroBits, workText } from '#core/access/captchaWork.ts'

/** Works out the sum that stands for a captcha. */
export function solveCaptchaWork(key: string, bits: number): string {
  for (let number = 0; ; number += 1) {
    const code = String(number)
    if (hasZeroBits(createHash('sha256').update(workText(key, code)).digest(), bits)) return code
  }
}
