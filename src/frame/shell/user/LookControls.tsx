import { Button, Input, SegmentedControl, Switch } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconPalette } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from '#src/frame/look/look.module.css'
import { setPreferences, usePreferences } from '#src/frame/preferences.ts'

/** A device that has a mouse or trackpad has a keyboard too. */
const KEYS = '(any-pointer: fine)'

/**
 * Language, theme and colour in the user's panel. The language can be changed directly, because somebody may be
 * waiting; theme and colour are behind one button that shows the current ones. Where there is a keyboard, single keys
 * can be switched off.
 */
export function LookControls({ onOpenLook }: { readonly onOpenLook: () => void }) {
  const { t } = useTranslation(['common', 'shell'])
  const { theme, color, language, letterKeys } = usePreferences()
  const hasKeys = useMediaQuery(KEYS, undefined, { getInitialValueInEffect: false })
  return (
    <>
      <Input.Wrapper label={t('language')} labelElement="div">
        <SegmentedControl
          fullWidth
          size="md"
          aria-label={t('language')}
          value={language}
          onChange={(value) => setPreferences({ language: value === 'en' ? 'en' : 'zh' })}
          data={(['zh', 'en'] as const).map((value) => ({ value, label: t(`languageName.${value}`) }))}
        />
      </Input.Wrapper>
      <Button
        variant="default"
        h="var(--zl-control)"
        fullWidth
        justify="flex-start"
        leftSection={<IconPalette size={20} aria-hidden="true" />}
        rightSection={
          <span className={classes.current}>
            {t(`themeName.${theme}`)}
            <span className={classes.currentDot} style={{ background: color }} />
          </span>
        }
        styles={{ label: { flex: 1 } }}
        aria-haspopup="dialog"
        onClick={onOpenLook}
      >
        {t('look')}
      </Button>
      {hasKeys && (
        <Switch
          size="md"
          label={t('shell:user.letterKeys')}
          description={t('shell:user.letterKeysHint')}
          checked={letterKeys}
          onChange={(event) => setPreferences({ letterKeys: event.currentTarget.checked })}
        />
      )}
    </>
  )
}
