import { Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServerAction } from '#src/data/server.ts'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'

interface DraftDialogProps {
  readonly projectId: string
  readonly onClose: () => void
  readonly onMade?: () => void
}

/** Makes the next draft, and asks for the reason (specification §5). */
export function DraftDialog({ projectId, onClose, onMade }: DraftDialogProps) {
  const { t } = useTranslation('admin')
  const act = useServerAction()
  const [remark, setRemark] = useState('')
  const [touched, setTouched] = useState(false)
  const make = async () => {
    const made = await act('version.save', { body: { projectId, remark: remark.trim() }, projectId })
    if (made.ok) onMade?.()
    return made
  }
  const create = () => {
    setTouched(true)
    return remark.trim() === '' ? null : make()
  }
  return (
    <SubmitDialog title={t('crf.draft.title')} submit={t('crf.draft.submit')} onClose={onClose} onSubmit={create}>
      <Text size="sm">{t('crf.draft.text')}</Text>
      <Textarea
        size="md"
        required
        minRows={3}
        maxLength={2000}
        label={t('crf.draft.remark')}
        value={remark}
        onChange={(event) => setRemark(event.currentTarget.value)}
        error={touched && remark.trim() === '' ? t('crf.draft.required') : null}
        data-autofocus
      />
    </SubmitDialog>
  )
}
