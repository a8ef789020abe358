import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createFormState } from '#core/form/engine/engine.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { EntryView } from '#src/data/shapes/types.ts'
import { placeName } from '#src/form/words.ts'
import type { Language } from '#src/form/words.ts'
import { dayOf, fullTime } from '#src/ui/words/format.ts'

import type { NamedField } from './RegionForm.tsx'

/** The page's form, read only; null until the page is read, and where its definition cannot be read. */
export function usePageForm(view: EntryView | null): FormState | null {
  const [moment] = useState(() => {
    const now = new Date()
    return { today: dayOf(now), now: fullTime(now.toISOString()) }
  })
  return useMemo(() => {
    if (view === null || view.compiled === null) return null
    return createFormState(view.compiled, view.data, {
      moment,
      readOnly: true,
      otherPages: view.otherPages,
      masked: view.masked,
    })
  }, [view, moment])
}

/** The page's fields that are visible now, with their labels; without titles and whole tables. */
export function useNamedFields(form: FormState | null, language: Language): readonly NamedField[] {
  const { i18n } = useTranslation('form')
  if (form === null) return []
  const t = i18n.getFixedT(language, 'form')
  return form
    .cells()
    .filter(({ visible, field }) => visible && field.type !== 'title' && field.type !== 'dynamic')
    .map((cell) => ({ address: cell.key, name: placeName(form, cell, language, t) }))
}
