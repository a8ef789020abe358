import { Anchor, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PasswordForm } from '#src/frame/PasswordForm.tsx'
import { useSession } from '#src/session/useSession.ts'

import { PublicFrame } from './PublicFrame.tsx'
import classes from './login.module.css'

/** At the first sign-in: the user must choose their own password before anything else. */
export function ChangePasswordScreen({ account }: { readonly account: string }) {
  const { t } = useTranslation('gate')
  const { signOut } = useSession()
  return (
    <PublicFrame>
      <Stack gap="md" className={classes.form ?? ''}>
        <h1 className={classes.title}>{t('change.title')}</h1>
        <p className={classes.lead}>{t('change.text')}</p>
        <PasswordForm account={account} submit={t('change.submit')} />
        <Anchor component="button" type="button" mih={44} onClick={() => void signOut({ force: true })}>
          {t('change.out')}
        </Anchor>
      </Stack>
    </PublicFrame>
  )
}
