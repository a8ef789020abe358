import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { setPreferences, usePreferences } from '#src/frame/preferences.ts'
import { LossNote } from '#src/frame/shell/LossNote.tsx'
import { useLaterDialog } from '#src/frame/shell/useLaterDialog.tsx'
import { Note } from '#src/ui/Note.tsx'

import classes from './login.module.css'

/**
 * The frame around sign-in, unlock and change of password: the name of the product (as scripts/lib/firstPaint.ts draws
 * it before), the language, the look. The language is chosen by plain buttons, because Mantine's segmented control
 * weighs more than the rest of this frame.
 */
export function PublicFrame({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation(['login', 'common'])
  const { language, color } = usePreferences()
  const look = useLaterDialog(async () => (await import('#src/frame/look/LookDialog.tsx')).LookDialog, LookAbsent)
  return (
    <div className="zl-frame">
      <aside className="zl-claim">
        <p className="zl-brand">
          <span className="zl-mark" />
          {t('common:product')}
        </p>
        <p className="zl-headline">{t('claim')}</p>
        <ul className="zl-points">
          <li>{t('points.offline')}</li>
          <li>{t('points.fast')}</li>
          <li>{t('points.traced')}</li>
        </ul>
      </aside>
      <main className={classes.side}>
        <div className={classes.look}>
          <Link to="/test" className={classes.lookButton}>
            {t('common:selfCheck')}
          </Link>
          <UnstyledButton className={classes.lookButton} aria-haspopup="dialog" onClick={look.open}>
            <span className={classes.lookDot} style={{ background: color }} aria-hidden="true" />
            {t('common:look')}
          </UnstyledButton>
          <fieldset className={classes.language} aria-label={t('common:language')}>
            {(['zh', 'en'] as const).map((value) => (
              <UnstyledButton
                key={value}
                className={classes.languageChoice}
                lang={value}
                aria-pressed={value === language}
                onClick={() => setPreferences({ language: value })}
              >
                {t(`common:languageName.${value}`)}
              </UnstyledButton>
            ))}
          </fieldset>
        </div>
        <div className={classes.card}>
          {!window.isSecureContext && (
            <Note tone="warning" title={t('common:insecure.title')}>
              {t('common:insecure.text')}
            </Note>
          )}
          <LossNote />
          {look.dialog}
          {children}
        </div>
      </main>
    </div>
  )
}

/** A note and no dialog of the component library: that would come with the first load. */
function LookAbsent() {
  const { t } = useTranslation('common')
  return (
    <Note tone="warning" title={t('notLoaded.title')} live>
      {t('notLoaded.text')}
    </Note>
  )
}
