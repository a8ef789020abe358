import { Button, Group } from '@mantine/core'
import { IconEraser } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FormState } from '#core/form/engine/engine.ts'
import { countFilled, emptyForm } from '#src/form/emptyForm.ts'
import type { FormEdit } from '#src/form/formActions.ts'
import { ConfirmDialog } from '#src/ui/dialogs/ConfirmDialog.tsx'

interface EmptyPageProps {
  readonly form: FormState
  readonly onEdit: (edit: FormEdit) => void
}

/**
 * Empties the page (specification §6: submit, empty and edit pages). Before that it says how many values go and that
 * the trail keeps them.
 */
export function EmptyPage({ form, onEdit }: EmptyPageProps) {
  const { t } = useTranslation('ecrf')
  /** How many fields are filled at the press; null while the dialog is closed. */
  const [filled, setFilled] = useState<number | null>(null)
  return (
    <Group justify="flex-end" data-print="no">
      <Button
        variant="subtle"
        color="red.9"
        size="md"
        leftSection={<IconEraser size={18} aria-hidden="true" />}
        onClick={() => setFilled(countFilled(form))}
      >
        {t('empty.open')}
      </Button>
      <ConfirmDialog
        opened={filled !== null}
        danger
        title={t('empty.title')}
        text={t(filled === 0 ? 'empty.nothing' : 'empty.text', { count: filled ?? 0 })}
        submit={t('empty.submit')}
        onConfirm={() => {
          emptyForm({ state: form, onEdit })
          setFilled(null)
        }}
        onClose={() => setFilled(null)}
      />
    </Group>
  )
}
