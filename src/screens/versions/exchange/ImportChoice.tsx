import { Radio, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Consequences } from '#core/design/consequences.ts'
import type { ImportMode } from '#core/wire/importModes.ts'
import { IMPORT_MODES } from '#core/wire/importModes.ts'
import { ConsequenceLines } from '#src/ui/dialogs/ConsequenceLines.tsx'

import classes from './import.module.css'

interface ImportChoiceProps {
  readonly mode: ImportMode
  readonly onMode: (mode: ImportMode) => void
  /** Null where the draft is empty: then there is nothing to choose. */
  readonly consequences: Consequences | null
}

/** How a file goes into a draft that is not empty, and what the draft would lose. */
export function ImportChoice({ mode, onMode, consequences }: ImportChoiceProps) {
  const { t } = useTranslation('admin')
  if (consequences === null) return null
  const choose = (chosen: string) => {
    const next = IMPORT_MODES.find((one) => one === chosen)
    if (next !== undefined) onMode(next)
  }
  return (
    <Stack gap="sm">
      <Radio.Group label={t('crf.import.mode')} value={mode} onChange={choose}>
        <Stack gap="xs" mt={6}>
          {IMPORT_MODES.map((one) => (
            <Radio
              key={one}
              value={one}
              label={t(`crf.import.modes.${one}`)}
              description={t(`crf.import.modeHints.${one}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      <section aria-label={t('crf.import.consequences')}>
        <h3 className={classes.title}>{t('crf.import.consequences')}</h3>
        <ConsequenceLines of={consequences} />
      </section>
    </Stack>
  )
}
