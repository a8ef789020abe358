import { Button, PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passwordProblem } from '#core/access/passwordRules.ts'
import type { PasswordProblem } from '#core/access/passwordRules.ts'
import type { ApiError } from '#core/api/errors.ts'
import { useSession } from '#src/session/useSession.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { useForm } from '#src/ui/useForm.ts'

const PASSWORD_WORDS: Readonly<Record<PasswordProblem['code'], 'short' | 'same' | 'common'>> = {
  too_short: 'short',
  too_long: 'short',
  same_as_account: 'same',
  common_password: 'common',
}

interface PasswordFormProps {
  readonly account: string
  readonly submit: string
  readonly onChanged?: () => void
}

/** Changes the user's own password: the old one is asked for once, the new one twice. */
export function PasswordForm({ account, submit, onChanged }: PasswordFormProps) {
  const { t } = useTranslation('gate')
  const errorText = useErrorText()
  const { changePassword } = useSession()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const form = useForm({
    initialValues: { old: '', fresh: '', again: '' },
    validate: {
      old: (value) => (value === '' ? t('change.required') : null),
      fresh: (value, { old }) => {
        const problem = passwordProblem(value, account)
        if (problem !== null) return t(`change.${PASSWORD_WORDS[problem.code]}`)
        return value === old ? t('change.same') : null
      },
      again: (value, { fresh }) => (value === fresh ? null : t('change.differs')),
    },
  })
  const change = async ({ old, fresh }: { readonly old: string; readonly fresh: string }) => {
    setBusy(true)
    const result = await changePassword(old, fresh)
    setBusy(false)
    setError(result.ok ? null : result.error)
    if (result.ok) onChanged?.()
  }
  return (
    <form onSubmit={form.onSubmit((values) => void change(values))} noValidate style={{ display: 'contents' }}>
      {error !== null && (
        <Note tone="error" live>
          {error.code === 'invalid_credentials' ? t('change.wrongOld') : errorText(error)}
        </Note>
      )}
      <input type="text" name="username" autoComplete="username" value={account} readOnly hidden />
      <PasswordInput size="md" label={t('change.old')} autoComplete="current-password" {...form.getInputProps('old')} />
      <PasswordInput
        size="md"
        label={t('change.fresh')}
        description={t('change.rule')}
        autoComplete="new-password"
        {...form.getInputProps('fresh')}
      />
      <PasswordInput size="md" label={t('change.again')} autoComplete="new-password" {...form.getInputProps('again')} />
      <Button type="submit" size="lg" loading={busy}>
        {submit}
      </Button>
    </form>
  )
}
