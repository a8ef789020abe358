import { Checkbox, MultiSelect, Select } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { projectRoles } from '#core/access/permissions.ts'
import { memberTypes } from '#core/api/calls/project.ts'
import type { CenterRow } from '#core/api/sync/rows.ts'

import { EntryPassField } from './EntryPassField.tsx'
import { mayTest } from './mayTest.ts'
import { dataScopes, hasCenters } from './memberForm.ts'
import type { MemberValues } from './memberForm.ts'

interface MemberFieldsProps<Values extends MemberValues> {
  readonly form: UseFormReturnType<Values>
  readonly centers: readonly CenterRow[]
  /** Whether the project uses double entry. */
  readonly isDouble: boolean
}

/** Role, type, scope, centers, pass and testing of a member. The same fields add a member and change one. */
export function MemberFields<Values extends MemberValues>({ form, centers, isDouble }: MemberFieldsProps<Values>) {
  const { t } = useTranslation(['admin', 'projects'])
  const values: MemberValues = form.getValues()
  return (
    <>
      <Select
        size="md"
        required
        allowDeselect={false}
        label={t('mem.role')}
        data={projectRoles
          .filter((role) => role !== 'ADMIN' || values.userRole === 'ADMIN')
          .map((role) => ({ value: role, label: t(`projects:role.${role}`) }))}
        {...form.getInputProps('userRole')}
      />
      <Select
        size="md"
        required
        allowDeselect={false}
        label={t('mem.type')}
        description={values.type === 'expert' ? t('mem.expertHint') : undefined}
        data={memberTypes.map((value) => ({ value, label: t(`mem.types.${value}`) }))}
        {...form.getInputProps('type')}
      />
      <Select
        size="md"
        required
        allowDeselect={false}
        label={t('mem.dataScope')}
        data={dataScopes.map((value) => ({ value, label: t(`mem.dataScopes.${value}`) }))}
        {...form.getInputProps('dataScope')}
      />
      {hasCenters(values) && (
        <MultiSelect
          size="md"
          required
          label={t('mem.centers')}
          data={centers.map(({ id, centerName }) => ({ value: id, label: centerName }))}
          {...form.getInputProps('centerIds')}
        />
      )}
      {isDouble && <EntryPassField value={values.entryPass} {...form.getInputProps('entryPass')} />}
      {mayTest(values.userRole) && (
        <Checkbox
          size="md"
          label={t('mem.tester')}
          description={t('mem.testerHint')}
          {...form.getInputProps('isTester', { type: 'checkbox' })}
        />
      )}
    </>
  )
}
