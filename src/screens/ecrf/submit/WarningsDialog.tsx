import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Cell } from '#core/form/engine/cell.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { isUnanswered, isWarning, warningName } from '#core/form/engine/warning.ts'
import type { ConfirmPort } from '#src/form/formContext.ts'
import type { FormWords, Language } from '#src/form/words.ts'
import { displayText, issueText, labelOf, placeName, unitOf } from '#src/form/words.ts'
import { Sheet } from '#src/ui/dialogs/Sheet.tsx'

interface WarningsDialogProps {
  readonly form: FormState
  readonly confirms: ConfirmPort
  readonly language: Language
  readonly onJump: (address: string) => void
  /** Called when every warning has its answer. */
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Shown before a page is submitted: the user confirms each unanswered warning, or goes to its field. */
export function WarningsDialog({ form, confirms, language, onJump, onDone, onClose }: WarningsDialogProps) {
  const { i18n } = useTranslation('form')
  const t = i18n.getFixedT(language, 'form')
  const [cells, setCells] = useState(() => doubtful(form))
  const refresh = () => {
    const left = doubtful(form)
    setCells(left)
    if (left.length === 0) onDone()
  }
  return (
    <Sheet onClose={onClose} size="lg" title={t('confirm.title', { count: cells.length })}>
      <Stack>
        <Text>{t('confirm.intro')}</Text>
        {cells.flatMap((cell) =>
          cell.issues
            .filter(isWarning)
            .filter(isUnanswered)
            .map((warning) => (
              <Asked
                key={`${cell.key} ${warningName(warning)}`}
                name={placeName(form, cell, language, t)}
                value={`${displayText(cell, t)} ${unitOf(cell.field, language) ?? ''}`.trim()}
                says={issueText(warning, labelOf(cell.field, language), language, t)}
                needsReason={confirms.needsReason}
                t={t}
                onConfirm={(reason) => {
                  confirms.give({ cell, warning, reason })
                  refresh()
                }}
                onGo={() => {
                  onClose()
                  onJump(cell.key)
                }}
              />
            )),
        )}
      </Stack>
    </Sheet>
  )
}

/** The fields that have a warning without an answer. */
function doubtful(form: FormState): readonly Cell[] {
  return form.cells().filter((cell) => cell.visible && cell.issues.some(isUnanswered))
}

interface AskedProps {
  readonly name: string
  readonly value: string
  readonly says: string
  readonly needsReason: boolean
  readonly t: FormWords
  readonly onConfirm: (reason: string) => void
  readonly onGo: () => void
}

function Asked({ name, value, says, needsReason, t, onConfirm, onGo }: AskedProps) {
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const isMissing = needsReason && reason.trim() === ''
  return (
    <form
      aria-label={name}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (!isMissing) onConfirm(reason.trim())
      }}
    >
      <Stack gap="xs">
        <Text fw={600}>{value === '' ? name : [name, value].join(t('colon'))}</Text>
        <Text>{says}</Text>
        <TextInput
          size="md"
          label={t('confirm.reason')}
          placeholder={t('confirm.reasonHint')}
          maxLength={1000}
          value={reason}
          withAsterisk={needsReason}
          error={tried && isMissing ? t('missing.reasonRequired') : null}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" h="var(--zl-control)">
            {t('confirm.open')}
          </Button>
          <Button variant="default" h="var(--zl-control)" onClick={onGo}>
            {t('confirm.go')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
