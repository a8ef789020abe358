import { PasswordInput, Radio, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passwordProblem } from '#core/access/passwordRules.ts'
import type { MemberDetail } from '#core/api/calls/project.ts'
import { useServerAction, useServerQuery } from '#src/data/server.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'

interface AccountDialogProps {
  readonly member: Pick<MemberDetail, 'userId' | 'account' | 'realName'>
  readonly onClose: () => void
}

type Act = 'status' | 'sessions' | 'password'

/** The acts of a platform administrator on an account; they apply to all projects at once. */
export function AccountDialog({ member: { userId, account, realName }, onClose }: AccountDialogProps) {
  const { t } = useTranslation('admin')
  const act = useServerAction()
  const [chosen, setChosen] = useState<Act>('sessions')
  const [reason, setReason] = useState('')
  const [password, setPassword] = useState('')
  const [touched, setTouched] = useState(false)
  const accounts = useServerQuery('user.list', { query: { account, current: 1, size: 100 } })
  const line = accounts.state === 'ready' ? accounts.value.records.find(({ id }) => id === userId) : undefined
  const badPassword = chosen === 'password' && passwordProblem(password, account) !== null
  const submit = () => {
    setTouched(true)
    if (reason.trim() === '' || badPassword || line === undefined) return null
    const body = { userId, reason: reason.trim() }
    if (chosen === 'password') return act('user.resetPassword', { body: { ...body, password } })
    if (chosen === 'sessions') return act('user.endSessions', { body })
    return act('user.status', { body: { ...body, status: line.status === 'active' ? 'disabled' : 'active' } })
  }
  return (
    <SubmitDialog
      title={t('mem.account.title', { name: realName })}
      submit={t('mem.account.submit')}
      onClose={onClose}
      onSubmit={submit}
    >
      <Loaded of={accounts} rows={2}>
        {() =>
          line === undefined ? null : (
            <Stack>
              <Note tone="info">
                {t('mem.account.state', {
                  account,
                  status: t(`mem.account.status.${line.status}`),
                  sessions: line.sessions,
                })}
              </Note>
              <ActChoice chosen={chosen} onChoose={setChosen} isActive={line.status === 'active'} />
              {chosen === 'password' && (
                <PasswordInput
                  size="md"
                  required
                  label={t('mem.account.temporary')}
                  description={t('mem.newUser.passwordHint')}
                  autoComplete="new-password"
                  value={password}
                  onChange={(event) => setPassword(event.currentTarget.value)}
                  error={touched && badPassword ? t('mem.newUser.short') : null}
                />
              )}
              <Textarea
                size="md"
                required
                autosize
                minRows={2}
                maxLength={2000}
                label={t('mem.account.reason')}
                value={reason}
                onChange={(event) => setReason(event.currentTarget.value)}
                error={touched && reason.trim() === '' ? t('mem.newUser.required') : null}
              />
            </Stack>
          )
        }
      </Loaded>
    </SubmitDialog>
  )
}

interface ActChoiceProps {
  readonly chosen: Act
  readonly onChoose: (act: Act) => void
  /** Whether the account is active: then it can be disabled, otherwise enabled. */
  readonly isActive: boolean
}

function ActChoice({ chosen, onChoose, isActive }: ActChoiceProps) {
  const { t } = useTranslation('admin')
  return (
    <Radio.Group label={t('mem.account.what')} value={chosen} onChange={(value) => onChoose(value as Act)}>
      <Stack gap="xs" mt="xs">
        <Radio
          size="md"
          value="sessions"
          label={t('mem.account.sessions')}
          description={t('mem.account.sessionsHint')}
        />
        <Radio
          size="md"
          value="password"
          label={t('mem.account.password')}
          description={t('mem.account.passwordHint')}
        />
        <Radio
          size="md"
          value="status"
          label={t(isActive ? 'mem.account.disable' : 'mem.account.enable')}
          description={t(isActive ? 'mem.account.disableHint' : 'mem.account.enableHint')}
        />
      </Stack>
    </Radio.Group>
  )
}
