/**
 * A rectangle on a picture, in shares of the picture as it lies in the file: 0 to 1 from its upper left corner, however
 * it is turned on a screen.
 */

export interface Rect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** Shorter than this, in shares, is a slip of the hand and no region. */
export const LEAST_SIDE = 0.01
/** What is lost to rounding on the way. */
const EPSILON = 1e-6

/** Whether it is one: within the picture, and large enough to be meant. */
export function isRect({ x, y, width, height }: Rect): boolean {
  return (
    x >= 0 &&
    y >= 0 &&
    width >= LEAST_SIDE - EPSILON &&
    height >= LEAST_SIDE - EPSILON &&
    x + width <= 1 + EPSILON &&
    y + height <= 1 + EPSILON
  )
}

/** The rectangle between two corners, cut off at the edges of the picture. */
export function rectBetween(one: Point, other: Point): Rect {
  const [left, right] = sortPair(clamp(one.x), clamp(other.x))
  const [top, bottom] = sortPair(clamp(one.y), clamp(other.y))
  return { x: left, y: top, width: right - left, height: bottom - top }
}

/** The middle third of a part of the picture, as large as a region must be. */
export function middleOf({ x, y, width, height }: Rect): Rect {
  const size = { width: clamp(width / 3, LEAST_SIDE), height: clamp(height / 3, LEAST_SIDE) }
  return movedBy({ x: x + (width - size.width) / 2, y: y + (height - size.height) / 2, ...size }, { x: 0, y: 0 })
}

/** Moved as far as the edges of the picture let it. */
export function movedBy({ x, y, width, height }: Rect, by: Point): Rect {
  return { x: clamp(x + by.x, 0, 1 - width), y: clamp(y + by.y, 0, 1 - height), width, height }
}

/** Its lower right corner moved: never smaller than a region may be, never out of the picture. */
export function resizedBy({ x, y, width, height }: Rect, by: Point): Rect {
  return { x, y, width: clamp(width + by.x, LEAST_SIDE, 1 - x), height: clamp(height + by.y, LEAST_SIDE, 1 - y) }
}

/**
 * Where a point of a turned picture lies in the picture as it is in the file.
 *
 * @param seen in shares of the picture as it is seen
 * @param turns by 90 degrees to the right
 */
export function turnBack({ x, y }: Point, turns: number): Point {
  switch (((turns % 4) + 4) % 4) {
    case 1:
      return { x: y, y: 1 - x }
    case 2:
      return { x: 1 - x, y: 1 - y }
    case 3:
      return { x: 1 - y, y: x }
    default:
      return { x, y }
  }
}

/** A way on the turned picture, as it is in the file. */
export function unturnedWay(seen: Point, turns: number): Point {
  const [from, to] = [turnBack({ x: 0, y: 0 }, turns), turnBack(seen, turns)]
  return { x: to.x - from.x, y: to.y - from.y }
}

function sortPair(a: number, b: number): readonly [number, number] {
  return a < b ? [a, b] : [b, a]
}

function clamp(value: number, least = 0, most = 1): number {
  return Math.min(Math.max(value, least), Math.max(least, most))
}
