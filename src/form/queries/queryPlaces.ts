import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { VersionRow } from '#core/api/sync/rows.ts'
import { addressKey } from '#core/form/definition/address.ts'
import type { Field } from '#core/form/definition/page.ts'
import { WHOLE_ROW, entryOfQuery, levelOf } from '#core/review/queryThread.ts'
import type { QueryPlace } from '#core/review/queryThread.ts'
import { casebookPath, entryPath, patientVisitsPath } from '#src/paths/screenPaths.ts'
import { makePageReader } from '#src/form/places/versionPages.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { labelOf } from '../words.ts'

/** What a query is about, in the words of a version. */
export interface QueryPlaceWords {
  /** Empty where it is about the patient. */
  readonly visit: string
  /** Empty where it is about the patient or a visit. */
  readonly page: string
  /** The field, or that it is about a row, a page, a visit or the patient as a whole. */
  readonly what: string
  readonly field: Field | null
}

/** Names places. A field that the version does not have keeps its code. */
export function useQueryPlaces(version: VersionRow | null): (place: QueryPlace) => QueryPlaceWords {
  const { t } = useTranslation('query')
  const language = useLanguage()
  const names = useNames()
  const pagesOf = useMemo(() => makePageReader(), [])
  return (place) => {
    const { folderId, pageId, table, code } = place
    const folder = version?.folders.find(({ id }) => id === folderId)
    const page =
      version === null || folderId === null || pageId === null ? undefined : pagesOf(version).get({ folderId, pageId })
    const where = {
      visit: page === undefined ? (folder === undefined ? '' : names.visit(folder)) : names.visit(page),
      page: page === undefined ? '' : names.page(page),
    }
    const level = levelOf(place)
    if (level !== 'field' && level !== 'row') return { ...where, what: t(`level.${level}`), field: null }
    const of = code === WHOLE_ROW ? { table: null, code: table ?? '' } : { table, code: code ?? '' }
    const field = page?.fieldAt(of) ?? null
    const label = field === null ? of.code : labelOf(field, language)
    return {
      ...where,
      what: level === 'row' ? `${label} · ${t('level.row')}` : label,
      field: level === 'row' ? null : field,
    }
  }
}

/** The screen on which what a query is about is entered. */
export function queryPath(projectId: string, place: QueryPlace): string {
  const { patientId, folderId, table, rid, code } = place
  const entry = entryOfQuery(place)
  if (entry === null)
    return folderId === null ? casebookPath(projectId, patientId) : patientVisitsPath(projectId, patientId)
  const address = code === null ? null : code === WHOLE_ROW ? table : addressKey({ table, rid, code })
  return entryPath(projectId, patientId, entry, address)
}
