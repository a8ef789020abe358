import { Button, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Raw } from '#core/form/definition/option.ts'
import { isRecord } from '#core/form/definition/option.ts'
import classes from '#src/screens/design/design.module.css'

interface RawEditorProps {
  /** What is stored: a record, or a text that cannot be read. */
  readonly value: Raw | string
  /** Says what is wrong with a new value, in a word; null where it can be taken. */
  readonly check: (value: Raw) => string | null
  readonly onApply: (value: Raw) => void
}

/** A definition as it is stored, for experts. A change is taken only once it can be read. */
export function RawEditor({ value, check, onApply }: RawEditorProps) {
  const { t } = useTranslation('design')
  const [typed, setTyped] = useState<string | null>(null)
  const stored = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  const text = typed ?? stored
  const read = parseRaw(text)
  const wrong = typed === null ? null : read === null ? t('raw.notJson') : problemText(check(read))
  return (
    <Stack gap="sm">
      <Textarea
        label={t('raw.title')}
        description={t('raw.hint')}
        value={text}
        autosize
        minRows={6}
        maxRows={24}
        spellCheck={false}
        error={wrong ?? undefined}
        classNames={{ input: classes.code ?? '' }}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button
        size="sm"
        h={40}
        variant="light"
        disabled={typed === null || wrong !== null || read === null}
        onClick={() => {
          if (read !== null) onApply(read)
          setTyped(null)
        }}
      >
        {t('actions.apply')}
      </Button>
    </Stack>
  )

  function problemText(what: string | null): string | null {
    return what === null ? null : t('raw.wrong', { what })
  }
}

function parseRaw(text: string): Raw | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
