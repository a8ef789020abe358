import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { factOf } from '#src/data/shapes/patientFacts.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import { Note } from '#src/ui/Note.tsx'

interface OverruledNotesProps {
  readonly book: Casebook
  /** Enters the fact again; null for users who may not. */
  readonly onAgain: (() => void) | null
}

/** Facts that this user entered and that were not taken, because somebody else had changed them before. */
export function OverruledNotes({ book, onAgain }: OverruledNotesProps) {
  const { t } = useTranslation('patients')
  const { noteReturn } = useDataActions()
  return (
    <>
      {book.overruled.map(({ opKey, facts }) => (
        <Note key={opKey} tone="warning">
          {facts.map(({ field, value }) => (
            <div key={field}>
              {t('overruled.title', {
                field: t(`fact.${field}`),
                mine: value ?? t('edit.empty'),
                value: factOf(book.patient, field) ?? t('edit.empty'),
              })}
            </div>
          ))}
          <Group gap="xs" mt="xs">
            {onAgain !== null && (
              <Button size="md" variant="default" onClick={onAgain}>
                {t('overruled.again')}
              </Button>
            )}
            <Button size="md" variant="subtle" onClick={() => void noteReturn(opKey)}>
              {t('overruled.noted')}
            </Button>
          </Group>
        </Note>
      ))}
    </>
  )
}
