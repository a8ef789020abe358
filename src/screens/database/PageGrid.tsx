import { SegmentedControl, Select, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { DatabaseColumn, DatabasePage, DatabaseQuestion } from '#core/api/calls/data/database.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { useCenters } from '#src/data/hooks/projects.ts'
import { useServerQuery } from '#src/data/server.ts'
import { SearchSelect } from '#src/frame/lists/SearchSelect.tsx'
import { useKeptSearches } from '#src/frame/lists/useKeptSearches.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { GridView } from './GridView.tsx'
import type { PageChosen } from './PageChoice.tsx'
import classes from './database.module.css'
import type { Asked } from './asked.ts'

interface PageGridProps {
  readonly project: ProjectRow
  readonly page: DatabasePage
  readonly chosen: PageChosen
  readonly picker: ReactNode
  readonly searchId: string | null
  readonly onSearch: (id: string | null) => void
  readonly firstCenter: string | null
  readonly onVisit: (folderId: string | null) => void
}

/** The grid of a page or table with what narrows it down. Filters stay while rights or the network come and go. */
export function PageGrid(props: PageGridProps) {
  const { project, chosen, searchId, onSearch, firstCenter, onVisit } = props
  const language = useLanguage()
  const [asked, setAsked] = useState<Asked>({ filters: [], sort: null, centerId: firstCenter, status: null, words: '' })
  const [values, setValues] = useState<'codes' | 'labels'>('labels')
  const change = (part: Partial<Asked>) => setAsked((before) => ({ ...before, ...part }))
  const { pageId, table, folderId } = chosen
  const columns = useServerQuery(
    'database.columns',
    {
      query: { projectId: project.id, pageId, ...(table === null ? {} : { table }) },
      projectId: project.id,
    },
    language,
  )
  const question = useQuestion(props, asked)
  return (
    <>
      <Narrowing {...props} asked={asked} values={values} onAsked={change} onValues={setValues} />
      <Loaded of={columns} rows={10}>
        {(value: readonly DatabaseColumn[]) => (
          <GridView
            {...{ project, chosen, question, asked, values, searchId }}
            columns={value}
            onAsked={change}
            onView={(view) => {
              change({ filters: view.filters, sort: view.sort, centerId: view.centerId, status: view.status })
              onSearch(view.searchId)
              if (view.folderId !== folderId) onVisit(view.folderId)
            }}
            onClear={() => {
              setAsked({ filters: [], sort: asked.sort, centerId: null, status: null, words: '' })
              onSearch(null)
            }}
          />
        )}
      </Loaded>
    </>
  )
}

/** What is asked of the server, but for the columns. */
function useQuestion({ project, chosen, searchId }: PageGridProps, asked: Asked): Omit<DatabaseQuestion, 'columns'> {
  const { filters, sort, centerId, status, words } = asked
  const { pageId, table, folderId } = chosen
  return useMemo(
    () => ({
      projectId: project.id,
      pageId,
      table,
      filters,
      sort,
      ...(centerId === null ? {} : { centerId }),
      ...(folderId === null ? {} : { folderId }),
      ...(status === null ? {} : { status }),
      ...(words.trim() === '' ? {} : { words: words.trim() }),
      ...(searchId === null ? {} : { searchId }),
    }),
    [project.id, pageId, table, folderId, filters, sort, centerId, status, words, searchId],
  )
}

interface NarrowingProps extends PageGridProps {
  readonly asked: Asked
  readonly values: 'codes' | 'labels'
  readonly onAsked: (part: Partial<Asked>) => void
  readonly onValues: (values: 'codes' | 'labels') => void
}

/** What narrows the rows down besides the heads of columns, and how choices are shown. */
function Narrowing(props: NarrowingProps) {
  const { project, page, chosen, picker, asked, values, searchId, onAsked, onValues, onVisit, onSearch } = props
  const { folderId } = chosen
  const { t } = useTranslation('database')
  const language = useLanguage()
  const centers = useCenters(project.id)
  const searches = useKeptSearches(project.id, project.permissions)
  const known = centers.state === 'ready' ? centers.value : []
  const nameOf = (of: { readonly name: string; readonly nameEn: string | null }) =>
    language === 'en' ? (of.nameEn ?? of.name) : of.name
  return (
    <div className={classes.tools}>
      <div className={classes.wide}>{picker}</div>
      {page.folders.length > 1 && (
        <Select
          size="md"
          clearable
          label={t('keys.visit')}
          placeholder={t('allVisits')}
          value={folderId}
          data={page.folders.map((folder) => ({ value: folder.folderId, label: nameOf(folder) }))}
          onChange={onVisit}
        />
      )}
      {known.length > 1 && (
        <Select
          size="md"
          clearable
          searchable
          label={t('keys.center')}
          placeholder={t('all')}
          value={asked.centerId}
          data={known.map(({ id, centerName }) => ({ value: id, label: centerName }))}
          onChange={(centerId) => onAsked({ centerId })}
        />
      )}
      <Select
        size="md"
        clearable
        label={t('keys.status')}
        placeholder={t('all')}
        value={asked.status}
        data={(['process', 'submitted'] as const).map((one) => ({ value: one, label: t(`status.${one}`) }))}
        onChange={(value) => onAsked({ status: value === 'process' || value === 'submitted' ? value : null })}
      />
      <SearchSelect searches={searches} value={searchId} onChange={onSearch} isLabelled />
      <TextInput
        size="md"
        type="search"
        label={t('search')}
        maxLength={60}
        value={asked.words}
        onChange={(event) => onAsked({ words: event.currentTarget.value })}
      />
      <SegmentedControl
        size="md"
        aria-label={t('labels')}
        value={values}
        data={(['labels', 'codes'] as const).map((one) => ({ value: one, label: t(`values.${one}`) }))}
        onChange={(value) => onValues(value === 'codes' ? 'codes' : 'labels')}
      />
    </div>
  )
}
