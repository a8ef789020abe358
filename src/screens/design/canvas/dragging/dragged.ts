import type { FieldType } from '#core/form/definition/column.ts'
import type { Selection } from '#src/screens/design/selection.ts'

/** What the user took hold of: a type of the palette, or a field of the page. */
export type Grabbed =
  | { readonly kind: 'new'; readonly type: FieldType }
  | { readonly kind: 'field'; readonly table: string | null; readonly prop: string }

/** What moves with it: a new field, or fields that stand together on the page or in one of its tables. */
export type Dragged =
  | { readonly kind: 'new'; readonly type: FieldType }
  | { readonly kind: 'fields'; readonly table: string | null; readonly props: readonly string[] }

/** A field that is selected takes all selected fields along. */
export function draggedWith(grabbed: Grabbed, selection: Selection): Dragged {
  if (grabbed.kind === 'new') return grabbed
  const { table, prop } = grabbed
  const isSelected = selection?.of === 'fields' && selection.table === table && selection.props.includes(prop)
  return { kind: 'fields', table, props: isSelected ? selection.props : [prop] }
}

const GRABBED = 'zlGrabbed'

/** Packs what was taken hold of as the data of a drag. */
export function carryGrabbed(grabbed: Grabbed): Record<string, unknown> {
  return { [GRABBED]: grabbed }
}

/** Reads the data of a drag; undefined for a drag that is not of the designer. */
export function grabbedIn({ data }: { readonly data: Readonly<Record<string, unknown>> }): Grabbed | undefined {
  return data[GRABBED] as Grabbed | undefined
}
