import { Anchor, Button } from '@mantine/core'
import { IconColorPicker } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { setPreferences, usePreferences } from '#src/frame/preferences.ts'

import { isColor } from './defaultColor.ts'
import classes from './look.module.css'
import { contrastOf, shadesOf } from './shades.ts'

/** Colours to begin with: far apart, each with a name. */
const PRESETS = ['#409EFF', '#3F6FD8', '#13A8A8', '#3BA55D', '#E6A23C', '#D9534F', '#A65BC7', '#5F6B7A'] as const

/** The choice of the colour of brand marks, focus, buttons and links, with a preview beside it. */
export function ColorChoice() {
  const { t } = useTranslation('look')
  const { color, shades } = usePreferences()
  const chosen = PRESETS.find((preset) => preset.toLowerCase() === color.toLowerCase())
  const choose = (value: string) => {
    if (isColor(value)) setPreferences({ color: value.toUpperCase(), shades: shadesOf(value) })
  }
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{t('color.label')}</legend>
      <p className={classes.hint}>{t('color.hint')}</p>
      <div className={classes.swatches}>
        {PRESETS.map((preset) => (
          <label key={preset} className={classes.swatch} title={t(`color.names.${preset}`)}>
            <input
              type="radio"
              className={classes.radio}
              name="color"
              value={preset}
              aria-label={t(`color.names.${preset}`)}
              checked={preset === chosen}
              onChange={() => choose(preset)}
            />
            <span className={classes.dot} style={{ background: preset }} aria-hidden="true">
              {preset === chosen && (
                <svg viewBox="0 0 20 20" className={classes.tick}>
                  <path d="m5 10.4 3.4 3.4 6.6-7.4" />
                </svg>
              )}
            </span>
          </label>
        ))}
        <label className={classes.own} data-chosen={chosen === undefined}>
          <IconColorPicker size={20} aria-hidden="true" />
          <span>{t('color.own')}</span>
          <input
            type="color"
            className={classes.picker}
            value={color.toLowerCase()}
            onChange={(event) => choose(event.currentTarget.value)}
          />
          <output className={classes.code}>{color.toUpperCase()}</output>
        </label>
      </div>
      <div className={classes.sample}>
        <span className={classes.sampleLabel}>{t('color.sample')}</span>
        {/* They only show a colour: neither the keyboard nor a screen reader stops at them. */}
        <span className={classes.samples} aria-hidden="true">
          <Button component="span" tabIndex={-1}>
            {t('color.sampleButton')}
          </Button>
          <Anchor component="span">{t('color.sampleLink')}</Anchor>
          <span className={classes.focused}>{t('color.sampleLink')}</span>
        </span>
        <span className={classes.contrast}>
          {t('color.contrast', { ratio: contrastOf('#ffffff', shades[9]).toFixed(1) })}
        </span>
      </div>
    </fieldset>
  )
}
