import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MemberDetail } from '#core/api/calls/project.ts'
import type { CenterRow } from '#core/api/sync/rows.ts'
import type { Choice, FilterChange, TableFilter, TableSearch } from '#src/ui/table/contract.ts'

interface MemberFilters {
  readonly search: TableSearch
  readonly filters: readonly TableFilter[]
  readonly onFilter: (change: FilterChange) => void
  /** The members that are left. */
  readonly narrow: (members: readonly MemberDetail[]) => readonly MemberDetail[]
}

const STATUSES = ['active', 'pause'] as const

/** Narrows the team down by name or account, role, center and status. @param members all of them */
export function useMemberFilters(centers: readonly CenterRow[], members: readonly MemberDetail[]): MemberFilters {
  const { t } = useTranslation(['admin', 'projects'])
  const [chosen, setChosen] = useState<FilterChange>({})
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().toLowerCase()
  const roles = [...new Set(members.map(({ userRole }) => userRole))]
  const filter = (key: string, title: string, choices: readonly Choice[]): TableFilter => {
    const value = chosen[key] ?? null
    return {
      kind: 'choice',
      key,
      title,
      value,
      text: value === null ? null : (choices.find((one) => one.value === value)?.label ?? title),
      choices,
    }
  }
  const { role, status } = chosen
  const center = chosen['center'] ?? null
  return {
    search: { label: t('mem.userHint'), value: typed, onChange: setTyped },
    filters: [
      filter(
        'role',
        t('mem.columns.role'),
        roles.map((value) => ({ value, label: t(`projects:role.${value}`) })),
      ),
      ...(centers.length > 1
        ? [
            filter(
              'center',
              t('mem.columns.centers'),
              centers.map(({ id, centerName }) => ({ value: id, label: centerName })),
            ),
          ]
        : []),
      filter(
        'status',
        t('mem.columns.status'),
        STATUSES.map((value) => ({ value, label: t(`mem.status.${value}`) })),
      ),
    ],
    onFilter: (change) => setChosen((before) => ({ ...before, ...change })),
    narrow: (all) =>
      all.filter(
        ({ realName, account, userRole, type, centerIds, status: state }) =>
          [realName, account].some((text) => text.toLowerCase().includes(wanted)) &&
          (role ?? userRole) === userRole &&
          (center === null || type === 'project' || centerIds.includes(center)) &&
          (status ?? state) === state,
      ),
  }
}
