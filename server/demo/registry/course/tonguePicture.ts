import { crc32, deflateSync } from 'node:zlib'

/**
 * Pictures for the tongue of a visit. They are drawings of a chart, not photographs of a person: the body in the colour
 * that was chosen, its coating, and teeth marks or spots where they were found.
 */

export interface DrawnTongue {
  /** Code of the colour of the body, and whether the coating is yellow and how thick. */
  readonly colour: string
  readonly isYellow: boolean
  readonly isThick: boolean
  readonly isDotted: boolean
}

const WIDTH = 480
const HEIGHT = 360
type Rgb = readonly [red: number, green: number, blue: number]
const GROUND: Rgb = [238, 241, 244]
const BODY: Readonly<Record<string, Rgb>> = {
  '1': [224, 138, 138],
  '2': [232, 178, 172],
  '3': [200, 76, 78],
  '4': [168, 44, 60],
  '5': [178, 128, 152],
  '6': [126, 72, 104],
}
const WHITE: Rgb = [244, 240, 232]
const YELLOW: Rgb = [222, 196, 128]
const SPOT: Rgb = [92, 36, 64]

/** A tongue as a PNG. */
export function drawTongue(tongue: DrawnTongue): Uint8Array<ArrayBuffer> {
  const rows = Buffer.alloc(HEIGHT * (1 + WIDTH * 3))
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const colour = colourAt(tongue, (x - WIDTH / 2) / 120, (y - 150) / 165)
      rows.set(colour, y * (1 + WIDTH * 3) + 1 + x * 3)
    }
  }
  return Uint8Array.from(
    Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk('IHDR', header()),
      chunk('IDAT', deflateSync(rows, { level: 6 })),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  )
}

/** The colour at a place: the tongue's middle is 0, its edge 1. */
function colourAt({ colour, isYellow, isThick, isDotted }: DrawnTongue, x: number, y: number): Rgb {
  // Broad at the root, narrow at the tip.
  const far = Math.hypot(x * (1 + 0.25 * Math.max(0, y)), y < 0 ? y * 1.35 : y)
  if (far > 1) return GROUND
  const body = BODY[colour] ?? [224, 138, 138]
  const shaded = mix(body, [70, 26, 34], far ** 6 * 0.45 + Math.max(0, 0.12 - Math.abs(x)) * 1.2)
  const cover = Math.max(0, 1 - Math.hypot(x / 0.72, (y + 0.22) / 0.78)) * (isThick ? 1.5 : 0.8)
  const coated = mix(shaded, isYellow ? YELLOW : WHITE, Math.min(0.85, cover))
  const nearSpot = isDotted && Math.hypot(((x * 3.1 + 9) % 1) - 0.5, ((y * 2.7 + 9) % 1) - 0.5) < 0.12
  return nearSpot && far > 0.45 ? mix(coated, SPOT, 0.7) : coated
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  return [0, 1, 2].map((at) => Math.round((from[at] ?? 0) * (1 - share) + (to[at] ?? 0) * share)) as [
    number,
    number,
    number,
  ]
}

/** Eight bits of red, green and blue a pixel. */
function header(): Buffer {
  const bytes = Buffer.alloc(13)
  bytes.writeUInt32BE(WIDTH, 0)
  bytes.writeUInt32BE(HEIGHT, 4)
  bytes.set([8, 2, 0, 0, 0], 8)
  return bytes
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
