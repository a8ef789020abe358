import { Select } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { DatabaseColumn, DatabasePage } from '#core/api/calls/data/database.ts'
import { TestEditor } from '#src/form/conditions/TestEditor.tsx'
import { newTest, testFor } from '#src/form/conditions/testDraft.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import type { FieldDraft } from './draft.ts'
import type { Known } from './known.ts'
import { tableKey } from './useFields.ts'

interface FieldConditionProps {
  readonly draft: FieldDraft
  readonly known: Known
  readonly onChange: (draft: FieldDraft) => void
}

const WHICH = ['any', 'every', 'visit', 'first', 'last', 'change'] as const

/** A condition on a field: where it is, which of its values are meant, and what is asked of them. */
export function FieldCondition({ draft, known, onChange }: FieldConditionProps) {
  const { t } = useTranslation('search')
  const { pageId, table, field } = draft
  const { fields, pages } = known
  const { want } = fields
  useEffect(() => {
    if (pageId !== null) want(pageId, table)
    // What is wanted is wanted once.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [pageId, table])
  const columns = pageId === null ? null : fields.columnsOf(pageId, table)
  const column = field === null ? null : fields.find(field)
  const choose = (next: DatabaseColumn) => {
    if (next.kind === null) return
    const isChange = draft.which === 'change' && next.hasChange
    const of = { kind: next.kind, isChange }
    onChange({
      ...draft,
      field: { ...next.field, kind: next.kind },
      which: draft.which === 'change' && !isChange ? 'any' : draft.which,
      test: draft.field?.kind === next.kind && draft.test !== null ? testFor(draft.test, of) : newTest(of),
    })
  }
  return (
    <>
      <Select
        size="md"
        searchable
        allowDeselect={false}
        label={t('page')}
        value={pageId === null ? null : tableKey(pageId, table)}
        data={usePageChoices(pages)}
        onChange={(value) => {
          const [page = '', of = ''] = (value ?? '').split('/')
          if (page !== '') onChange({ ...draft, pageId: page, table: of === '' ? null : of, field: null, test: null })
        }}
      />
      <Select
        size="md"
        searchable
        allowDeselect={false}
        label={t('field')}
        disabled={columns === null}
        value={column?.name ?? null}
        data={(columns ?? [])
          .filter(({ kind }) => kind !== null)
          .map(({ name, label, isMasked }) => ({
            value: name,
            label: isMasked ? t('masked', { field: label }) : label,
            disabled: isMasked,
          }))}
        onChange={(value) => {
          const next = columns?.find(({ name }) => name === value)
          if (next !== undefined) choose(next)
        }}
      />
      {field !== null && <Values {...{ draft, known, onChange }} column={column} />}
    </>
  )
}

function Values({ draft, known, onChange, column }: FieldConditionProps & { readonly column: DatabaseColumn | null }) {
  const { t } = useTranslation('search')
  const { field, which, test, folderId, baseline } = draft
  const language = useLanguage()
  if (field === null || test === null) return null
  const isChange = which === 'change'
  const page = known.pages.find(({ pageId }) => pageId === field.pageId)
  const visits = (page?.folders ?? []).map((folder) => ({
    value: folder.folderId,
    label: language === 'en' ? (folder.nameEn ?? folder.name) : folder.name,
  }))
  return (
    <>
      <Select
        size="md"
        allowDeselect={false}
        label={t('at.title')}
        value={which}
        data={WHICH.filter((one) => one !== 'change' || column?.hasChange === true).map((one) => ({
          value: one,
          label: t(`at.${one}`),
        }))}
        onChange={(value) => {
          const next = WHICH.find((one) => one === value)
          if (next === undefined) return
          const of = { kind: field.kind, isChange: next === 'change' }
          const isOther = (next === 'change') !== isChange
          onChange({ ...draft, which: next, test: isOther ? newTest(of) : test })
        }}
      />
      {isChange && (
        <Select
          size="md"
          allowDeselect={false}
          label={t('baseline')}
          value={baseline}
          data={visits}
          onChange={(value) => onChange({ ...draft, baseline: value })}
        />
      )}
      {(which === 'visit' || isChange) && (
        <Select
          size="md"
          clearable={isChange}
          label={t('visit')}
          placeholder={isChange ? t('anyOther') : ''}
          value={folderId}
          data={visits}
          onChange={(value) => onChange({ ...draft, folderId: value })}
        />
      )}
      <TestEditor
        draft={test}
        of={{ kind: field.kind, isChange }}
        codes={column?.codes ?? []}
        onChange={(next) => onChange({ ...draft, test: next })}
      />
    </>
  )
}

function usePageChoices(pages: readonly DatabasePage[]) {
  const { t } = useTranslation('database')
  const language = useLanguage()
  return pages.flatMap((page) => {
    const name = language === 'en' ? (page.nameEn ?? page.name) : page.name
    const shown = page.isFormer ? t('former', { page: name }) : name
    return [
      { value: tableKey(page.pageId, null), label: shown },
      ...page.tables.map(({ code, label, labelEn }) => ({
        value: tableKey(page.pageId, code),
        label: t('table', { page: shown, table: (language === 'en' ? labelEn : null) ?? (label || code) }),
      })),
    ]
  })
}
