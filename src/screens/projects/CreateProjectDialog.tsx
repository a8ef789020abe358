import { Button, Input, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import type { ApiError } from '#core/api/errors.ts'
import { useServerAction } from '#src/data/server.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { Sheet, SheetFoot } from '#src/ui/dialogs/Sheet.tsx'
import { useForm } from '#src/ui/useForm.ts'

interface Values {
  readonly projectName: string
  readonly projectScopeCode: 'areamultiple' | 'areasingle'
}

/** Makes a new project: its name, and whether it has several centers. The rest is set up inside. */
export function CreateProjectDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['projects', 'common'])
  const navigate = useNavigate()
  const errorText = useErrorText()
  const act = useServerAction()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const form = useForm<Values>({
    initialValues: { projectName: '', projectScopeCode: 'areamultiple' },
    validate: { projectName: (name) => (name.trim() === '' ? t('create.required') : null) },
  })

  const create = async (values: Values) => {
    setBusy(true)
    const result = await act('project.save', { body: values })
    setBusy(false)
    if (!result.ok) return setError(result.error)
    return navigate(`/p/${result.value.id}`)
  }
  return (
    <Sheet onClose={onClose} title={t('create.title')}>
      <form onSubmit={form.onSubmit((values) => void create(values))} noValidate>
        <Stack>
          {error !== null && (
            <Note tone="error" live>
              {errorText(error)}
            </Note>
          )}
          <TextInput
            size="md"
            label={t('create.name')}
            required
            maxLength={200}
            data-autofocus
            {...form.getInputProps('projectName')}
          />
          <Input.Wrapper label={t('create.mode')}>
            <SegmentedControl
              fullWidth
              size="md"
              aria-label={t('create.mode')}
              data={[
                { value: 'areamultiple', label: t('mode.areamultiple') },
                { value: 'areasingle', label: t('mode.areasingle') },
              ]}
              {...form.getInputProps('projectScopeCode')}
            />
          </Input.Wrapper>
          <SheetFoot>
            <Button variant="default" size="md" onClick={onClose}>
              {t('common:action.cancel')}
            </Button>
            <Button type="submit" size="md" loading={busy}>
              {t('create.submit')}
            </Button>
          </SheetFoot>
        </Stack>
      </form>
    </Sheet>
  )
}
