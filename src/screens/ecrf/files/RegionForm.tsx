import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import classes from './files.module.css'

/** A field of the page: its address and its label. */
export interface NamedField {
  readonly address: string
  readonly name: string
}

interface RegionFormProps {
  readonly fields: readonly NamedField[]
  /** Address of the field that the region is tied to, or that is offered first. */
  readonly address: string
  readonly note: string
  /** Resolves with why the region could not be kept, or null. */
  readonly onSave: (address: string, note: string) => Promise<ApiError | null>
  readonly onCancel: () => void
}

const MAX_NOTE = 200

/** Asks to which field a region belongs, and for a note. */
export function RegionForm({ fields, address: before, note: said, onSave, onCancel }: RegionFormProps) {
  const { t } = useTranslation('files')
  const errorText = useErrorText()
  const [address, setAddress] = useState(before)
  const [note, setNote] = useState(said)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const save = async () => {
    setBusy(true)
    const refused = await onSave(address, note.trim())
    setBusy(false)
    setError(refused)
  }
  return (
    <form
      className={classes.regionForm}
      aria-label={t('region.form')}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Text size="sm">{t('region.how')}</Text>
      {error !== null && (
        <Note tone="error" live>
          {errorText(error)}
        </Note>
      )}
      <NativeSelect
        size="md"
        label={t('region.field')}
        value={address}
        onChange={(event) => setAddress(event.currentTarget.value)}
        data={fields.map(({ address: value, name }) => ({ value, label: name }))}
      />
      <TextInput
        size="md"
        label={t('region.note')}
        value={note}
        maxLength={MAX_NOTE}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Group justify="flex-end" gap="xs">
        <Button size="md" variant="default" onClick={onCancel}>
          {t('region.cancel')}
        </Button>
        <Button size="md" type="submit" loading={busy}>
          {t('region.save')}
        </Button>
      </Group>
    </form>
  )
}
