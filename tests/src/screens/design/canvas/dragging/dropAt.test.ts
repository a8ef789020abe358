import { expect, test } from 'vitest'
import type { Edge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/types'
import type { DesignForm } from '#core/design/design.ts'
import type { Dragged } from '#src/screens/design/canvas/dragging/dragged.ts'
import { draggedWith } from '#src/screens/design/canvas/dragging/dragged.ts'
import type { DropTarget } from '#src/screens/design/canvas/dragging/dropAt.ts'
import { dropAt } from '#src/screens/design/canvas/dragging/dropAt.ts'

/** Where a field goes that is let go over the page, by the innermost thing under it and the nearest edge of that. */

const field = (prop: string) => ({ prop, type: 'input' })
const FORM: DesignForm = {
  rest: {},
  sections: [
    { key: '', rest: {}, columns: [field('a'), field('b'), field('c')] },
    {
      key: 'meds',
      rest: { prop: 'meds' },
      columns: [
        { prop: 'drugs', type: 'dynamic', children: { column: [field('name'), field('dose')] } },
        { prop: 'none', type: 'dynamic', children: { column: [] } },
        field('end'),
      ],
    },
    { key: 'empty', rest: { prop: 'empty' }, columns: [] },
  ],
}
const NEW: Dragged = { kind: 'new', type: 'date' }
const fields = (...props: readonly string[]): Dragged => ({ kind: 'fields', table: null, props })

const overField = (prop: string, edge: Edge, section = ''): DropTarget => ({
  on: 'field',
  table: null,
  section,
  near: { prop, edge },
})
const overColumn = (table: string, prop: string, edge: Edge): DropTarget => ({
  on: 'field',
  table,
  section: '',
  near: { prop, edge },
})
const around = (section: string, near: DropTarget['near'], table: string | null = null): DropTarget => ({
  on: 'around',
  table,
  section,
  near,
})
const placeOf = (dragged: Dragged, target: DropTarget) => dropAt(FORM, dragged, target)?.to ?? null
const inPage = (at: number, section = '') => ({ table: null, section, at })
const inTable = (at: number, table = 'drugs') => ({ table, section: '', at })

test('it goes before a field at its left and upper edge, after it at its right and lower edge', () => {
  expect(placeOf(NEW, overField('b', 'left'))).toEqual(inPage(1))
  expect(placeOf(NEW, overField('b', 'top'))).toEqual(inPage(1))
  expect(placeOf(NEW, overField('b', 'right'))).toEqual(inPage(2))
  expect(placeOf(NEW, overField('b', 'bottom'))).toEqual(inPage(2))
})

test('the line that shows it stands at the edge that the pointer is near', () => {
  expect(dropAt(FORM, NEW, overField('b', 'right'))?.line).toEqual({
    table: null,
    section: '',
    prop: 'b',
    edge: 'right',
  })
})

test('on the right half of the last field of a line it goes behind that field', () => {
  expect(placeOf(NEW, overField('c', 'right'))).toEqual(inPage(3))
})

test('around fields it goes beside the nearest one, and into what has none', () => {
  expect(placeOf(NEW, around('', { prop: 'a', edge: 'left' }))).toEqual(inPage(0))
  expect(placeOf(NEW, around('', { prop: 'c', edge: 'bottom' }))).toEqual(inPage(3))
  expect(dropAt(FORM, NEW, around('empty', null))).toEqual({
    to: inPage(0, 'empty'),
    line: { table: null, section: 'empty', prop: null, edge: 'top' },
  })
  expect(placeOf(NEW, around('', null, 'none'))).toEqual(inTable(0, 'none'))
})

test('columns of a table are reached over the table, the first of them below its head', () => {
  expect(placeOf(NEW, overColumn('drugs', 'name', 'right'))).toEqual(inTable(1))
  expect(placeOf(NEW, around('', { prop: 'dose', edge: 'right' }, 'drugs'))).toEqual(inTable(2))
  expect(placeOf(NEW, overField('drugs', 'bottom', 'meds'))).toEqual(inTable(0))
  expect(placeOf(NEW, overField('drugs', 'top', 'meds'))).toEqual(inPage(0, 'meds'))
  // Below its columns the table is over.
  expect(placeOf(NEW, around('meds', { prop: 'drugs', edge: 'bottom' }))).toEqual(inPage(1, 'meds'))
})

test('a table goes into no table: it comes after the one that it is held over', () => {
  const afterDrugs = inPage(1, 'meds')
  const table: Dragged = { kind: 'new', type: 'dynamic' }
  expect(placeOf(table, overColumn('drugs', 'name', 'left'))).toEqual(afterDrugs)
  expect(placeOf(table, overField('drugs', 'bottom', 'meds'))).toEqual(afterDrugs)
  expect(placeOf(fields('a', 'none'), overColumn('drugs', 'dose', 'right'))).toEqual(afterDrugs)
  // Over its own columns it stays where it is.
  expect(placeOf(fields('drugs'), overColumn('drugs', 'name', 'left'))).toBeNull()
})

test('nothing shows and nothing is moved where fields would come to stand where they are', () => {
  expect(placeOf(fields('b'), overField('b', 'left'))).toBeNull()
  expect(placeOf(fields('b'), overField('a', 'right'))).toBeNull()
  expect(placeOf(fields('b'), overField('c', 'left'))).toBeNull()
  expect(placeOf(fields('a', 'b'), overField('b', 'right'))).toBeNull()
  expect(placeOf(fields('b'), overField('c', 'right'))).toEqual(inPage(3))
  // Those that stand apart are brought together.
  expect(placeOf(fields('a', 'c'), overField('b', 'left'))).toEqual(inPage(1))
  // A column of a table leaves it.
  expect(placeOf({ kind: 'fields', table: 'drugs', props: ['name'] }, overField('b', 'left'))).toEqual(inPage(1))
})

test('what a colleague has taken away meanwhile is no place', () => {
  expect(placeOf(NEW, overField('gone', 'left'))).toBeNull()
  expect(placeOf(NEW, overColumn('gone', 'name', 'left'))).toBeNull()
})

test('with a field that is selected all that are selected are dragged', () => {
  const selection = { of: 'fields', folderId: 'f', pageId: 'p', table: null, props: ['a', 'c'] } as const
  expect(draggedWith({ kind: 'field', table: null, prop: 'c' }, selection)).toEqual(fields('a', 'c'))
  expect(draggedWith({ kind: 'field', table: null, prop: 'b' }, selection)).toEqual(fields('b'))
  expect(draggedWith({ kind: 'field', table: 'drugs', prop: 'c' }, selection)).toEqual({
    kind: 'fields',
    table: 'drugs',
    props: ['c'],
  })
})
