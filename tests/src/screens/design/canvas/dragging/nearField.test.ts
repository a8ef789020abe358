import { afterEach, beforeEach, expect, test } from 'vitest'
import { edgesOf, fieldNear, isLevelWith, sectionNear } from '#src/screens/design/canvas/dragging/nearField.ts'

/** Which field a pointer is near to, on a page of which every field has its place on the screen. */

/** A section with fields `a` and `b` in a line, `c` in half of one, `d` across one; below it an empty section. */
let sheet: HTMLElement
let grid: HTMLElement
beforeEach(() => {
  grid = boxAt(0, 0, 400, 180, { grid: '' })
  grid.append(
    boxAt(0, 0, 196, 40, { prop: 'a' }),
    boxAt(204, 0, 196, 40, { prop: 'b' }),
    boxAt(0, 48, 196, 40, { prop: 'c' }),
    boxAt(0, 96, 400, 40, { prop: 'd' }),
    // The columns of a table that `d` is.
    boxAt(20, 140, 380, 40, {}),
  )
  const [first, second] = [boxAt(0, 0, 400, 190, { section: '' }), boxAt(0, 200, 400, 40, { section: 'more' })]
  first.append(grid)
  sheet = boxAt(0, 0, 400, 400, {})
  sheet.append(first, second)
  document.body.append(sheet)
})
afterEach(() => sheet.remove())

function boxAt(left: number, top: number, width: number, height: number, data: Readonly<Record<string, string>>) {
  const made = document.createElement('div')
  Object.assign(made.dataset, data)
  made.getBoundingClientRect = () => new DOMRect(left, top, width, height)
  Object.defineProperties(made, { offsetWidth: { value: width }, clientWidth: { value: width } })
  return made
}

const NO_KEYS = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, button: 0, buttons: 1 }
const at = (clientX: number, clientY: number) => ({ clientX, clientY, pageX: clientX, pageY: clientY, ...NO_KEYS })
const near = (x: number, y: number) => fieldNear(grid, at(x, y))
const fieldAt = (index: number) => grid.children[index] as HTMLElement

test('in the gap between two lines it is the last field of the upper one', () => {
  expect(near(10, 44)).toEqual({ prop: 'b', edge: 'right' })
})

test('beside a line that is not full it is the last field of it, however high the pointer is', () => {
  expect(near(300, 50)).toEqual({ prop: 'c', edge: 'right' })
  expect(near(300, 86)).toEqual({ prop: 'c', edge: 'right' })
})

test('between two fields of a line it is the left one', () => {
  expect(near(200, 20)).toEqual({ prop: 'a', edge: 'right' })
})

test('above all it is the first, below all the last, and there is none where no field is', () => {
  expect(near(10, -5)).toEqual({ prop: 'a', edge: 'left' })
  expect(near(10, 185)).toEqual({ prop: 'd', edge: 'bottom' })
  expect(fieldNear(document.createElement('div'), at(0, 0))).toBeNull()
})

test('a field that fills its line has an upper and a lower edge, one that shares it a left and a right one', () => {
  expect(edgesOf(fieldAt(3))).toEqual(['top', 'bottom'])
  expect(edgesOf(fieldAt(0))).toEqual(['left', 'right'])
})

test('a field is stayed with in the gap around it and beside it, not a line further', () => {
  expect(isLevelWith(fieldAt(2), at(300, 60))).toBe(true)
  expect(isLevelWith(fieldAt(2), at(10, 92))).toBe(true)
  expect(isLevelWith(fieldAt(2), at(300, 20))).toBe(false)
})

test('between sections it is the upper one, below all the last', () => {
  const key = (y: number) => sectionNear(sheet, at(10, y))?.dataset['section']
  expect(key(-10)).toBe('')
  expect(key(195)).toBe('')
  expect(key(205)).toBe('more')
  expect(key(390)).toBe('more')
})
