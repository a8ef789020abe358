import { Radio } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { SavedFormat } from '#core/exchange/exportFormats.ts'

import classes from './export.module.css'

/** The keys of the words for each format. */
const WORDS = {
  'odm-1.3.2': 'odm1',
  'odm-2.0': 'odm2',
  redcap: 'redcap',
  xlsform: 'xlsform',
  workbook: 'workbook',
  json: 'json',
  crf: 'crf',
  blank: 'blank',
  annotated: 'annotated',
} as const satisfies Readonly<Record<SavedFormat, string>>

interface FormatChoiceProps {
  readonly formats: readonly SavedFormat[]
  readonly format: SavedFormat
  readonly onFormat: (format: SavedFormat) => void
  readonly disabled: boolean
}

/** The export formats, each with its use. */
export function FormatChoice({ formats, format, onFormat, disabled }: FormatChoiceProps) {
  const { t } = useTranslation('versions')
  return (
    <Radio.Group
      size="md"
      label={t('export.format')}
      value={format}
      onChange={(value) => onFormat(formats.find((one) => one === value) ?? format)}
    >
      <div className={classes.formats}>
        {formats.map((one) => (
          <Radio
            key={one}
            size="md"
            value={one}
            disabled={disabled}
            data-autofocus={one === format || undefined}
            label={t(`export.formats.${WORDS[one]}.name`)}
            description={t(`export.formats.${WORDS[one]}.text`)}
            classNames={{ body: classes.format ?? '' }}
          />
        ))}
      </div>
    </Radio.Group>
  )
}
