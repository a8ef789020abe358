import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { NamedField, RuleNames } from '#core/rules/complete.ts'

import classes from './rules.module.css'

interface NamePickerProps {
  readonly label: string
  readonly names: RuleNames
  /** `page.x`; `''` where none is picked yet. */
  readonly value: string
  readonly disabled: boolean
  readonly onChange: (name: string) => void
}

/** Picks a field: first its place, then the field. Long lists can be searched by code and by label. */
export function NamePicker({ label, names, value, disabled, onChange }: NamePickerProps) {
  const { t } = useTranslation(['rules', 'form'])
  const places = usePlaces(names)
  const at = value.lastIndexOf('.')
  const place = at < 0 ? (names.row === null ? 'page' : 'row') : value.slice(0, at)
  const fields = fieldsAt(place, names)
  const known = places.some((one) => one.value === place)
  return (
    <>
      <Select
        className={classes.where ?? ''}
        aria-label={`${label}${t('form:colon')}${t('pick.where')}`}
        data={known ? places : [...places, { value: place, label: place }]}
        value={place}
        searchable={places.length > 8}
        limit={200}
        allowDeselect={false}
        disabled={disabled}
        onChange={(next) => {
          // Picks the first field of the place, so that the name is complete.
          const [first] = next === null ? [] : fieldsAt(next, names)
          if (next !== null && first !== undefined) onChange(`${next}.${first.code}`)
        }}
      />
      <Select
        className={classes.which ?? ''}
        aria-label={`${label}${t('form:colon')}${t('pick.field')}`}
        placeholder={t('pick.field')}
        data={fields.map(({ code, label: called }) => ({ value: code, label: `${called} (${code})` }))}
        value={at < 0 ? null : value.slice(at + 1)}
        searchable
        limit={200}
        nothingFoundMessage={t('pick.none')}
        allowDeselect={false}
        disabled={disabled}
        onChange={(next) => next !== null && onChange(`${place}.${next}`)}
      />
    </>
  )
}

/** The places of the fields that a rule may read, as the beginnings of their names. */
function usePlaces(names: RuleNames): readonly { readonly value: string; readonly label: string }[] {
  const { t } = useTranslation('rules')
  const folders = new Map(names.folders.map(({ code, label }) => [code, label]))
  return [
    ...(names.row === null ? [] : [{ value: 'row', label: t('pick.row') }]),
    { value: 'page', label: t('pick.page') },
    ...names.pages.map(({ code, label }) => ({ value: `visit.${code}`, label: t('pick.visit', { page: label }) })),
    ...names.pages.flatMap((page) =>
      page.folders.map((folder) => ({
        value: `form.${folder}.${page.code}`,
        label: `${folders.get(folder) ?? folder} · ${page.label}`,
      })),
    ),
    ...names.pages.map(({ code, label }) => ({ value: `visits.${code}.prev`, label: t('pick.prev', { page: label }) })),
  ]
}

function fieldsAt(place: string, names: RuleNames): readonly NamedField[] {
  const [variable, ...path] = place.split('.')
  if (variable === 'page') return names.page
  if (variable === 'row') return names.row ?? []
  return names.pages.find(({ code }) => code === path[variable === 'form' ? 1 : 0])?.fields ?? []
}
