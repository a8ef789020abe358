import { announce } from '@atlaskit/pragmatic-drag-and-drop-live-region'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Design, DesignColumn } from '#core/design/design.ts'
import { childrenOf, columnAt } from '#core/design/design.ts'
import { pageNameIn } from '#core/form/definition/inLanguage.ts'
import { labelIn, sectionName } from '#src/screens/design/columns.ts'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'
import type { Selection } from '#src/screens/design/selection.ts'
import { presentIn, selectedColumns } from '#src/screens/design/selection.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

type Language = 'zh' | 'en'

/** Tells users who do not see the page what happened to fields that were moved or added. */
export interface Announcing {
  readonly taken: (name: string) => void
  /** Says where the selected fields stand now. */
  readonly came: (how: 'moved' | 'added') => void
  /** Says that a field, by default the selected ones, stayed where it was. */
  readonly stayed: (name?: string) => void
}

export function useAnnouncing(editor: DesignEditor): Announcing {
  const { t } = useTranslation('design')
  const language = useLanguage()
  return useMemo(() => {
    const now = () => {
      const { design, selection: wanted } = editor.view()
      const selection = presentIn(design, wanted)
      return { design, selection, name: fieldsName(selectedColumns(design, selection), language, t) }
    }
    return {
      taken: (name) => announce(t('announce.taken', { name })),
      stayed: (name) => announce(t('announce.stayed', { name: name ?? now().name })),
      came: (how) => {
        const { design, selection, name } = now()
        const standing = standingOf(design, selection, language, t)
        if (standing !== null) announce(t(`announce.${how}`, { name, ...standing }))
      },
    }
  }, [editor, language, t])
}

/** The name of one field; for several fields their number. */
export function fieldsName(columns: readonly DesignColumn[], language: Language, t: TFunction<'design'>): string {
  const [first] = columns
  if (first === undefined || columns.length > 1) return t('announce.fields', { count: columns.length })
  return labelIn(first, language) || first.prop
}

/** The position of the selected fields, and the fields among which they stand. */
function standingOf(design: Design, selection: Selection, language: Language, t: TFunction<'design'>) {
  const page = selection?.of === 'fields' ? design.pages.get(selection.pageId) : undefined
  if (selection?.of !== 'fields' || page === undefined || page.form === null) return null
  const [first] = selectedColumns(design, selection)
  if (first === undefined) return null
  if (selection.table !== null) {
    const table = columnAt(page.form, null, selection.table)
    if (table === null) return null
    const columns = childrenOf(table)
    const where = t('canvas.inTable', { name: labelIn(table, language) || table.prop })
    return { where, at: columns.indexOf(first) + 1, count: columns.length }
  }
  const section = page.form.sections.find(({ columns }) => columns.includes(first))
  if (section === undefined) return null
  const where = sectionName(section, language) || pageNameIn(language, page)
  return { where, at: section.columns.indexOf(first) + 1, count: section.columns.length }
}
