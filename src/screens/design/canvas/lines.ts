import type { DesignForm } from '#core/design/design.ts'
import { childrenOf } from '#core/design/design.ts'

/** One line of the page in reading order: a field, or the title of a section. */
export interface Line {
  /** The table of which the field is a column; null for a field of the page itself. */
  readonly table: string | null
  readonly prop: string
  /** Key of the section, where the line is a section's title. */
  readonly section?: string
}

export function linesOf({ sections }: DesignForm): readonly Line[] {
  return sections.flatMap((section): readonly Line[] => [
    ...(section.key === '' ? [] : [{ table: null, prop: '', section: section.key }]),
    ...section.columns.flatMap((column) => [
      { table: null, prop: column.prop },
      ...childrenOf(column).map((child) => ({ table: column.prop, prop: child.prop })),
    ]),
  ])
}

export function isSameLine(a: Line, b: Line): boolean {
  return a.table === b.table && a.prop === b.prop && a.section === b.section
}

/** The line on which an event happened; null where there is none. */
export function lineUnder({ target }: React.SyntheticEvent): Line | null {
  if (!(target instanceof Element)) return null
  const title = target.closest<HTMLElement>('[data-title]')?.dataset['title']
  if (title !== undefined) return { table: null, prop: '', section: title }
  const { prop, table } = target.closest<HTMLElement>('[data-prop]')?.dataset ?? {}
  return prop === undefined ? null : { prop, table: table === undefined || table === '' ? null : table }
}
