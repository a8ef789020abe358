import type { DesignForm, DesignSection } from '#core/design/design.ts'
import type { DesignEdit } from '#core/design/designEdit.ts'
import type { Selection } from '#src/screens/design/selection.ts'

/**
 * The edits that put a section right after the selected field, whose followers in its section then belong to the new
 * one; after the selected section; else at the end of the page.
 */
export function addSectionAfter(
  form: DesignForm,
  selection: Selection,
  pageId: string,
  section: DesignSection,
): readonly DesignEdit[] {
  const { index, prop } = selectedIn(form, selection)
  const add: DesignEdit = { kind: 'section-add', pageId, section, at: index + 1 }
  const props = (form.sections[index]?.columns ?? []).map((column) => column.prop)
  const followers = prop === null ? [] : props.slice(props.indexOf(prop) + 1)
  return followers.length === 0
    ? [add]
    : [
        add,
        {
          kind: 'fields-move',
          from: { pageId, table: null, props: followers },
          to: { pageId, table: null, section: section.key, at: 0 },
        },
      ]
}

/** The section of what is selected, and the field after which the new section begins; null at the section's end. */
function selectedIn({ sections }: DesignForm, selection: Selection): { index: number; prop: string | null } {
  const end = { index: sections.length - 1, prop: null }
  if (selection?.of === 'section') {
    const index = sections.findIndex(({ key }) => key === selection.key)
    return index < 0 ? end : { index, prop: null }
  }
  if (selection?.of !== 'fields') return end
  // A column of a table stands for its table: a section cannot begin within one.
  const prop = selection.table ?? selection.props.at(-1) ?? ''
  const index = sections.findIndex(({ columns }) => columns.some((column) => column.prop === prop))
  return index < 0 ? end : { index, prop }
}
