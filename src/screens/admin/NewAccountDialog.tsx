import { PasswordInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { passwordProblem } from '#core/access/passwordRules.ts'
import { useServerAction } from '#src/data/server.ts'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'
import { useForm } from '#src/ui/useForm.ts'

/** Makes a new account. Its first password must be changed at the first sign-in. */
export function NewAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('admin')
  const act = useServerAction()
  const form = useForm({
    initialValues: { account: '', realName: '', password: '' },
    validate: {
      account: (value) => (/^[A-Za-z0-9._-]{2,60}$/.test(value) ? null : t('mem.newUser.badAccount')),
      realName: (value) => (value.trim() === '' ? t('mem.newUser.required') : null),
      password: (value, { account }) => (passwordProblem(value, account) === null ? null : t('mem.newUser.short')),
    },
  })
  return (
    <SubmitDialog
      title={t('mem.newUser.title')}
      submit={t('mem.newUser.submit')}
      onClose={onClose}
      onSubmit={() => (form.validate().hasErrors ? null : act('user.save', { body: form.getValues() }))}
    >
      <TextInput
        size="md"
        required
        label={t('mem.newUser.account')}
        description={t('mem.newUser.accountHint')}
        autoComplete="off"
        autoCapitalize="none"
        data-autofocus
        {...form.getInputProps('account')}
      />
      <TextInput
        size="md"
        required
        label={t('mem.newUser.realName')}
        maxLength={100}
        autoComplete="off"
        {...form.getInputProps('realName')}
      />
      <PasswordInput
        size="md"
        required
        label={t('mem.newUser.password')}
        description={t('mem.newUser.passwordHint')}
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
    </SubmitDialog>
  )
}
