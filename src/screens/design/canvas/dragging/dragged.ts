import type { FieldType } from '#core/form/definition/column.ts'
import type { Selection } from '#src/screens/design/selection.ts'

/** What the hand took hold of: a type of the palette, or a field of the page. */
export type Grabbed =
  | { readonly kind: 'new'; readonly type: FieldType }
  | { readonly kind: 'field'; readonly table: string | null; readonly prop: string }

/** What is dragged by it: a new field, or fields that stand together on the page or in a table of it. */
export type Dragged =
  | { readonly kind: 'new'; readonly type: FieldType }
  | { readonly kind: 'fields'; readonly table: string | null; readonly props: readonly string[] }

/** With a field that is selected, all that are selected are dragged. */
export function draggedWith(grabbed: Grabbed, selection: Selection): Dragged {
  if (grabbed.kind === 'new') return grabbed
  const { table, prop } = grabbed
  const isSelected = selection?.of === 'fields' && selection.table === table && selection.props.includes(prop)
  return { kind: 'fields', table, props: isSelected ? selection.props : [prop] }
}

const GRABBED = 'zlGrabbed'

/** What was taken hold of, as what a drag carries with it. */
export function carryGrabbed(grabbed: Grabbed): Record<string, unknown> {
  return { [GRABBED]: grabbed }
}

/** What a drag carries; undefined for one that is not of the designer. */
export function grabbedIn({ data }: { readonly data: Readonly<Record<string, unknown>> }): Grabbed | undefined {
  return data[GRABBED] as Grabbed | undefined
}
