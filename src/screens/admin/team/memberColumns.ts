import { useTranslation } from 'react-i18next'
import type { MemberDetail } from '#core/api/calls/project.ts'
import type { CenterRow } from '#core/api/sync/rows.ts'
import type { TableColumn } from '#src/ui/table/contract.ts'
import { fullTime } from '#src/ui/words/format.ts'

type Column = TableColumn<MemberDetail>

/** The columns of the team. @param centers those of the project */
export function useMemberColumns(centers: readonly CenterRow[], isDouble: boolean): readonly Column[] {
  const { t } = useTranslation(['admin', 'projects', 'form'])
  const centersOf = ({ type, dataScope, centerIds }: MemberDetail): string =>
    type === 'project' || (type === 'expert' && dataScope === 'all')
      ? t('mem.allCenters')
      : centers
          .filter(({ id }) => centerIds.includes(id))
          .map(({ centerName }) => centerName)
          .join(t('form:listSeparator'))
  const column = (
    key: Parameters<typeof titleOf>[0],
    width: number,
    text: (member: MemberDetail) => string,
    more: Partial<Column> = {},
  ): Column => ({ key, title: titleOf(key), width, text, sortBy: text, ...more })
  const titleOf = (
    key: 'name' | 'account' | 'role' | 'type' | 'centers' | 'status' | 'pass' | 'testing' | 'lastLogin',
  ): string => t(`mem.columns.${key}`)
  return [
    column('name', 8, ({ realName }) => realName, { place: 'key' }),
    column('account', 8, ({ account }) => account, { grows: 1, from: 'desk' }),
    column('role', 8, ({ userRole }) => t(`projects:role.${userRole}`), { grows: 2 }),
    column('type', 8, ({ type }) => t(`mem.types.${type}`)),
    column('centers', 10, centersOf, { grows: 3 }),
    column('status', 6.5, ({ status }) => t(`mem.status.${status}`), { place: 'end' }),
    ...(isDouble ? [column('pass', 5.5, ({ entryPass }) => t(`mem.pass.${entryPass}`))] : []),
    column('testing', 7, ({ crfApprove }) => t(crfApprove === 1 ? 'mem.testing.yes' : 'mem.testing.no')),
    column(
      'lastLogin',
      10,
      ({ lastLoginTime }) => (lastLoginTime === null ? t('mem.never') : fullTime(lastLoginTime)),
      {
        from: 'desk',
        sortBy: ({ lastLoginTime }) => lastLoginTime,
      },
    ),
  ]
}
