import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import type { Input } from '@atlaskit/pragmatic-drag-and-drop/types'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/utils/combine'
import { attachClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge/attach-closest-edge'
import { extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge/extract-closest-edge'
import { useEffect } from 'react'
import type { RefObject } from 'react'
import type { FieldType } from '#core/form/definition/column.ts'

import { carryGrabbed, grabbedIn } from './dragged.ts'
import type { DropTarget } from './dropAt.ts'
import { edgesOf, fieldNear, isLevelWith, sectionNear } from './nearField.ts'

/** What can be dragged, and which parts of a page take a drop: the sheet, its sections, tables and fields. */

const TARGET = Symbol('drop target')

type Data = Readonly<Record<string | symbol, unknown>>

/** Reads what an element that takes drops says about itself; undefined for an element outside of the page. */
export function targetIn(data: Data | undefined): DropTarget | undefined {
  return data?.[TARGET] as DropTarget | undefined
}

/** Makes a type of the palette draggable onto the page. */
export function useTypeDrag(element: RefObject<HTMLElement | null>, type: FieldType): void {
  useEffect(
    () =>
      element.current === null
        ? undefined
        : draggable({ element: element.current, getInitialData: () => carryGrabbed({ kind: 'new', type }) }),
    [element, type],
  )
}

interface DraggedField extends Pick<DropTarget, 'table' | 'section'> {
  readonly prop: string
  readonly canEdit: boolean
}

/** Makes a field draggable, and lets it take a drop before or after itself. */
export function useFieldDrag(
  element: RefObject<HTMLElement | null>,
  { table, section, prop, canEdit }: DraggedField,
): void {
  useEffect(() => {
    const field = element.current
    if (!canEdit || field === null) return undefined
    return combine(
      draggable({ element: field, getInitialData: () => carryGrabbed({ kind: 'field', table, prop }) }),
      takeDrops(
        field,
        (pointer) => {
          const [before, after] = edgesOf(field)
          const closest = attachClosestEdge({}, { element: field, input: pointer, allowedEdges: [before, after] })
          return { on: 'field', table, section, near: { prop, edge: extractClosestEdge(closest) ?? before } }
        },
        isLevelWith,
      ),
    )
  }, [element, table, section, prop, canEdit])
}

/** Lets a section take a drop beside its fields: on its title, in gaps, below the last one. */
export function useSectionDrop(element: RefObject<HTMLElement | null>, section: string, canEdit: boolean): void {
  useEffect(() => {
    const whole = element.current
    if (!canEdit || whole === null) return undefined
    return takeDrops(whole, (pointer) => aroundFields(whole, section, pointer))
  }, [element, section, canEdit])
}

/** Lets the block of a table's columns take a drop beside them. */
export function useTableDrop(element: RefObject<HTMLElement | null>, table: string, canEdit: boolean): void {
  useEffect(() => {
    const block = element.current
    if (!canEdit || block === null) return undefined
    return takeDrops(block, (pointer) => ({ on: 'around', table, section: '', near: fieldNear(block, pointer) }))
  }, [element, table, canEdit])
}

/** Lets the sheet take a drop around its sections. */
export function useSheetDrop(element: RefObject<HTMLElement | null>, canEdit: boolean): void {
  useEffect(() => {
    const sheet = element.current
    if (!canEdit || sheet === null) return undefined
    return takeDrops(sheet, (pointer) => {
      const section = sectionNear(sheet, pointer)
      return aroundFields(section ?? sheet, section?.dataset['section'] ?? '', pointer)
    })
  }, [element, canEdit])
}

function aroundFields(whole: Element, section: string, pointer: Input): DropTarget {
  const grid = whole.querySelector('[data-grid]')
  return { on: 'around', table: null, section, near: grid === null ? null : fieldNear(grid, pointer) }
}

function takeDrops(
  element: HTMLElement,
  read: (pointer: Input) => DropTarget,
  staysWith: (element: Element, pointer: Input) => boolean = () => false,
) {
  return dropTargetForElements({
    element,
    canDrop: ({ source }) => grabbedIn(source) !== undefined,
    getDropEffect: ({ source }) => (grabbedIn(source)?.kind === 'new' ? 'copy' : 'move'),
    getData: ({ input }) => ({ [TARGET]: read(input) }),
    getIsSticky: ({ input }) => staysWith(element, input),
  })
}
