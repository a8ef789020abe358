/** Numbers as IBM's mainframes had them, in which SAS transport files are written: base 16, exponent first. */

const SCRATCH = new DataView(new ArrayBuffer(8))

/**
 * Writes a number of 8 bytes. Every double within the range is exact: the fraction has three bits more.
 *
 * @returns whether it is within the range, about 5e-79 to 7e75; nothing is written where it is not
 */
export function putIbmDouble(bytes: Uint8Array, at: number, value: number): boolean {
  if (value === 0) {
    bytes.fill(0, at, at + 8)
    return true
  }
  SCRATCH.setFloat64(0, value)
  const high = SCRATCH.getUint32(0)
  const low = SCRATCH.getUint32(4)
  // 1.f times 2 to the power is 0.1f times 2 to the power + 1, and that power becomes one of 16.
  const power = ((high >>> 20) & 0x7ff) - 1022
  const sixteens = Math.ceil(power / 4)
  if (sixteens < -64 || sixteens > 63) return false
  const shift = 3 - (sixteens * 4 - power)
  const mantissa = (high & 0xf_ffff) | 0x10_0000
  const upper = (mantissa << shift) | (shift === 0 ? 0 : low >>> (32 - shift))
  SCRATCH.setUint32(0, upper)
  SCRATCH.setUint32(4, low << shift)
  bytes[at] = (value < 0 ? 0x80 : 0) | (sixteens + 64)
  for (let index = 1; index < 8; index += 1) bytes[at + index] = SCRATCH.getUint8(index)
  return true
}
