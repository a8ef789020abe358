import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SavedSearch } from '#core/api/calls/data/search.ts'
import type { Condition } from '#core/dataset/conditions.ts'
import { newId } from '#core/ids.ts'
import { useServerAction } from '#src/data/server.ts'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'

interface SaveSearchProps {
  readonly projectId: string
  readonly condition: Condition
  /** The own search that is changed; null for a new one. */
  readonly of: SavedSearch | null
  readonly onSaved: (search: SavedSearch) => void
  readonly onClose: () => void
}

/** Keeps the search under a name, for oneself or for the project. */
export function SaveSearch({ projectId, condition, of, onSaved, onClose }: SaveSearchProps) {
  const { t } = useTranslation('search')
  const act = useServerAction()
  const [id] = useState(() => of?.id ?? newId())
  const [name, setName] = useState(of?.name ?? '')
  const [isShared, setShared] = useState(of?.isShared ?? false)
  const [isTried, setTried] = useState(false)
  const submit = () => {
    setTried(true)
    if (name.trim() === '') return null
    const body = { id, projectId, name: name.trim(), condition, isShared }
    return act('search.save', { body, projectId }).then((said) => {
      if (said.ok) onSaved(said.value)
      return said
    })
  }
  return (
    <SubmitDialog title={t('save.title')} submit={t('save.submit')} size="md" onSubmit={submit} onClose={onClose}>
      <TextInput
        size="md"
        data-autofocus
        maxLength={100}
        label={t('save.name')}
        value={name}
        error={isTried && name.trim() === '' ? t('save.needsName') : null}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox
        size="md"
        label={t('save.shared')}
        checked={isShared}
        onChange={(event) => setShared(event.currentTarget.checked)}
      />
    </SubmitDialog>
  )
}
