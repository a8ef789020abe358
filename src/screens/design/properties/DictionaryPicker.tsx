import { Select, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOutletContext } from 'react-router-dom'
import { projectListUrl, projectListOf } from '#core/form/definition/projectLists.ts'
import type { DesignColumn } from '#core/design/design.ts'
import type { Patch } from '#core/design/designEdit.ts'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { useServerQuery } from '#src/data/server.ts'

/** How many dictionaries of a project are offered at once. */
const MOST = 500
/** Stands for choices that the field itself lists. */
const OWN = ''

interface DictionaryPickerProps {
  readonly column: DesignColumn
  readonly set: (patch: Patch) => void
}

/**
 * Where the choices of a field come from: its own list, or a project dictionary, which changes for all fields that name
 * it.
 */
export function DictionaryPicker({ column, set }: DictionaryPickerProps) {
  const { t, i18n } = useTranslation('design')
  const { project } = useOutletContext<WorkspacePlace>()
  const dictionaries = useServerQuery('projectDict.parentList', {
    query: { projectId: project.id, current: 1, size: MOST },
    projectId: project.id,
  })
  const address = typeof column.dicUrl === 'string' ? column.dicUrl : null
  const named = address === null ? OWN : (projectListOf(address)?.code ?? address)
  const records = dictionaries.state === 'ready' ? dictionaries.value.records : []
  const known = records.map(({ code, dictValue, labelEn, entryCount }) => ({
    value: code,
    label: t('props.dictionary', {
      name: i18n.language === 'en' ? (labelEn ?? dictValue) : dictValue,
      code,
      count: entryCount ?? 0,
    }),
  }))
  const data = [
    { value: OWN, label: t('props.ownChoices') },
    ...known,
    ...(named === OWN || known.some(({ value }) => value === named) ? [] : [{ value: named, label: named }]),
  ]
  const choose = (next: string | null) => {
    if (next === null || next === named) return
    if (next === OWN)
      set({ dicUrl: undefined, dicData: [1, 2].map((no) => ({ label: t('choice', { no }), value: String(no) })) })
    else set({ dicUrl: projectListUrl(next), dicData: undefined, props: { label: 'label', value: 'value' } })
  }
  return (
    <>
      <Select
        label={t('props.choiceSource')}
        data={data}
        value={named}
        allowDeselect={false}
        searchable={data.length > 8}
        onChange={choose}
      />
      {dictionaries.state === 'failed' && <Text size="sm">{t('props.noDictionaries')}</Text>}
    </>
  )
}
