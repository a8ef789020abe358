import { Button, TextInput, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Note } from '#src/ui/Note.tsx'

import classes from './captcha.module.css'
import type { CaptchaTask } from './useCaptcha.ts'

/** The picture to copy, or the computation that the device does instead; nothing while no captcha is asked for. */
export function Captcha({
  task: { image, code, working, type, newPicture, workInstead },
  missing,
}: {
  readonly task: CaptchaTask
  readonly missing: boolean
}) {
  const { t } = useTranslation('login')
  if (image === null) return null
  if (working !== 'no') {
    return (
      <Note tone="info" live>
        {t(working === 'busy' ? 'working' : 'worked')}
      </Note>
    )
  }
  return (
    <>
      <div className={classes.captcha}>
        <TextInput
          size="md"
          label={t('captcha')}
          description={t('captchaHint')}
          autoComplete="off"
          autoCapitalize="none"
          maxLength={10}
          value={code}
          onChange={(event) => type(event.currentTarget.value)}
          error={missing ? t('required.captcha') : null}
        />
        <UnstyledButton className={classes.picture} onClick={() => void newPicture()} aria-label={t('captchaPicture')}>
          <img src={image} alt="" width={130} height={48} />
        </UnstyledButton>
      </div>
      <Button variant="subtle" size="md" onClick={() => void workInstead()}>
        {t('workInstead')}
      </Button>
    </>
  )
}
