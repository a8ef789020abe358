import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { setPreferences, themes, usePreferences } from '#src/frame/preferences.ts'
import type { LaterDialogProps } from '#src/frame/shell/useLaterDialog.tsx'
import { addLookTexts } from '#src/i18n/look.ts'
import { Sheet } from '#src/ui/dialogs/Sheet.tsx'

import { ColorChoice } from './ColorChoice.tsx'
import { DEFAULT_COLOR, DEFAULT_SHADES } from './defaultColor.ts'
import { ThemePreview } from './ThemePreview.tsx'
import classes from './look.module.css'

addLookTexts()

/** Theme and colour of this device. A choice shows at once on everything behind the dialog. */
export function LookDialog({ opened, onClose }: LaterDialogProps) {
  const { t } = useTranslation(['look', 'common'])
  const { theme, color } = usePreferences()
  return (
    <Sheet opened={opened} onClose={onClose} size={620} title={t('common:look')}>
      <p className={classes.intro}>{t('intro')}</p>
      <fieldset className={classes.group}>
        <legend className={classes.legend}>{t('theme.label')}</legend>
        <div className={classes.themes}>
          {themes.map((name) => (
            <label key={name} className={classes.theme}>
              <input
                type="radio"
                className={classes.radio}
                name="theme"
                value={name}
                checked={name === theme}
                onChange={() => setPreferences({ theme: name })}
              />
              <ThemePreview theme={name} />
              <span className={classes.themeName}>{t(`common:themeName.${name}`)}</span>
              <span className={classes.themeHint}>{t(`theme.hint.${name}`)}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <ColorChoice />
      <Group justify="space-between" mt="lg">
        <Button
          variant="default"
          size="md"
          disabled={theme === themes[0] && color === DEFAULT_COLOR}
          onClick={() => setPreferences({ theme: themes[0], color: DEFAULT_COLOR, shades: DEFAULT_SHADES })}
        >
          {t('reset')}
        </Button>
        <Button size="md" onClick={onClose}>
          {t('done')}
        </Button>
      </Group>
    </Sheet>
  )
}
