import { Radio } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { VersionFormat } from '#core/exchange/exportFormats.ts'
import { versionFormats } from '#core/exchange/exportFormats.ts'

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
} as const satisfies Readonly<Record<VersionFormat, string>>

interface FormatChoiceProps {
  readonly format: VersionFormat
  readonly onFormat: (format: VersionFormat) => void
  readonly disabled: boolean
}

/** The export formats, each with its use. */
export function FormatChoice({ format, onFormat, disabled }: FormatChoiceProps) {
  const { t } = useTranslation('versions')
  return (
    <Radio.Group
      size="md"
      label={t('export.format')}
      value={format}
      onChange={(value) => onFormat(versionFormats.find((one) => one === value) ?? format)}
    >
      <div className={classes.formats}>
        {versionFormats.map((one) => (
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
