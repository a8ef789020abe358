import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { FieldPicker } from '#src/ui/fieldPicker/FieldPicker.tsx'
import type { PickedPage } from '#src/ui/fieldPicker/searchPages.ts'

import { fieldKey } from './fieldPages.ts'
import type { ShownPage } from './fieldPages.ts'

interface FieldChooserProps {
  readonly label: string
  readonly pages: readonly ShownPage[]
  readonly chosen: ReadonlySet<string>
  readonly onChange: (chosen: ReadonlySet<string>) => void
}

/** Picks fields of a data set: each with its code and whether it identifies a person, each page with its visits. */
export function FieldChooser({ label, pages, chosen, onChange }: FieldChooserProps) {
  const { t } = useTranslation('dataExport')
  const picked = useMemo(
    () =>
      pages.map(({ pageId, name, visits, fields }): PickedPage => ({
        id: pageId,
        name,
        ...(visits === '' ? {} : { note: t('pages.visits', { visits }) }),
        fields: fields.map((field) => ({
          key: fieldKey(field),
          code: field.code,
          label: field.label,
          note: field.fact.identifies ? `${field.code} · ${t('pages.identifies')}` : field.code,
        })),
      })),
    [pages, t],
  )
  return <FieldPicker label={label} pages={picked} chosen={chosen} onChange={onChange} />
}
