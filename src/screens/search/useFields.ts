import { useTranslation } from 'react-i18next'
import { useEffect, useState } from 'react'
import type { DatabaseColumn, DatabasePage } from '#core/api/calls/data/database.ts'
import type { AnswerField, Condition } from '#core/dataset/conditions.ts'
import { fieldsOf } from '#core/dataset/conditions.ts'
import type { ConditionNames } from '#core/dataset/conditionWords.ts'
import type { CenterRow } from '#core/api/sync/rows.ts'
import { useServerCall } from '#src/data/server.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

/** The fields of pages as far as somebody has chosen from them, and names of what a condition is about. */

type Columns = ReadonlyMap<string, readonly DatabaseColumn[]>

export function tableKey(pageId: string, table: string | null): string {
  return `${pageId}/${table ?? ''}`
}

export interface Fields {
  readonly columnsOf: (pageId: string, table: string | null) => readonly DatabaseColumn[] | null
  readonly find: (field: AnswerField) => DatabaseColumn | null
  /** Reads the fields of pages that are not known yet. */
  readonly want: (pageId: string, table: string | null) => void
}

export function useFields(projectId: string): Fields {
  const call = useServerCall()
  const language = useLanguage()
  const [wanted, setWanted] = useState<readonly string[]>([])
  const [known, setKnown] = useState<Columns>(new Map())
  useEffect(() => {
    let isLeft = false
    const readAll = async (): Promise<void> => {
      for (const key of wanted) {
        const [pageId = '', table = ''] = key.split('/')
        const query = { projectId, pageId, ...(table === '' ? {} : { table }) }
        const said = await call('database.columns', { query, projectId })
        if (isLeft) return
        if (said.ok) setKnown((before) => new Map([...before, [`${language} ${key}`, said.value]]))
      }
    }
    void readAll()
    return () => {
      isLeft = true
    }
  }, [call, projectId, wanted, language])
  const columnsOf = (pageId: string, table: string | null) =>
    known.get(`${language} ${tableKey(pageId, table)}`) ?? null
  return {
    columnsOf,
    find: ({ pageId, table, code, part }) =>
      columnsOf(pageId, table)?.find(({ field }) => field.code === code && field.part === part) ?? null,
    want: (pageId, table) =>
      setWanted((before) => {
        const key = tableKey(pageId, table)
        return before.includes(key) ? before : [...before, key]
      }),
  }
}

/** Reads the fields that a condition names. */
export function wantFieldsOf(fields: Fields, of: Condition): void {
  for (const { pageId, table } of fieldsOf(of)) fields.want(pageId, table)
}

export function useConditionNames(
  pages: readonly DatabasePage[],
  centers: readonly CenterRow[],
  fields: Fields,
): ConditionNames {
  const { t } = useTranslation('search')
  const language = useLanguage()
  const nameOf = (of: { readonly name: string; readonly nameEn: string | null }) =>
    language === 'en' ? (of.nameEn ?? of.name) : of.name
  return {
    field: (field) => {
      const page = pages.find(({ pageId }) => pageId === field.pageId)
      const label = fields.find(field)?.label ?? field.code
      return page === undefined ? label : `${nameOf(page)} · ${label}`
    },
    value: (field, value, isChange) => {
      const column = fields.find(field)
      const said = column?.codes.find(({ code }) => code === String(value))?.label ?? String(value)
      if (column?.kind === 'number') return column.unit === null || column.unit === '' ? said : `${said} ${column.unit}`
      return isChange ? t('days', { figure: said }) : said
    },
    visit: (folderId) => {
      const folder = pages.flatMap((page) => page.folders).find((one) => one.folderId === folderId)
      return folder === undefined ? '…' : nameOf(folder)
    },
    center: (id) => centers.find((center) => center.id === id)?.centerName ?? '…',
  }
}
