import { Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import type { Missing } from '#core/form/definition/value.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { FormEdit } from '#src/form/formActions.ts'
import { listUnanswered, markMissing } from '#src/form/missing/markMissing.ts'
import { MissingReasons } from '#src/form/missing/MissingReasons.tsx'
import { Sheet } from '#src/ui/dialogs/Sheet.tsx'

interface PageNotDoneProps {
  readonly form: FormState
  readonly onEdit: (edit: FormEdit) => void
}

/** Marks everything on a page as missing for one reason: the visit took place, what the page asks for did not. */
export function PageNotDone({ form, onEdit }: PageNotDoneProps) {
  const { t } = useTranslation('form')
  const [opened, { open, close }] = useDisclosure(false)
  const codes = () => form.compiled.page.sections.flatMap((section) => section.fields.map(({ code }) => code))
  const give = (missing: Missing) => {
    markMissing({ state: form, onEdit }, codes(), missing)
    // The button that asked goes away with the last empty field: what was answered has the focus.
    document.getElementById('main')?.focus({ preventScroll: true })
    close()
  }
  return (
    <>
      <Button variant="subtle" size="compact-md" mih="var(--zl-control)" data-print="no" onClick={open}>
        {t('missing.pageOpen')}
      </Button>
      {opened && (
        <Sheet title={t('missing.pageOpen')} onClose={close}>
          <Stack>
            <Text size="sm">{t('missing.pageText', { count: listUnanswered(form, codes()).length })}</Text>
            <MissingReasons title={t('missing.group')} onGive={give} />
          </Stack>
        </Sheet>
      )}
    </>
  )
}
