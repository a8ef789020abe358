import { randomInt } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import svgCaptcha from 'svg-captcha'

/**
 * The picture of a captcha, as grey points and not as outlines, so that a program has to recognise what it shows.
 * Letters are turned, bent and pushed into each other, each time differently. Strokes of ink and of paper go through
 * them.
 */

export const WIDTH = 130
export const HEIGHT = 48
/** Points of the picture for one point on screen, and samples for one point in each direction. */
const SCALE = 2
const SAMPLES = 2

type Point = readonly [x: number, y: number]
type Outline = readonly Point[]

/** The text as a PNG. */
export function drawCaptcha(text: string): Buffer {
  const grid = new Grid(WIDTH * SCALE * SAMPLES, HEIGHT * SCALE * SAMPLES)
  const unit = SCALE * SAMPLES
  const step = (WIDTH - 14) / text.length
  const bend = { height: between(1.5, 3), length: between(45, 80), phase: between(0, 6.28) }
  for (const [at, letter] of text.split('').entries()) {
    const place = {
      x: 7 + step * (at + 0.5) + between(-2, 2),
      y: HEIGHT / 2 + between(-3, 3),
      turn: between(-0.35, 0.35),
      wide: between(0.8, 1),
      high: between(0.9, 1.1),
    }
    grid.fill(
      outlinesOf(letter).map((outline) =>
        outline.map((point) => scalePoint(bendPoint(placePoint(point, place), bend), unit)),
      ),
      1,
    )
  }
  for (let stroke = 0; stroke < 4; stroke += 1)
    grid.fill(
      [scaledAll(strokeThrough(stroke % 2 === 0 ? between(0.4, 0.6) : between(0.3, 0.5)), unit)],
      stroke % 2 === 0 ? 1 : 0,
    )
  for (let dot = 0; dot < 40; dot += 1)
    grid.fill([scaledAll(dotAt(between(0, WIDTH), between(0, HEIGHT), between(0.3, 0.8)), unit)], dot % 3 === 0 ? 0 : 1)
  return encodePng(WIDTH * SCALE, HEIGHT * SCALE, grid.greys(SAMPLES))
}

function between(from: number, to: number): number {
  return from + (randomInt(1_000_000) / 1_000_000) * (to - from)
}

interface GlyphPlace {
  readonly x: number
  readonly y: number
  readonly turn: number
  readonly wide: number
  readonly high: number
}

function placePoint([x, y]: Point, place: GlyphPlace): Point {
  const [dx, dy] = [x * place.wide, y * place.high]
  return [
    place.x + dx * Math.cos(place.turn) - dy * Math.sin(place.turn),
    place.y + dx * Math.sin(place.turn) + dy * Math.cos(place.turn),
  ]
}

function bendPoint(
  [x, y]: Point,
  { height, length, phase }: { readonly height: number; readonly length: number; readonly phase: number },
): Point {
  return [x + (height / 2) * Math.sin(y / (length / 3) + phase), y + height * Math.sin(x / (length / 6.28) + phase)]
}

function scalePoint([x, y]: Point, by: number): Point {
  return [x * by, y * by]
}

function scaledAll(outline: Outline, by: number): Outline {
  return outline.map((point) => scalePoint(point, by))
}

/** A bent band across the picture. */
function strokeThrough(half: number): Outline {
  const [from, to, height, length, phase] = [
    between(4, HEIGHT - 4),
    between(4, HEIGHT - 4),
    between(2, 7),
    between(20, 50),
    between(0, 6.28),
  ]
  const upper: Point[] = []
  const lower: Point[] = []
  for (let x = 0; x <= WIDTH; x += 3) {
    const y = from + ((to - from) * x) / WIDTH + height * Math.sin(x / (length / 6.28) + phase)
    upper.push([x, y - half])
    lower.unshift([x, y + half])
  }
  return [...upper, ...lower]
}

function dotAt(x: number, y: number, half: number): Outline {
  return [
    [x - half, y - half],
    [x + half, y - half],
    [x + half, y + half],
    [x - half, y + half],
  ]
}

const BOX = 100
const FONT_SIZE = 62
const CURVE_STEPS = 6

/** A letter's outlines around its middle, curves as short lines. */
function outlinesOf(letter: string): readonly Outline[] {
  const { data } = svgCaptcha.create({
    size: 1,
    charPreset: letter,
    width: BOX,
    height: BOX,
    fontSize: FONT_SIZE,
    noise: 0,
  })
  const outlines = readPath(/ d="([^"]+)"/.exec(data)?.[1] ?? '')
  const points = outlines.flat()
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const [middleX, middleY] = [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2]
  return outlines.map((outline) => outline.map(([x, y]): Point => [x - middleX, y - middleY]))
}

