import { expect, test } from 'vitest'
import { isRect, middleOf, movedBy, rectBetween, resizedBy, turnBack, unturnedWay } from '#core/files/region.ts'

const MIDDLE = { x: 0.25, y: 0.25, width: 0.5, height: 0.5 }

test('a region lies between two corners, in whatever order they were touched, and ends where the picture ends', () => {
  expect(rectBetween({ x: 0.75, y: 0.5 }, { x: 0.25, y: 0.25 })).toEqual({ x: 0.25, y: 0.25, width: 0.5, height: 0.25 })
  expect(rectBetween({ x: -1, y: 0.5 }, { x: 0.5, y: 3 })).toEqual({ x: 0, y: 0.5, width: 0.5, height: 0.5 })
})

test('moved and resized it stays on the picture, and never vanishes', () => {
  expect(movedBy(MIDDLE, { x: 9, y: -9 })).toEqual({ x: 0.5, y: 0, width: 0.5, height: 0.5 })
  expect(resizedBy(MIDDLE, { x: 9, y: -9 })).toEqual({ x: 0.25, y: 0.25, width: 0.75, height: 0.01 })
  expect(isRect(resizedBy(MIDDLE, { x: -9, y: -9 }))).toBe(true)
})

test('a new one lies in the middle of what is seen, large enough to be one', () => {
  expect(middleOf({ x: 0, y: 0.25, width: 0.75, height: 0.75 })).toEqual({ x: 0.25, y: 0.5, width: 0.25, height: 0.25 })
  expect(isRect(middleOf({ x: 0.995, y: 0.5, width: 0.005, height: 0.005 }))).toBe(true)
})

test('a slip of the hand is none, nor what hangs over the edge', () => {
  expect(isRect(MIDDLE)).toBe(true)
  expect(isRect({ ...MIDDLE, width: 0.001 })).toBe(false)
  expect(isRect({ ...MIDDLE, x: 0.6 })).toBe(false)
  expect(isRect({ ...MIDDLE, y: -0.1 })).toBe(false)
})

test('what is touched on a turned picture is the same place of the file', () => {
  // The upper left corner of the file is seen at the upper right after one turn to the right.
  expect(turnBack({ x: 1, y: 0 }, 1)).toEqual({ x: 0, y: 0 })
  expect(turnBack({ x: 1, y: 1 }, 2)).toEqual({ x: 0, y: 0 })
  expect(turnBack({ x: 0, y: 1 }, 3)).toEqual({ x: 0, y: 0 })
  expect(turnBack({ x: 0.2, y: 0.7 }, 4)).toEqual({ x: 0.2, y: 0.7 })
  // To the right on a picture that was turned once to the right is up in the file.
  expect(unturnedWay({ x: 0.25, y: 0 }, 1)).toEqual({ x: 0, y: -0.25 })
  expect(unturnedWay({ x: 0, y: 0.1 }, 0)).toEqual({ x: 0, y: 0.1 })
})
