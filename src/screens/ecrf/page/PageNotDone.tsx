import { Button, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import type { FormState } from '#core/form/engine/engine.ts'
import type { FormEdit } from '#src/form/formActions.ts'
import { listUnanswered, markMissing } from '#src/form/missing/markMissing.ts'
import { MissingReasons } from '#src/form/missing/MissingReasons.tsx'

interface PageNotDoneProps {
  readonly form: FormState
  readonly onEdit: (edit: FormEdit) => void
}

/** Marks everything on a page as missing for one reason: the visit took place, what the page asks for did not. */
export function PageNotDone({ form, onEdit }: PageNotDoneProps) {
  const { t } = useTranslation(['form', 'common'])
  const [opened, { open, close }] = useDisclosure(false)
  const codes = () => form.compiled.page.sections.flatMap((section) => section.fields.map(({ code }) => code))
  return (
    <>
      <Button variant="subtle" size="compact-md" mih="var(--zl-control)" data-print="no" onClick={open}>
        {t('missing.pageOpen')}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t('missing.pageOpen')}
        closeButtonProps={{ 'aria-label': t('common:action.close') }}
      >
        <Stack>
          <Text size="sm">{t('missing.pageText', { count: opened ? listUnanswered(form, codes()).length : 0 })}</Text>
          <MissingReasons
            title={t('missing.group')}
            onGive={(missing) => {
              markMissing({ state: form, onEdit }, codes(), missing)
              close()
            }}
          />
        </Stack>
      </Modal>
    </>
  )
}