function readPath(text: string): readonly Outline[] {
  const outlines: Point[][] = []
  let current: Point[] = []
  for (const [, sign = '', figures = ''] of text.matchAll(/([MLQCZ])([^MLQCZ]*)/gi)) {
    const numbers = [...figures.matchAll(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g)].map(([figure]) => Number(figure))
    const ends = Array.from({ length: Math.floor(numbers.length / 2) }, (_, at): Point => [
      numbers[2 * at] ?? 0,
      numbers[2 * at + 1] ?? 0,
    ])
    const from = current.at(-1)
    if (sign.toUpperCase() === 'M') {
      current = [...ends]
      outlines.push(current)
    } else if (from !== undefined && ends.length > 0) current.push(...curve([from, ...ends]))
  }
  return outlines
}

/** The points of a curve after its first, by de Casteljau. */
function curve(control: readonly Point[]): readonly Point[] {
  if (control.length <= 2) return control.slice(1)
  return Array.from({ length: CURVE_STEPS }, (_, at) => pointAt(control, (at + 1) / CURVE_STEPS))
}

function pointAt(control: readonly Point[], share: number): Point {
  const [first = [0, 0]] = control
  if (control.length <= 1) return first
  const between = control.slice(1).map(([x, y], at): Point => {
    const [fromX, fromY] = control[at] ?? [0, 0]
    return [fromX + (x - fromX) * share, fromY + (y - fromY) * share]
  })
  return pointAt(between, share)
}

/** Ink on paper, sample by sample. */
class Grid {
  readonly #width: number
  readonly #height: number
  readonly #ink: Uint8Array

  constructor(width: number, height: number) {
    this.#width = width
    this.#height = height
    this.#ink = new Uint8Array(width * height)
  }

  /** Fills what lies within outlines: with ink (1) or paper (0). */
  fill(outlines: readonly Outline[], ink: 0 | 1): void {
    const ys = outlines.flat().map(([, y]) => y)
    const [top, bottom] = [Math.max(0, Math.floor(Math.min(...ys))), Math.min(this.#height, Math.ceil(Math.max(...ys)))]
    for (let row = top; row < bottom; row += 1) {
      const crossings = outlines.flatMap((outline) => crossingsOf(outline, row + 0.5)).toSorted((a, b) => a.x - b.x)
      let winding = 0
      for (const [at, { x, turn }] of crossings.entries()) {
        winding += turn
        const end = crossings[at + 1]?.x
        if (winding === 0 || end === undefined) continue
        const [from, to] = [Math.max(0, Math.round(x)), Math.min(this.#width, Math.round(end))]
        if (to > from) this.#ink.fill(ink, row * this.#width + from, row * this.#width + to)
      }
    }
  }

  /** Greys of the points, each of so many samples in each direction. */
  greys(samples: number): Uint8Array {
    const [width, height] = [this.#width / samples, this.#height / samples]
    const greys = new Uint8Array(width * height)
    for (let at = 0; at < greys.length; at += 1) {
      const [x, y] = [(at % width) * samples, Math.floor(at / width) * samples]
      let ink = 0
      for (let dy = 0; dy < samples; dy += 1)
        for (let dx = 0; dx < samples; dx += 1) ink += this.#ink[(y + dy) * this.#width + x + dx] ?? 0
      greys[at] = 245 - Math.round((ink / samples ** 2) * 190) - randomInt(10)
    }
    return greys
  }
}

function crossingsOf(outline: Outline, y: number): readonly { readonly x: number; readonly turn: 1 | -1 }[] {
  return outline.flatMap(([toX, toY], at) => {
    const [fromX, fromY] = outline.at(at - 1) ?? [toX, toY]
    if (fromY <= y === toY <= y) return []
    return [
      { x: fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX), turn: toY > fromY ? (1 as const) : (-1 as const) },
    ]
  })
}

/** Greys of one byte as a PNG. */
function encodePng(width: number, height: number, greys: Uint8Array): Buffer {
  const rows = Buffer.alloc((width + 1) * height)
  for (let row = 0; row < height; row += 1)
    rows.set(greys.subarray(row * width, (row + 1) * width), row * (width + 1) + 1)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
